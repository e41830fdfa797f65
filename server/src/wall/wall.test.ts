import { expect, test, vi } from 'vitest'
import { openTestApp } from '../../test/app.ts'
import { enter, type Member } from '../../test/cast.ts'
import { listen } from '../../test/channel.ts'
import { quick, quiet } from '../../test/notified.ts'
import { bringIn, evening } from '../../test/party.ts'
import { anew, png } from '../../test/pictures.ts'
import { exported } from '../../test/read-export.ts'
import { invalid, notFound, refusal, says } from '../../test/refused.ts'
import { wallRecounts } from './store.ts'

const app = await openTestApp({}, { timing: quick })
const [olivia, gus] = await Promise.all([enter(app, 'olivia'), enter(app, 'gus')])
const picture = new Blob([await png({ width: 24, height: 16, seed: 9 })])
const notOrganizer = says('The user is not an organizer of the event')
const notForWall = says('The photo is hidden or waits to be approved')

const add = async (by: Member, event_id: number) =>
  Number((await by.api.gallery.uploadPhoto({ event_id, image: await anew(picture) })).id)
const hold = async (fields: Record<string, unknown> = {}) => {
  const { id: event_id } = await olivia.api.events.saveEvent(evening(fields))
  await bringIn(olivia, event_id, gus)
  return { event_id, photo: await add(olivia, event_id) }
}
const looking = async (event_id: number, kind: 'look' | 'screen', shows_chat = false) => {
  const { link_code: code } = await olivia.api.links.makeLink({ event_id, kind, shows_chat })
  const { token } = await app.as().links.viewByLink({ code })
  return { token, api: app.as(token) }
}
const read = (event_id: number, { api }: Pick<Member, 'api'> = olivia) => api.wall.readWall({ event_id })

test('a wall is one state, which everyone with the album reads and organizers alone change', async () => {
  const { event_id, photo } = await hold()
  const [screen, look] = [await looking(event_id, 'screen'), await looking(event_id, 'look')]
  const untouched = {
    event_id,
    wall_layout: 'pairs',
    wall_seconds: 7,
    wall_photos: 'all',
    wall_messages: false,
    wall_paused: false,
    wall_turn: 0,
    shown_photo_id: null,
    chosen_photo_ids: [],
    hidden_photo_ids: [],
    on_wall_photo_ids: [],
    on_wall_at: null,
    wall_link: null,
  }
  expect(await read(event_id)).toEqual(untouched)
  const wish = { event_id, wall_layout: 'mosaic', wall_seconds: 12, wall_photos: 'liked', wall_paused: true } as const
  const changed = { ...untouched, ...wish, wall_messages: true, wall_turn: 1, shown_photo_id: photo }
  expect(await refusal(gus.api.wall.saveWall(wish))).toEqual(notOrganizer)
  expect(await refusal(screen.api.wall.saveWall(wish))).toEqual(notOrganizer)
  await olivia.api.wall.saveWall({ ...wish, wall_messages: true })
  expect(await olivia.api.wall.saveWall({ event_id, shown_photo_id: photo })).toEqual(changed)
  for (const one of [olivia, gus, screen, look]) expect(await read(event_id, one)).toEqual(changed)
  expect((await olivia.extra.events.readEvent({ event_id })).extra?.greetings_on_wall).toBe(true)
  const next = await olivia.api.wall.saveWall({ event_id, wall_turn: 2, wall_paused: false })
  expect(next).toMatchObject({ wall_turn: 2, shown_photo_id: null, wall_paused: false, wall_layout: 'mosaic' })
})

