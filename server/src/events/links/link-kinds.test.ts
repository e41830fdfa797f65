import { setTimeout as sleep } from 'node:timers/promises'
import { screensPerLinkMax } from '@afterglow/contract/limits'
import { AfterglowError } from '@afterglow/sdk'
import { sql } from 'kysely'
import { afterAll, describe, expect, test, vi } from 'vitest'
import { openTestApp } from '../../../test/app.ts'
import { enter } from '../../../test/cast.ts'
import { listen } from '../../../test/channel.ts'
import { unchanged, wrongEvents } from '../../../test/event-state.ts'
import { quick, quiet } from '../../../test/notified.ts'
import { bringIn, evening } from '../../../test/party.ts'
import { anew, png } from '../../../test/pictures.ts'
import { openRawSocket } from '../../../test/raw-socket.ts'
import { invalid, notFound, refusal, says } from '../../../test/refused.ts'

const app = await openTestApp({}, { timing: quick })
const [olivia, gus, sam] = await Promise.all([enter(app, 'olivia'), enter(app, 'gus'), enter(app, 'sam')])
const picture = new Blob([await png({ width: 24, height: 16, seed: 3 })])
const paged = { page: 1, page_length: 50 }
const notInEvent = says('The user is neither a guest nor an organizer of the event')

afterAll(async () => expect(await wrongEvents(app.db)).toEqual([]))

/** A private event with a guest, a photo, a comment and a message by the guest. */
const hold = async () => {
  const { id: event_id, group_chat_id } = await olivia.api.events.saveEvent(evening({ event_visibility: 3 }))
  await olivia.api.events.invite({ event_id, user_ids: [gus.id] })
  const [invitation] = (await gus.api.events.listInvitations(paged)).data
  await gus.api.events.acceptInvitation({ invitation_id: invitation?.id ?? 0 })
  const event_photo_id = Number((await gus.api.gallery.uploadPhoto({ event_id, image: await anew(picture) })).id)
  await gus.api.gallery.saveComment({ event_photo_id, event_photo_comment: 'What a view' })
  await gus.api.chats.saveMessage({ group_chat_id, message_content: 'See you at the lake' })
  return { event_id, group_chat_id, event_photo_id }
}
const link = (event_id: number, fields: object = {}) => olivia.api.links.makeLink({ event_id, ...fields })
const view = (code: string, fields: object = {}) => app.as().links.viewByLink({ code, ...fields })
/** A viewer by a new link of this kind. */
const looking = async (event_id: number, fields: object) => {
  const made = await link(event_id, fields)
  const { token } = await view(made.link_code)
  return { ...made, token, api: app.as(token), extra: app.withExtra(token) }
}
const adding = async (code: string, user_first_name = 'Fabio') => {
  const { token, user } = await app.as().links.joinByLink({ code, user_first_name })
  return { id: user.id, token, api: app.as(token), extra: app.withExtra(token) }
}
const statusOf = async (request: Promise<unknown>) => {
  try {
    await request
    return 200
  } catch (error) {
    if (error instanceof AfterglowError) return error.status
    throw error
  }
}
const fetched = async (url: string) => (await fetch(url)).status
const within = async (ms: number, is: () => Promise<boolean>) => {
  for (const end = Date.now() + ms; Date.now() < end; await sleep(25)) if (await is()) return true
  return is()
}

describe('a link', () => {
  test('says of which kind it is to its maker and to people who open it', async () => {
    const { event_id } = await hold()
    expect(await link(event_id)).toMatchObject({ link_kind: 'guest', link_shows_chat: false })
    for (const kind of ['guest', 'drop', 'look', 'screen'] as const) {
      const { link_code, ...made } = await link(event_id, { kind, pin: '2468' })
      expect(made).toMatchObject({ link_kind: kind, link_shows_chat: false, link_pin: '2468' })
      expect(await app.as().links.openLink({ code: link_code })).toMatchObject({ link_kind: kind })
    }
    expect(await link(event_id, { kind: 'look', shows_chat: true })).toMatchObject({ link_shows_chat: true })
  })

  test('of an unknown kind, or under another name for the kind, is refused and not made', async () => {
    const { event_id } = await hold()
    await unchanged(app.db, event_id, async () => {
      expect(await refusal(link(event_id, { kind: 'admin' }))).toEqual(invalid('kind', 'The selected kind is invalid.'))
      expect(await statusOf(link(event_id, { link_kind: 'look' }))).toBe(400)
      expect(await statusOf(link(event_id, { scope: 'look' }))).toBe(400)
      expect(await refusal(link(event_id, { kind: 'drop', shows_chat: true }))).toEqual(
        invalid('shows_chat', 'The selected shows chat is invalid.'),
      )
    })
  })

  test('of one kind is not opened as one of another', async () => {
    const { event_id } = await hold()
    const look = await link(event_id, { kind: 'look' })
    expect(await refusal(sam.api.links.joinByLink({ code: look.link_code }))).toEqual(
      says('This link shows the event without anybody joining it'),
    )
    const drop = await link(event_id, { kind: 'drop' })
    expect(await refusal(view(drop.link_code))).toEqual(says('This link is for joining the event'))
  })
})

