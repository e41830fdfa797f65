import type { Client } from 'pg'
import { tokenOf } from '../fill/sessions.ts'
import { greatEvent, type Size } from '../fill/size.ts'

/** A list request without page and page_length, by a user for whom it is long. */
export type AskedList = {
  /** The contract's operation, and its variant. */
  name: string
  path: string
  token: string
  /** The number of rows: the last page is requested too. */
  rows?: number
  /** An index of one event's people whose entries alone a later page may walk through: 15 blocks for 2 000. */
  walks?: string
}

/** Every list of the interface, each on the longest data available. */
export const askedLists = async (db: Pick<Client, 'query'>, size: Size): Promise<AskedList[]> => {
  const number = async (query: string) => Number(Object.values((await db.query(query)).rows[0] ?? { none: 0 })[0])
  const organizer = await number(`select user_id from guests where event_id = ${greatEvent} and role = 'owner'`)
  const photo = await number(`select id from photos where event_id = ${greatEvent} and sequence = 1`)
  const comment = await number('select id from comments where replies_count > 0')
  const liked = await number(`select id from photos where event_id = ${greatEvent} order by likes_count desc limit 1`)
  const message = await number(
    `select id from messages where group_chat_id = ${greatEvent} and reactions is not null order by id limit 1`,
  )
  const hung = await number(`select last_attachment_sequence from group_chats where id = ${greatEvent}`)
  const sent = await number(`select last_sequence from group_chats where id = ${greatEvent}`)
  const last = await number(`select user_id from guests where event_id = ${greatEvent} order by joined_at desc limit 1`)
  const webhook = await number(`
    insert into webhooks (event_id, url, kinds, nonce, status, taken_to)
    values (${greatEvent}, 'https://away.example/hook', '{message.created}', '\\x00', 'off', 0) returning id`)
  const poll = await number(`
    with asked as (insert into polls (message_id, choices, multiple, anonymous) values (${message}, '{yes,no}', false, false)
        returning message_id),
      shown as (update messages set card = 'poll' where id = ${message}),
      voted as (insert into poll_votes (message_id, choice, user_id)
        select message_id, 1, user_id from asked, guests where event_id = ${greatEvent})
    select message_id from asked`)
  const [token, late, sociable, friendly] = [tokenOf(organizer), tokenOf(last), tokenOf(1), tokenOf(101)]
  const chat = `group_chat_id=${greatEvent}`
  const album = `/api/gallery/photos/${greatEvent}`
  return [
    { name: 'listChats', path: '/api/message/group/list', token: sociable, rows: 100 },
    // The last guest to join is at the end of any scan of the guests.
    { name: 'listMessages', path: `/api/message/list?${chat}`, token: late, rows: sent },
    { name: 'listMessages-extra', path: `/api/message/list?${chat}&include=extra`, token, rows: sent },
    { name: 'searchMessages', path: `/api/message/search?${chat}&text=corkscrew`, token },
    { name: 'searchMessages-rare', path: '/api/message/search?text=kiosk77', token: sociable },
    { name: 'listAttachments', path: `/api/message/attachment/list?${chat}`, token, rows: hung },
    { name: 'listReactedUsers', path: `/api/message/reacted?message_id=${message}`, token },
    {
      name: 'listVoters',
      path: `/api/message/poll/voters?message_id=${poll}&poll_choice_id=1`,
      token,
      rows: size.crowd,
    },
    { name: 'listSeen', path: `/api/message/seen?message_id=${message}`, token },
    { name: 'listPhotos', path: album, token: late, rows: size.album },
    { name: 'listPhotos-oldest', path: `${album}?sort=oldest`, token, rows: size.album },
    { name: 'listPhotos-taken', path: `${album}?sort=taken_newest`, token, rows: size.album },
    { name: 'listPhotos-person', path: `${album}?taken_by=${organizer}`, token },
    { name: 'listLikes', path: `/api/gallery/photo/likes/${liked}`, token },
    { name: 'listComments', path: `/api/gallery/comments/${photo}`, token, rows: size.thread },
    { name: 'listComments-extra', path: `/api/gallery/comments/${photo}?include=extra`, token, rows: size.thread },
    { name: 'listReplies', path: `/api/gallery/comment/replies/${comment}`, token, rows: size.thread / 2 },
    { name: 'listCommentReactions', path: `/api/gallery/comment/reactions/${comment}`, token, rows: size.thread / 2 },
    { name: 'searchUsers', path: '/api/user/mention/search?name=mar', token: friendly },
    { name: 'searchUsers-alike', path: '/api/user/mention/search?name=maritna', token: friendly },
    { name: 'listFriends', path: '/api/user/friends', token: friendly },
    { name: 'listFriendRequests', path: '/api/user/friend/requests', token: friendly },
    { name: 'listBlocked', path: '/api/user/blocked', token: friendly },
    ...['upcoming', 'past', 'hosting', 'public'].map(filter => ({
      name: `listEvents-${filter}`,
      path: `/api/event/list?filter=${filter}`,
      token: sociable,
    })),
    { name: 'listJoinRequests', path: `/api/event/join/requests/${greatEvent}`, token, rows: size.asked },
    { name: 'listInvitations', path: '/api/event/invites', token: friendly },
    { name: 'listGuests', path: `/api/event/guests/${greatEvent}`, token, rows: size.crowd, walks: 'guests_in_order' },
    { name: 'listLinks', path: `/api/event/link/list/${greatEvent}`, token },
    { name: 'listSentAway', path: `/api/event/link/away/list/${greatEvent}`, token },
    { name: 'listReturns', path: `/api/event/returns/${greatEvent}`, token },
    { name: 'listAnswers', path: `/api/event/answers/${greatEvent}`, token, rows: size.crowd },
    { name: 'listAudit', path: `/api/event/audit/${greatEvent}`, token },
    { name: 'listAnnouncements', path: `/api/event/announcement/list/${greatEvent}`, token },
    { name: 'listWebhooks', path: `/api/webhook/list?event_id=${greatEvent}`, token },
    { name: 'listWebhookDeliveries', path: `/api/webhook/delivery/list/${webhook}`, token },
    { name: 'listDeletedPhotos', path: `/api/gallery/deleted/${greatEvent}`, token },
    { name: 'listReports', path: `/api/report/list?event_id=${greatEvent}`, token },
    { name: 'listDevices', path: '/api/account/device/list', token },
    { name: 'listWaiting', path: '/api/event/waiting', token },
    { name: 'listScreens', path: `/api/event/screen/list/${greatEvent}`, token },
    { name: 'listExports', path: '/api/account/export/list', token },
    { name: 'listNotifications', path: '/api/notification/list', token },
  ]
}
