import { QueryClient } from '@tanstack/react-query'
import { expect, test } from 'vitest'
import { openTestApp } from '../../server/test/app.ts'
import { hearAll } from '../../server/test/audience.ts'
import { enter, type Member } from '../../server/test/cast.ts'
import { listen } from '../../server/test/channel.ts'
import { bringIn, evening } from '../../server/test/party.ts'
import { png } from '../../server/test/pictures.ts'
import type { Listed } from '../src/app/cache/pages.ts'
import { type Message, type Window, windowOf } from '../src/chats/history/window.ts'
import { chatKey, chatsKey, windowKey } from '../src/chats/keys.ts'
import { eventKey, eventsKey, guestsKey, requestsKey } from '../src/events/keys.ts'
import { commentsKey, photosKey, repliesKey } from '../src/gallery/keys.ts'
import { applyEvent } from '../src/shell/channel-reducers.ts'

/*
 * The client's data from any moment, updated by its own rules with the events since, equals a fresh load. Notifications
 * are sent only to active apps: they are reloaded when the app becomes active.
 */

const app = await openTestApp()
const picture = new Blob([await png({ width: 24, height: 16 })])
const paged = { page: 1, page_length: 100 }

type EventIds = { event_id: number; group_chat_id: number }

/** Everything that pages show of an event, under their query keys. */
const load = async (member: Member, { event_id, group_chat_id }: EventIds, organizes: boolean) => {
  const client = new QueryClient()
  const { chats, events, gallery } = member.extra
  const listed = (page: unknown) => ({ pages: [page], pageParams: [1] })
  client.setQueryData(chatsKey, listed(await chats.listChats(paged)))
  client.setQueryData(chatKey(group_chat_id), await chats.readChat({ group_chat_id }))
  client.setQueryData(
    windowKey(group_chat_id),
    windowOf((await chats.listMessages({ group_chat_id, ...paged })).data, true),
  )
  client.setQueryData(eventsKey('upcoming'), listed(await events.listEvents({ filter: 'upcoming', ...paged })))
  client.setQueryData(eventKey(event_id), await events.readEvent({ event_id }))
  client.setQueryData(guestsKey(event_id), listed(await events.listGuests({ event_id, ...paged })))
  if (organizes)
    client.setQueryData(requestsKey(event_id), listed(await events.listJoinRequests({ event_id, ...paged })))
  client.setQueryData(photosKey(event_id), listed(await gallery.listPhotos({ event_id, ...paged })))
  const byTime = await gallery.listPhotos({ event_id, sort: 'taken_oldest', taken_by: member.id, ...paged })
  client.setQueryData(photosKey(event_id, { sort: 'taken_oldest', by: member.id }), listed(byTime))
  for (const { id } of byTime.data) {
    const comments = await gallery.listComments({ event_photo_id: id, ...paged })
    client.setQueryData(commentsKey(id), listed(comments))
    for (const comment of comments.data)
      client.setQueryData(
        repliesKey(comment.id),
        listed(await gallery.listReplies({ event_photo_comment_id: comment.id, ...paged })),
      )
  }
  return client
}

/**
 * The data for comparison: seen marks replace the lists of people who have seen, and data that is reloaded anyway does
 * not count.
 */
const shownBy = (client: QueryClient) => {
  const queries = client.getQueryCache().getAll()
  return new Map(
    queries.filter(({ state }) => !state.isInvalidated).map(each => [each.queryHash, plain(each.state.data)]),
  )
}
const plain = (data: unknown): unknown => {
  if (!isListed(data)) return isWindow(data) ? { ...data, messages: data.messages.map(unseen) } : withoutSeens(data)
  return data.pages.flatMap(page => page.data).map(withoutSeens)
}
const isListed = (data: unknown): data is Listed<unknown> => Array.isArray(Object(data).pages)
const isWindow = (data: unknown): data is Window => Array.isArray(Object(data).messages)
const unseen = (message: Message) => ({ ...message, seens: [] })
const withoutSeens = (row: unknown) => {
  const { latest_message } = Object(row) as { latest_message?: object }
  return latest_message ? { ...Object(row), latest_message: { ...latest_message, seens: [] } } : row
}