describe('a viewer of a link', () => {
  test('sees the album and what is said about it, and nothing of the chat unless the link shows it', async () => {
    const { event_id, group_chat_id, event_photo_id } = await hold()
    const { api, extra } = await looking(event_id, { kind: 'look' })
    const event = await extra.events.readEvent({ event_id })
    expect(event).toMatchObject({ event_role: 'none', event_guests_count: 2 })
    expect(event.extra?.may).toMatchObject({ see: true, album: true, browse: true, read_chat: false, read: false })
    expect(Object.values(event.extra?.may ?? {}).filter(Boolean).length).toBe(3)
    const [photo] = (await extra.gallery.listPhotos({ event_id, ...paged })).data
    expect(photo).toMatchObject({ id: String(event_photo_id), extra: { may: { comment: false, delete: false } } })
    expect(await fetched(photo?.event_photo_preview_url ?? '')).toBe(200)
    expect((await api.gallery.listComments({ event_photo_id, ...paged })).data).toHaveLength(1)
    expect((await api.gallery.linkAlbum({ event_id })).download_photos_count).toBe(1)
    expect(await refusal(api.chats.listMessages({ group_chat_id, ...paged }))).toEqual(notInEvent)
    expect(await refusal(api.chats.readChat({ group_chat_id }))).toEqual(notInEvent)
  })

  test('reads the chat if the link shows it, without who has read what', async () => {
    const { event_id, group_chat_id } = await hold()
    await olivia.api.chats.listMessages({ group_chat_id, ...paged }).then(async ({ data }) => {
      await olivia.api.chats.markSeen({ message_id: Number(data[0]?.id) })
    })
    const { api, extra } = await looking(event_id, { kind: 'look', shows_chat: true })
    const { data } = await extra.chats.listMessages({ group_chat_id, ...paged })
    expect(data).toMatchObject([
      { message_content: 'See you at the lake', seens: [], extra: { may: { react: false } } },
    ])
    const chat = await extra.chats.readChat({ group_chat_id })
    expect(chat).toMatchObject({ extra: { unread_count: 0, may: { send: false } }, latest_message: { seens: [] } })
    expect(await refusal(api.chats.searchMessages({ group_chat_id, text: 'lake', ...paged }))).toEqual(notInEvent)
  })

  test('is no person: in no list, count, search or message', async () => {
    const { event_id } = await hold()
    const before = await olivia.extra.events.readEvent({ event_id })
    const { id: viewerId } = (
      await sql<{ id: number }>`select max(id)::float8 as id from users where status = 6`.execute(app.db)
    ).rows[0] ?? { id: 0 }
    await looking(event_id, { kind: 'look', shows_chat: true })
    await quiet(app)
    expect(await olivia.extra.events.readEvent({ event_id })).toEqual(before)
    expect((await olivia.api.events.listGuests({ event_id, ...paged })).data).toHaveLength(2)
    expect((await olivia.api.people.searchUsers({ name: 'link', ...paged })).data).toEqual([])
    expect(await statusOf(olivia.api.people.readUser({ user_id: viewerId }))).toBe(404)
    expect(await statusOf(olivia.api.events.invite({ event_id, user_ids: [viewerId] }))).toBe(400)
  })

  test('is told what it sees and nothing else, on the channel and when it catches up', async () => {
    const { event_id, group_chat_id, event_photo_id } = await hold()
    const [plain, chatty] = [
      await looking(event_id, { kind: 'look' }),
      await looking(event_id, { kind: 'look', shows_chat: true }),
    ]
    const { cursor } = await plain.api.notifications.syncRealtime({})
    const heard = await Promise.all([plain, chatty].map(one => listen(app, one)))
    await bringIn(olivia, event_id, sam).catch(() => {})
    await gus.api.gallery.uploadPhoto({ event_id, image: await anew(picture) })
    await gus.api.gallery.likePhoto({ event_photo_id })
    await olivia.api.gallery.saveComment({ event_photo_id, event_photo_comment: 'Indeed' })
    await gus.api.chats.saveMessage({ group_chat_id, message_content: 'Hello' })
    const { link_code } = await link(event_id)
    await adding(link_code, 'Anna')
    await quiet(app)
    await sleep(300)
    const kinds = heard.map(one => [...new Set(one.kinds())].sort())
    const ofAlbum = ['comment.created', 'photo.created', 'photo.liked', 'photo.updated']
    expect(kinds).toEqual([ofAlbum, [...ofAlbum, 'message.created'].sort()])
    const { changes } = await plain.api.notifications.syncRealtime({ cursor })
    expect([...new Set(changes.map(({ kind }) => kind))].sort()).toEqual(ofAlbum)
    for (const { close } of heard) close()
  })

  test('is out within a second of the link’s closing: tokens, pictures, albums and sockets', async () => {
    const { event_id } = await hold()
    for (const kind of ['look', 'screen'] as const) {
      const { id, token, api, extra } = await looking(event_id, { kind })
      const [photo] = (await extra.gallery.listPhotos({ event_id, ...paged })).data
      const zip = kind === 'look' ? (await api.gallery.linkAlbum({ event_id })).download_url : undefined
      const socket = await openRawSocket(app.url, { token })
      expect(await fetched(photo?.event_photo_url ?? '')).toBe(200)
      await olivia.api.links.revokeLink({ link_id: id })
      expect(await statusOf(api.gallery.listPhotos({ event_id, ...paged }))).toBe(401)
      expect(await fetched(photo?.event_photo_url ?? '')).toBe(404)
      if (zip) expect(await fetched(zip)).toBe(404)
      expect(await socket.closes(1000)).toBe(true)
    }
  })

  test('takes the album home however often somebody elsewhere does by the same link', async () => {
    const strict = await openTestApp({ rateFactor: 1 }, { env: { TRUSTED_PROXIES: '127.0.0.1' } })
    const { api } = await enter(strict, 'olivia')
    const { id: event_id } = await api.events.saveEvent(evening())
    await api.gallery.uploadPhoto({ event_id, image: await anew(picture) })
    const { link_code: code } = await api.links.makeLink({ event_id, kind: 'look' })
    const { token } = await strict.as().links.viewByLink({ code })
    const { download_url } = await strict.as(token).gallery.linkAlbum({ event_id })
    const from = async (network: string) =>
      (await fetch(download_url, { method: 'HEAD', headers: { 'x-forwarded-for': network } })).status
    for (let times = 0; times < 30; times++) expect(await from('203.0.113.7')).toBe(200)
    expect([await from('203.0.113.7'), await from('203.0.113.8')]).toEqual([429, 200])
  })

  test('ends no session but their own, although nobody has one to themselves', async () => {
    const { event_id } = await hold()
    const { link_code } = await link(event_id, { kind: 'screen' })
    const [wall, other] = await Promise.all([view(link_code), view(link_code)])
    const list = ({ token }: { token: string }) => statusOf(app.as(token).gallery.listPhotos({ event_id, ...paged }))
    await app.as(other.token).accounts.logout({ all_devices: true })
    expect([await list(wall), await list(other)]).toEqual([200, 401])
  })

  test('gets its place again on the same device, also when the link is used up', async () => {
    const { event_id } = await hold()
    const { link_code } = await link(event_id, { kind: 'look', max_uses: 1 })
    const first = await view(link_code, { device_id: 'tablet' })
    const again = await view(link_code, { device_id: 'tablet' })
    expect(again.token).not.toBe(first.token)
    expect(await refusal(view(link_code, { device_id: 'another' }))).toEqual(says('The link has been used up'))
    expect((await olivia.api.links.listLinks({ event_id, ...paged })).data[0]).toMatchObject({ link_uses: 1 })
  })

  test('is out when the link expires, and needs its PIN to come in', async () => {
    const { event_id } = await hold()
    const expires_at = new Date(Date.now() + 1500).toISOString()
    const { link_code } = await link(event_id, { kind: 'look', pin: '2468', expires_at })
    expect(await refusal(view(link_code, { pin: '1357' }))).toEqual(says('The PIN is wrong'))
    const { token, token_expiration } = await view(link_code, { pin: '2468' })
    expect(token_expiration).toBe(expires_at)
    const list = () => statusOf(app.as(token).gallery.listPhotos({ event_id, ...paged }))
    expect(await list()).toBe(200)
    expect(await within(3000, async () => (await list()) === 401)).toBe(true)
  })
})