test('a wall refuses an unknown layout, speed, turn or photo, and stays unchanged', async () => {
  const { event_id, photo } = await hold({ event_photo_approval: 'wall' })
  const other = await hold()
  const waiting = await add(gus, event_id)
  await olivia.api.gallery.hidePhoto({ event_photo_id: photo })
  const heard = await listen(app, olivia)
  const before = await read(event_id)
  const tried = async (fields: object) => refusal(olivia.api.wall.saveWall({ event_id, ...fields }))
  expect(await tried({ wall_layout: 'spiral' })).toEqual(invalid('wall_layout', 'The selected wall layout is invalid.'))
  expect(await tried({ wall_photos: 'best' })).toEqual(invalid('wall_photos', 'The selected wall photos is invalid.'))
  expect(await tried({ wall_seconds: 0 })).toEqual(
    invalid('wall_seconds', 'The wall seconds field must be at least 3.'),
  )
  expect(await tried({ wall_seconds: 121 })).toEqual(
    invalid('wall_seconds', 'The wall seconds field must not be greater than 120.'),
  )
  expect(await tried({ wall_turn: 2 })).toEqual(invalid('wall_turn', 'The wall turn field must not be greater than 1.'))
  for (const shown_photo_id of [other.photo, 999_999_999])
    expect(await tried({ shown_photo_id })).toEqual(notFound('Photo not found!'))
  for (const shown_photo_id of [photo, waiting]) expect(await tried({ shown_photo_id })).toEqual(notForWall)
  const chosen = { event_photo_id: photo, wall_mark: 'chosen' } as const
  expect(await refusal(olivia.api.wall.markForWall(chosen))).toEqual(notForWall)
  expect(await refusal(gus.api.wall.markForWall({ event_photo_id: waiting, wall_mark: 'hidden' }))).toEqual(
    notOrganizer,
  )
  const nowhere = { event_id: 999_999_999 }
  for (const asked of [
    () => read(nowhere.event_id),
    () => olivia.api.wall.saveWall(nowhere),
    () => olivia.api.wall.sayShown({ ...nowhere, event_photo_ids: [] }),
  ])
    expect(await refusal(asked())).toEqual(notFound('Event not found!'))
  const unknown = { event_photo_id: 999_999_999, wall_mark: 'hidden' } as const
  expect(await refusal(olivia.api.wall.markForWall(unknown))).toEqual(notFound('Photo not found!'))
  expect(await read(event_id)).toEqual(before)
  await quiet(app)
  expect(heard.kinds()).not.toContain('wall.updated')
  await olivia.api.gallery.approvePhotos({ event_id, event_photo_ids: [waiting] })
  expect(await olivia.api.wall.saveWall({ event_id, shown_photo_id: waiting })).toMatchObject({ wall_turn: 1 })
})

test('two simultaneous turns of the wall are one', async () => {
  const { event_id } = await hold()
  const turns = await Promise.all([1, 1, 1].map(wall_turn => olivia.api.wall.saveWall({ event_id, wall_turn })))
  expect(turns.map(({ wall_turn }) => wall_turn)).toEqual([1, 1, 1])
})

test('screens and organizers hear each change of the wall once; guests and viewers do not', async () => {
  const { event_id, photo } = await hold()
  const all = [olivia, await looking(event_id, 'screen'), gus, await looking(event_id, 'look')]
  const heard = await Promise.all(all.map(one => listen(app, one)))
  const cursors = await Promise.all(all.map(async ({ api }) => (await api.notifications.syncRealtime({})).cursor))
  for (let times = 0; times < 2; times++) await olivia.api.wall.saveWall({ event_id, wall_layout: 'one' })
  for (let times = 0; times < 2; times++)
    await olivia.api.wall.markForWall({ event_photo_id: photo, wall_mark: 'hidden' })
  const told = () => heard.map(one => one.kinds().filter(kind => kind.startsWith('wall')).length)
  await vi.waitFor(() => expect(told().slice(0, 2)).toEqual([2, 2]))
  await quiet(app)
  expect(told()).toEqual([2, 2, 0, 0])
  for (const [at, { api }] of all.entries()) {
    const { changes } = await api.notifications.syncRealtime({ cursor: cursors[at] })
    expect(changes.filter(({ kind }) => kind === 'wall.updated').length).toBe(told()[at])
  }
  for (const one of heard) one.close()
})