test('a screen is current after each act’s events', { tags: 'slow' }, async () => {
  const [olivia, gus, ana, remy] = (await Promise.all(
    (['olivia', 'gus', 'ana', 'remy'] as const).map(name => enter(app, name)),
  )) as [Member, Member, Member, Member]
  const place = await olivia.api.events
    .saveEvent(evening())
    .then(({ id, group_chat_id }) => ({ event_id: id, group_chat_id }))
  const { event_id, group_chat_id } = place
  await bringIn(olivia, event_id, gus)
  const seats = await Promise.all(
    [olivia, gus].map(async member => {
      const own = await member.api.events.saveEvent(evening({ event_name: 'Own' }))
      const client = await load(member, place, member === olivia)
      return { member, own: own.group_chat_id, client, listener: await listen(app, member), heard: 0 }
    }),
  )
  const settled = async (act: string) => {
    for (const seat of seats) {
      await hearAll(seat.listener, seat.member, seat.own)
      for (const heard of seat.listener.heard.slice(seat.heard)) applyEvent(seat.client, heard, seat.member.id)
      seat.heard = seat.listener.heard.length
      const now = shownBy(await load(seat.member, place, seat.member === olivia))
      for (const [key, shown] of shownBy(seat.client)) expect([act, key, shown]).toEqual([act, key, now.get(key)])
      // Starts afresh from here, so that reloaded data is compared too.
      seat.client = await load(seat.member, place, seat.member === olivia)
    }
  }
  const say = (who: Member, message_content: string, more = {}) =>
    who.api.chats.saveMessage({ group_chat_id, message_content, ...more })

  const first = await say(olivia, 'Welcome!')
  await settled('say')
  const answer = await say(gus, 'Hello @olivia', { message_reply_id: first.id })
  await settled('answer')
  const shown = await say(gus, 'Look', { attachments: [picture, picture] })
  await settled('show')
  await say(olivia, 'Welcome, everybody!', { message_id: first.id })
  await settled('edit what is answered')
  await olivia.api.chats.reactToMessage({ message_id: answer.id, message_reaction: '🎉' })
  await settled('react')
  await olivia.api.chats.markSeen({ message_id: answer.id })
  await settled('see to the middle')
  await olivia.api.chats.markSeen({ message_id: shown.id })
  await settled('see to the end')
  await olivia.api.chats.pinMessage({ message_id: answer.id })
  await settled('pin')
  await say(gus, 'Hello again', { message_id: answer.id })
  await settled('edit what is pinned')
  await olivia.api.chats.pinMessage({ message_id: first.id })
  await settled('pin another')
  await olivia.api.chats.deleteMessage({ message_id: first.id })
  await settled('delete what is pinned and answered')
  const choices = { poll_choices: ['Red', 'White'], poll_multiple: true }
  const { id: poll } = await gus.api.polls.makePoll({ group_chat_id, message_content: 'Which?', ...choices })
  await settled('ask everybody')
  await olivia.api.polls.vote({ message_id: poll, poll_choice_ids: [1, 2] })
  await settled('vote')
  await gus.api.polls.vote({ message_id: poll, poll_choice_ids: [2] })
  await olivia.api.polls.vote({ message_id: poll, poll_choice_ids: [] })
  await settled('vote and take a vote back')
  await olivia.api.polls.closePoll({ message_id: poll })
  await settled('close a poll')
  const photo = await olivia.api.chats.addToAlbum({ message_attachment_id: shown.attachments[0]?.id ?? 0 })
  await settled('to the album')
  await gus.api.gallery.likePhoto({ event_photo_id: photo.id })
  await settled('like')
  const own = await gus.api.gallery.uploadPhoto({ event_id, image: picture })
  await settled('upload')
  const on = { event_photo_id: Number(own.id) }
  const comment = await olivia.api.gallery.saveComment({ ...on, event_photo_comment: 'Lovely' })
  await settled('comment')
  const reply = { ...on, event_photo_comment_reply_id: comment.id }
  const { id: replyId } = await gus.api.gallery.saveComment({ ...reply, event_photo_comment: 'Thank you' })
  await settled('reply')
  await gus.api.gallery.reactToComment({ event_photo_comment_id: comment.id, comment_reaction: '🎉' })
  await settled('react to a comment')
  await gus.api.gallery.deleteComment({ event_photo_comment_id: replyId })
  await settled('delete a reply')
  await olivia.api.gallery.deleteComment({ event_photo_comment_id: comment.id })
  await settled('delete a comment')
  await olivia.api.gallery.deletePhoto({ event_photo_id: photo.id })
  await settled('take a photo down')
  await olivia.api.gallery.restorePhoto({ event_photo_id: photo.id })
  await settled('put a photo back')
  await ana.api.events.askToJoin({ event_id })
  await remy.api.events.askToJoin({ event_id })
  await settled('ask')
  await olivia.api.events.approveJoinRequest({ event_id, user_id: ana.id })
  await olivia.api.events.rejectJoinRequest({ event_id, user_id: remy.id })
  await settled('let in and turn down')
  await olivia.api.events.makeOrganizer({ event_id, user_id: ana.id })
  await settled('make an organizer')
  await olivia.api.events.unmakeOrganizer({ event_id, user_id: ana.id })
  await settled('make a guest again')
  await ana.api.events.leaveEvent({ event_id })
  await settled('leave')
  await olivia.api.events.saveEvent(evening({ event_id, event_name: 'Midsummer, but later' }))
  await settled('change the event')
  await olivia.api.events.cancelEvent({ event_id })
  await settled('cancel')
})