test('a link for looking that shows nothing any more says why', async () => {
  const { event_id } = await hold()
  const { id, link_code } = await link(event_id, { kind: 'look', pin: '2468' })
  const shown = (pin = '2468') => refusal(view(link_code, { pin }))
  expect(await refusal(view('x'.repeat(22)))).toEqual(notFound('Link not found!'))
  await sql`update event_links set wrong_pins = 50, wrong_pin_at = now() where id = ${id}`.execute(app.db)
  expect(await shown()).toEqual(says('The link is locked after too many wrong PINs'))
  await sql`update event_links set wrong_pins = 0, expires_at = now() where id = ${id}`.execute(app.db)
  expect(await shown()).toEqual(says('The link has expired'))
  await sql`update event_links set expires_at = null where id = ${id}`.execute(app.db)
  await olivia.api.events.cancelEvent({ event_id })
  expect(await shown()).toEqual(says('The event has been cancelled'))
  await olivia.api.links.revokeLink({ link_id: id })
  expect(await shown()).toEqual(notFound('Link not found!'))
})

describe('a screen', () => {
  test('shows the photos, without comments or the album as a file', async () => {
    const { event_id, event_photo_id } = await hold()
    const { api } = await looking(event_id, { kind: 'screen' })
    expect((await api.gallery.listPhotos({ event_id, ...paged })).data).toHaveLength(1)
    expect(await statusOf(api.gallery.listComments({ event_photo_id, ...paged }))).toBe(400)
    expect(await refusal(api.gallery.linkAlbum({ event_id }))).toEqual(notInEvent)
  })

  test('gets a photo that waits before the wall when it is approved, and nothing of it before or if it never is', async () => {
    const { event_id, event_photo_id } = await hold()
    await olivia.api.events.saveEvent(evening({ event_id, event_visibility: 3, event_photo_approval: 'wall' }))
    const screen = await looking(event_id, { kind: 'screen' })
    const look = await looking(event_id, { kind: 'look' })
    const { cursor } = await screen.api.notifications.syncRealtime({})
    const heard = await listen(app, screen)
    const add = async () => Number((await gus.api.gallery.uploadPhoto({ event_id, image: await anew(picture) })).id)
    const [refused, deleted, approved] = [await add(), await add(), await add()]
    const lists = async ({ api }: typeof screen) =>
      Promise.all([
        ...(['newest', 'oldest', 'taken_newest', 'taken_oldest', 'most_liked'] as const).map(async sort =>
          (await api.gallery.listPhotos({ event_id, sort, ...paged })).data.map(({ id }) => Number(id)),
        ),
        api.gallery
          .listPhotos({ event_id, waiting: true, ...paged })
          .then(({ data }) => data.map(({ id }) => Number(id))),
        api.gallery.listPhotos({ event_id, page: 2, page_length: 1 }).then(({ data }) => data.length),
        api.gallery.readTimeline({ event_id }).then(timeline => timeline.timeline_photos_count),
      ])
    const one = [event_photo_id]
    expect(await lists(screen)).toEqual([one, one, one, one, one, [], 0, 1])
    expect((await lists(look)).at(-1)).toBe(4)
    for (const id of [refused, deleted, approved])
      expect(await refusal(screen.api.gallery.readPhoto({ event_photo_id: id }))).toEqual(
        notFound('Event Photo not found!'),
      )
    await gus.api.gallery.captionPhoto({ event_photo_id: approved, event_photo_caption: 'The cake' })
    await olivia.api.gallery.likePhoto({ event_photo_id: refused })
    await gus.api.gallery.deletePhoto({ event_photo_id: deleted })
    await olivia.api.gallery.refusePhotos({ event_id, event_photo_ids: [refused] })
    await quiet(app)
    await sleep(200)
    expect(heard.kinds()).toEqual([])
    await olivia.api.gallery.approvePhotos({ event_id, event_photo_ids: [approved] })
    await vi.waitFor(() => expect(heard.kinds()).toEqual(['photo.created', 'photo.updated']))
    expect((await lists(screen)).slice(0, 1)).toEqual([[approved, event_photo_id]])
    const { changes } = await screen.api.notifications.syncRealtime({ cursor })
    const ids = changes.map(({ payload }) => Number((payload as { id: string }).id))
    expect(new Set(ids)).toEqual(new Set([approved]))
    heard.close()
  })

  test('is one of so many on its link, however many open it at once', async () => {
    const { event_id } = await hold()
    const { link_code } = await link(event_id, { kind: 'screen' })
    const all = await Promise.all(Array.from({ length: screensPerLinkMax + 5 }, () => statusOf(view(link_code))))
    expect(all.filter(status => status === 200)).toHaveLength(screensPerLinkMax)
    expect(await refusal(view(link_code))).toEqual(says('This link is open on as many devices as it can be'))
  })
})