test('a photo hidden from the wall stays in the album, and returns when it is chosen or shown', async () => {
  const { event_id, photo } = await hold()
  const mark = (wall_mark: 'chosen' | 'hidden' | 'none') =>
    olivia.api.wall.markForWall({ event_photo_id: photo, wall_mark })
  expect(await mark('hidden')).toMatchObject({ hidden_photo_ids: [photo], chosen_photo_ids: [] })
  expect((await gus.extra.gallery.readPhoto({ event_photo_id: photo })).extra?.hidden).toBe(false)
  expect(await mark('chosen')).toMatchObject({ hidden_photo_ids: [], chosen_photo_ids: [photo] })
  await mark('hidden')
  const shown = await olivia.api.wall.saveWall({ event_id, shown_photo_id: photo })
  expect(shown).toMatchObject({ hidden_photo_ids: [], shown_photo_id: photo })
  await mark('chosen')
  await olivia.api.gallery.hidePhoto({ event_photo_id: photo })
  expect(await read(event_id)).toMatchObject({ chosen_photo_ids: [], shown_photo_id: null })
  await olivia.api.gallery.unhidePhoto({ event_photo_id: photo })
  expect(await mark('none')).toMatchObject({ chosen_photo_ids: [], shown_photo_id: photo })
})

test('a photo hidden from the wall is named to no screen any more, even while the wall is paused', async () => {
  const { event_id, photo } = await hold()
  const screen = await looking(event_id, 'screen')
  await olivia.api.wall.saveWall({ event_id, shown_photo_id: photo, wall_paused: true })
  await screen.api.wall.sayShown({ event_id, event_photo_ids: [photo] })
  const named = { shown_photo_id: photo, on_wall_photo_ids: [photo] }
  expect(await read(event_id, screen)).toMatchObject(named)
  await olivia.api.wall.markForWall({ event_photo_id: photo, wall_mark: 'hidden' })
  expect(await read(event_id, screen)).toMatchObject({ shown_photo_id: null, on_wall_photo_ids: [] })
  await olivia.api.wall.markForWall({ event_photo_id: photo, wall_mark: 'none' })
  expect(await read(event_id, screen)).toMatchObject(named)
})

test('a screen reports its photos: of its event and allowed on screens, and nobody else may', async () => {
  const { event_id, photo } = await hold({ event_photo_approval: 'wall' })
  const other = await hold()
  const [screen, look] = [await looking(event_id, 'screen'), await looking(event_id, 'look')]
  const waiting = await add(gus, event_id)
  const said = { event_id, event_photo_ids: [other.photo, photo, waiting] }
  const wall = await screen.api.wall.sayShown(said)
  expect(wall).toMatchObject({ on_wall_photo_ids: [photo], wall_layout: 'pairs', wall_turn: 0 })
  expect(Date.now() - Date.parse(wall.on_wall_at ?? '')).toBeLessThan(10_000)
  for (const one of [gus, look]) expect(await refusal(one.api.wall.sayShown(said))).toEqual(notOrganizer)
  await olivia.api.gallery.hidePhoto({ event_photo_id: photo })
  expect((await read(event_id)).on_wall_photo_ids).toEqual([])
  await olivia.api.gallery.unhidePhoto({ event_photo_id: photo })
  const nothing = { event_id, event_photo_ids: [] }
  expect(await olivia.api.wall.sayShown(nothing)).toMatchObject({ on_wall_photo_ids: [] })
})