test('hearing an event twice is hearing it once', async () => {
  const [olivia, gus] = (await Promise.all((['olivia', 'gus'] as const).map(name => enter(app, name)))) as [
    Member,
    Member,
  ]
  const { id: event_id, group_chat_id } = await olivia.api.events.saveEvent(evening())
  const place = { event_id, group_chat_id }
  await bringIn(olivia, event_id, gus)
  const own = await gus.api.events.saveEvent(evening({ event_name: 'Own' }))
  const client = await load(gus, place, false)
  const listener = await listen(app, gus)
  const { id } = await olivia.api.chats.saveMessage({ group_chat_id, message_content: 'Hello' })
  await olivia.api.chats.reactToMessage({ message_id: id, message_reaction: '🎉' })
  await gus.api.chats.markSeen({ message_id: id })
  await hearAll(listener, gus, own.group_chat_id)
  for (const heard of listener.heard) applyEvent(client, heard, gus.id)
  const once = shownBy(client)
  for (const heard of listener.heard) applyEvent(client, heard, gus.id)
  expect(shownBy(client)).toEqual(once)
})

test('a guest who leaves causes no reload, and a removed one reloads everybody’s pictures', async () => {
  const olivia = await enter(app, 'olivia')
  const { id: event_id, group_chat_id } = await olivia.api.events.saveEvent(evening())
  const loadedAgain = async (removed: boolean) => {
    const client = await load(olivia, { event_id, group_chat_id }, true)
    const payload = { event_id, event_guests_count: 1, user_id: olivia.id + 1_000, removed }
    applyEvent(client, { kind: 'guest.left', payload }, olivia.id)
    return client.getQueryCache().findAll({ predicate: ({ state }) => state.isInvalidated }).length
  }
  expect(await loadedAgain(false)).toBe(0)
  expect(await loadedAgain(true)).toBeGreaterThan(0)
})