describe('a person who only adds photos', () => {
  const refusedTo = async (api: ReturnType<typeof app.as>, event: Awaited<ReturnType<typeof hold>>) => ({
    list: await refusal(api.gallery.listPhotos({ event_id: event.event_id, ...paged })),
    chat: await refusal(api.chats.listMessages({ group_chat_id: event.group_chat_id, ...paged })),
    search: await refusal(api.chats.searchMessages({ group_chat_id: event.group_chat_id, text: 'lake', ...paged })),
    guests: await refusal(api.events.listGuests({ event_id: event.event_id, ...paged })),
  })

  test('adds, describes, lists and deletes their own, and sees no other', async () => {
    const event = await hold()
    const { event_id, event_photo_id } = event
    const { link_code } = await link(event_id, { kind: 'drop' })
    const fabio = await adding(link_code)
    const own = await fabio.api.gallery.uploadPhoto({ event_id, image: await anew(picture) })
    expect((await fabio.api.gallery.listPhotos({ event_id, taken_by: fabio.id, ...paged })).data).toMatchObject([own])
    expect(await fetched(own.event_photo_preview_url)).toBe(200)
    const { extra } = await fabio.extra.events.readEvent({ event_id })
    expect(extra?.may).toMatchObject({ see: true, upload: true, leave: true, album: false, read: false, chat: false })
    expect(await refusedTo(fabio.api, event)).toEqual({
      list: notInEvent,
      chat: notInEvent,
      search: notInEvent,
      guests: notInEvent,
    })
    expect(await statusOf(fabio.api.gallery.readPhoto({ event_photo_id }))).toBe(404)
    expect((await fabio.api.gallery.listPhotos({ event_id, taken_by: fabio.id, ...paged })).data).toHaveLength(1)
    expect(await refusal(fabio.api.gallery.listPhotos({ event_id, taken_by: gus.id, ...paged }))).toEqual(notInEvent)
    expect(await statusOf(fabio.api.people.searchUsers({ name: 'Olivia', ...paged }))).toBe(400)
    expect(await statusOf(fabio.api.events.saveEvent(evening()))).toBe(400)
    const guests = (await olivia.api.events.listGuests({ event_id, ...paged })).data
    expect(guests.map(({ user }) => user.id)).toEqual([olivia.id, gus.id])
    expect((await olivia.api.events.readEvent({ event_id })).event_guests_count).toBe(2)
    await fabio.api.gallery.captionPhoto({ event_photo_id: Number(own.id), event_photo_caption: 'Mine' })
    await fabio.api.gallery.deletePhoto({ event_photo_id: Number(own.id) })
    expect((await fabio.api.gallery.listPhotos({ event_id, taken_by: fabio.id, ...paged })).data).toEqual([])
  })

  test('hears what is said about their own photo, and not that others have the same picture, or of anybody who comes', async () => {
    const { event_id, event_photo_id } = await hold()
    const { link_code } = await link(event_id, { kind: 'drop' })
    const fabio = await adding(link_code)
    const bytes = await anew(picture)
    const ofGus = await gus.api.gallery.uploadPhoto({ event_id, image: bytes })
    const own = await fabio.extra.gallery.uploadPhoto({ event_id, image: bytes })
    expect(own.id).not.toBe(ofGus.id)
    expect(own.extra).toMatchObject({ upload: { was_there: false }, same_as: null })
    const { cursor } = await fabio.api.notifications.syncRealtime({})
    const heard = await listen(app, fabio)
    await gus.api.gallery.saveComment({ event_photo_id: Number(ofGus.id), event_photo_comment: 'A secret' })
    await gus.api.gallery.saveComment({ event_photo_id: Number(own.id), event_photo_comment: 'Nice' })
    await gus.api.gallery.likePhoto({ event_photo_id: Number(own.id) })
    await gus.api.gallery.likePhoto({ event_photo_id })
    await quiet(app)
    await sleep(300)
    const rung = (await fabio.api.notifications.listNotifications(paged)).data
    expect(rung.map(({ notification_kind }) => notification_kind)).toEqual(['photo_comment'])
    const kinds = () => heard.kinds().filter(kind => !kind.startsWith('notification.'))
    expect(JSON.stringify([heard.heard, await fabio.api.notifications.syncRealtime({ cursor })])).not.toContain(
      'secret',
    )
    // Likes and comments on their own photo, and its deletion.
    await vi.waitFor(() => expect(kinds()).toEqual(['comment.created', 'photo.updated', 'photo.liked']))
    await olivia.api.gallery.deletePhoto({ event_photo_id: Number(ofGus.id) })
    await olivia.api.gallery.deletePhoto({ event_photo_id: Number(own.id) })
    await vi.waitFor(() => expect(heard.kinds()).toContain('photo.deleted'))
    expect(kinds()).toEqual(['comment.created', 'photo.updated', 'photo.liked', 'photo.deleted'])
    const { changes } = await fabio.api.notifications.syncRealtime({ cursor })
    const missed = changes.filter(({ kind }) => !kind.startsWith('notification.'))
    expect(missed).toMatchObject([{ kind: 'photo.deleted', payload: { id: own.id } }])
    for (const { kind, payload } of heard.heard.filter(each => !each.kind.startsWith('notification.')))
      expect(payload).toMatchObject(
        kind.startsWith('photo.') ? { id: own.id } : { extra: { event_photo_id: Number(own.id) } },
      )
    heard.close()
  })

  test('becomes a guest by a link for guests, and then sees everything', async () => {
    const { event_id, group_chat_id } = await hold()
    const { link_code } = await link(event_id, { kind: 'drop' })
    const fabio = await adding(link_code)
    const guests = await link(event_id)
    await fabio.api.links.joinByLink({ code: guests.link_code })
    expect((await olivia.api.events.readEvent({ event_id })).event_guests_count).toBe(3)
    expect((await fabio.api.chats.listMessages({ group_chat_id, ...paged })).data.length).toBeGreaterThan(0)
    expect(await statusOf(fabio.api.people.searchUsers({ name: 'Olivia', ...paged }))).toBe(200)
    await fabio.api.links.joinByLink({ code: link_code })
    expect((await fabio.api.events.readEvent({ event_id })).event_role).toBe('guest')
  })

  test('with an account stays who they are elsewhere, and sees no more here', async () => {
    const event = await hold()
    const { link_code, id } = await link(event.event_id, { kind: 'drop' })
    await sam.api.links.joinByLink({ code: link_code })
    expect((await refusedTo(sam.api, event)).list).toEqual(notInEvent)
    await sam.api.gallery.uploadPhoto({ event_id: event.event_id, image: await anew(picture) })
    await olivia.api.links.revokeLink({ link_id: id })
    expect(await statusOf(sam.api.accounts.readAccount())).toBe(200)
    expect(await statusOf(sam.api.gallery.uploadPhoto({ event_id: event.event_id, image: picture }))).toBe(400)
  })

  test('is out when the link is closed or they are removed; what they added stays', async () => {
    const { event_id } = await hold()
    const { link_code, id } = await link(event_id, { kind: 'drop' })
    const [fabio, rita] = [await adding(link_code), await adding(link_code, 'Rita')]
    const own = await fabio.api.gallery.uploadPhoto({ event_id, image: await anew(picture) })
    await olivia.api.events.removeGuest({ event_id, user_id: rita.id })
    expect(await statusOf(rita.api.gallery.uploadPhoto({ event_id, image: picture }))).toBe(400)
    await olivia.api.links.revokeLink({ link_id: id })
    expect(await statusOf(fabio.api.accounts.readAccount())).toBe(401)
    expect(await fetched(own.event_photo_url)).toBe(404)
    expect((await olivia.api.gallery.listPhotos({ event_id, ...paged })).data.map(photo => photo.id)).toContain(own.id)
    expect((await olivia.api.events.readEvent({ event_id })).event_guests_count).toBe(2)
  })

  test('stays signed in when the link is closed if they are in another event by now, as guest or to add photos', async () => {
    const [first, other] = [await hold(), await hold()]
    const { link_code, id } = await link(first.event_id, { kind: 'drop' })
    const [fabio, rita] = [await adding(link_code), await adding(link_code, 'Rita')]
    await fabio.api.links.joinByLink({ code: (await link(other.event_id)).link_code })
    await rita.api.links.joinByLink({ code: (await link(other.event_id, { kind: 'drop' })).link_code })
    await olivia.api.links.revokeLink({ link_id: id })
    for (const { api } of [fabio, rita]) {
      expect(await statusOf(api.gallery.uploadPhoto({ event_id: other.event_id, image: await anew(picture) }))).toBe(
        200,
      )
      expect(await statusOf(api.gallery.uploadPhoto({ event_id: first.event_id, image: picture }))).toBe(400)
    }
  })

  test('becomes a guest by asking only where everybody does, and asks the organizers once', async () => {
    for (const event_visibility of [2, 3]) {
      const { id: event_id, group_chat_id } = await olivia.api.events.saveEvent(
        evening({ event_visibility, event_join_mode: 1 }),
      )
      const { link_code } = await link(event_id, { kind: 'drop' })
      const fabio = await adding(link_code)
      await sam.api.links.joinByLink({ code: link_code })
      for (const { api } of [fabio, sam]) {
        for (let times = 0; times < 2; times++)
          expect(await api.events.askToJoin({ event_id })).toEqual({ join_request_status: 'pending' })
        expect(await statusOf(api.chats.listMessages({ group_chat_id, ...paged }))).toBe(400)
      }
      const { rows: asked } = await sql`
        select from changes where event_id = ${event_id} and kind = 'join.requested'`.execute(app.db)
      expect(asked).toHaveLength(2)
      await olivia.api.events.approveJoinRequest({ event_id, user_id: sam.id })
      expect(await sam.api.events.readEvent({ event_id })).toMatchObject({ event_role: 'guest' })
    }
    const { id: event_id } = await olivia.api.events.saveEvent(evening({ event_visibility: 1, event_join_mode: 1 }))
    const fabio = await adding((await link(event_id, { kind: 'drop' })).link_code)
    expect(await fabio.api.events.askToJoin({ event_id })).toEqual({ join_request_status: 'joined' })
  })

  test('opens their link again as often as they like, and uses it up once', async () => {
    const { event_id } = await hold()
    const { link_code } = await link(event_id, { kind: 'drop', max_uses: 2 })
    const fabio = await adding(link_code)
    for (let times = 0; times < 3; times++) await fabio.api.links.joinByLink({ code: link_code })
    expect((await olivia.api.links.listLinks({ event_id, ...paged })).data[0]).toMatchObject({ link_uses: 1 })
    await adding(link_code, 'Rita')
  })

  test('has a photo that waits to be approved where the event says so', async () => {
    const { event_id } = await hold()
    await olivia.api.events.saveEvent(evening({ event_id, event_photo_approval: 'album' }))
    const { link_code } = await link(event_id, { kind: 'drop' })
    const fabio = await adding(link_code)
    const own = await fabio.extra.gallery.uploadPhoto({ event_id, image: await anew(picture) })
    expect(own.extra).toMatchObject({ waiting: true })
    const { api } = await looking(event_id, { kind: 'look' })
    expect((await api.gallery.listPhotos({ event_id, ...paged })).data.map(photo => photo.id)).not.toContain(own.id)
  })
})