test('a wall shows the newest open link for guests, never one for photos alone, to screens and organizers, as long as it is open', async () => {
  const { event_id } = await hold()
  const screen = await looking(event_id, 'screen')
  const link = (fields: object) => olivia.extra.links.makeLink({ event_id, ...fields })
  const shown = async () => (await read(event_id, screen)).wall_link
  await link({ max_uses: 1 })
  expect(await shown()).toBeNull()
  const withPin = await link({ pin: '0427' })
  const { link_url, link_qr_svg_url, extra } = withPin
  expect(await shown()).toEqual({ link_url, link_qr_svg_url, link_pin: '0427', ...extra })
  expect(extra?.short_code).toMatch(/^[A-Z]+-\d{4}$/)
  const open = await link({})
  await link({ kind: 'drop' })
  await link({ kind: 'look' })
  await link({ kind: 'drop', photographer: true })
  expect(await shown()).toMatchObject({ link_url: open.link_url, link_pin: null })
  expect((await read(event_id)).wall_link).toEqual(await shown())
  expect((await read(event_id, gus)).wall_link).toBeNull()
  await olivia.api.links.revokeLink({ link_id: open.id })
  expect(await shown()).toMatchObject({ link_pin: '0427' })
  await olivia.api.events.cancelEvent({ event_id })
  expect(await shown()).toBeNull()
})

test('a wall is in the export of its event’s host, and is copied when the event is repeated', async () => {
  const { event_id, photo } = await hold()
  await olivia.api.wall.saveWall({ event_id, wall_layout: 'mosaic', wall_seconds: 20, wall_photos: 'chosen' })
  await olivia.api.wall.markForWall({ event_photo_id: photo, wall_mark: 'chosen' })
  const walls = (await exported(olivia)).rowsOf('walls').filter(row => row.event_id === event_id)
  expect(walls).toMatchObject([{ layout: 'mosaic', seconds: 20, photos: 'chosen', chosen: [photo], hidden: [] }])
  const event_starts_at = new Date(Date.now() + 9 * 86_400_000).toISOString()
  const { id: again } = await olivia.api.events.copyEvent({ event_id, event_starts_at })
  expect(await read(again)).toMatchObject({ wall_layout: 'mosaic', wall_seconds: 20, wall_photos: 'all', wall_turn: 0 })
  for (const recount of Object.values(wallRecounts)) expect((await recount.execute(app.db)).rows).toEqual([])
})

test.each(['wall', 'album', 'none'] as const)(
  'a screen that shows the chat gets no pictures while photos wait before the %s, and otherwise as everybody',
  async event_photo_approval => {
    const { id: event_id, group_chat_id } = await olivia.api.events.saveEvent(evening({ event_photo_approval }))
    await bringIn(olivia, event_id, gus)
    const [screen, look] = [await looking(event_id, 'screen', true), await looking(event_id, 'look', true)]
    const cursor = (await screen.api.notifications.syncRealtime({})).cursor
    const heard = [await listen(app, screen), await listen(app, look)]
    const chat = { group_chat_id, message_content: 'Look' }
    const { id, attachments } = await gus.api.chats.saveMessage({ ...chat, attachments: [await anew(picture)] })
    const [, media] = /(\/media\/\d+\/)/.exec(attachments[0]?.message_attachment_url ?? '') ?? []
    await gus.api.chats.saveMessage({ message_id: id, ...chat, message_content: 'Look here' })
    await olivia.api.chats.reactToMessage({ message_id: Number(id), message_reaction: '🎉' })
    await vi.waitFor(() =>
      expect(heard.map(one => one.kinds().filter(kind => kind === 'message.reacted'))).toHaveLength(2),
    )
    await quiet(app)
    const told = async ({ api }: Pick<Member, 'api'>) => [
      await api.chats.listMessages({ group_chat_id, page: 1, page_length: 9 }),
      await api.chats.readChat({ group_chat_id }),
      await api.notifications.syncRealtime({ cursor }),
    ]
    const sees = [...(await told(screen)), heard[0]?.heard].map(each => JSON.stringify(each).includes(media ?? ''))
    expect(sees).toEqual(Array(4).fill(event_photo_approval === 'none'))
    expect(JSON.stringify(await told(screen))).toContain('Look here')
    for (const one of [gus, look]) expect(JSON.stringify(await told(one))).toContain(media)
    expect(JSON.stringify(heard[1]?.heard)).toContain(media)
    for (const one of heard) one.close()
  },
)
