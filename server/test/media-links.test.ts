import { describe, expect, test, vi } from 'vitest'
import { openTestApp } from './app.ts'
import { enter, type Member } from './cast.ts'
import { listen } from './channel.ts'
import { heic } from './heic.ts'
import { bringIn, evening } from './party.ts'
import { anew, jpeg } from './pictures.ts'
import { refusal } from './refused.ts'

const app = await openTestApp({ rateFactor: 1 })
const [olivia, gus, sam] = await Promise.all([enter(app, 'olivia'), enter(app, 'gus'), enter(app, 'sam')])
const drawn = new Blob([await jpeg({ width: 64, height: 48, gps: true })])
const phones = new Blob([new Uint8Array(await heic({ tiles: [['red', 'green']] }))])
const statusOf = async (url: string) => {
  const reply = await fetch(url)
  await reply.body?.cancel()
  return reply.status
}
const all = async (links: Record<string, string>) =>
  Object.fromEntries(await Promise.all(Object.entries(links).map(async ([name, url]) => [name, await statusOf(url)])))
const each = (links: Record<string, string>, status: number) =>
  Object.fromEntries(Object.keys(links).map(name => [name, status]))

/** An event with a photo of each kind and a message with a picture. */
const hold = async () => {
  const { id: event_id, group_chat_id } = await olivia.api.events.saveEvent(evening())
  await bringIn(olivia, event_id, gus)
  const upload = (image: Blob) => olivia.api.gallery.uploadPhoto({ event_id, image })
  const photoIds = [await upload(await anew(drawn)), await upload(phones)].map(({ id }) => Number(id))
  const attachments = [await anew(drawn)]
  const message = await olivia.api.chats.saveMessage({ group_chat_id, message_content: 'Look', attachments })
  return { event_id, group_chat_id, photoIds, messageId: Number(message.id) }
}
type HeldLinks = Awaited<ReturnType<typeof hold>>

/** A member's links to the event's pictures. */
const linksOf = async ({ api, extra }: Member, { event_id, group_chat_id, photoIds, messageId }: HeldLinks) => {
  const [photo, phonePhoto] = await Promise.all(
    photoIds.map(event_photo_id => extra.gallery.readPhoto({ event_photo_id })),
  )
  const list = { group_chat_id, message_id: messageId, page: 1, page_length: 1 }
  const attachment = (await extra.chats.listMessages(list)).data[0]?.attachments[0]
  const zip = async (wish: object) => (await api.gallery.linkAlbum({ event_id, ...wish })).download_url
  return {
    full: photo?.event_photo_url ?? '',
    preview: photo?.event_photo_preview_url ?? '',
    screen: photo?.extra?.screen_url ?? '',
    original: photo?.extra?.original?.url ?? '',
    'a phone’s photo, as a JPEG': phonePhoto?.event_photo_url ?? '',
    'a phone’s photo, as it came': phonePhoto?.extra?.original?.url ?? '',
    'full size of an attachment': attachment?.message_attachment_url ?? '',
    'preview of an attachment': attachment?.extra?.preview_url ?? '',
    'screen size of an attachment': attachment?.extra?.screen_url ?? '',
    'original of an attachment': attachment?.extra?.original?.url ?? '',
    'album in full': await zip({ size: 'full' }),
    'album as shown': await zip({ size: 'shown' }),
    'what one liked': await zip({ liked: true }),
    'what one person took': await zip({ taken_by: olivia.id }),
    'chosen photos': await zip({ event_photo_ids: photoIds }),
  }
}

test('every link opens for its holder, and each is different', async () => {
  const held = await hold()
  const links = await linksOf(gus, held)
  expect(await all(links)).toEqual(each(links, 200))
  expect(new Set(Object.values(links)).size).toBe(Object.keys(links).length)
})

test('a stranger is given no link', async () => {
  const { event_id, photoIds } = await hold()
  expect((await refusal(sam.api.gallery.readPhoto({ event_photo_id: photoIds[0] ?? 0 }))).status).toBe(400)
  for (const wish of [{}, { size: 'shown' as const }, { liked: true }, { event_photo_ids: photoIds }])
    expect((await refusal(sam.api.gallery.linkAlbum({ event_id, ...wish }))).status).toBe(400)
})

describe('a link from before', () => {
  test('of a removed guest ends, for them and in everybody’s hands; remaining guests get new ones', async () => {
    const held = await hold()
    const [hers, his] = [await linksOf(olivia, held), await linksOf(gus, held)]
    await olivia.api.events.removeGuest({ event_id: held.event_id, user_id: gus.id })
    expect([await all(his), await all(hers)]).toEqual([each(his, 404), each(hers, 404)])
    const anewLinks = await linksOf(olivia, held)
    expect(await all(anewLinks)).toEqual(each(anewLinks, 200))
  })

  test('of a guest who left ends for them, and still opens for the others', async () => {
    const held = await hold()
    const [hers, his] = [await linksOf(olivia, held), await linksOf(gus, held)]
    await gus.api.events.leaveEvent({ event_id: held.event_id })
    expect([await all(his), await all(hers)]).toEqual([each(his, 404), each(hers, 200)])
    expect(await linksOf(olivia, held)).toMatchObject({
      full: hers.full,
      preview: hers.preview,
      original: hers.original,
    })
  })

  test('ends when its holder’s name is removed, or replaced by another’s', async () => {
    const held = await hold()
    const [hers, his] = [await linksOf(olivia, held), await linksOf(gus, held)]
    await gus.api.events.leaveEvent({ event_id: held.event_id })
    const [, by = '', proof = ''] = /&h=(\d+)-0-([\w-]+)/.exec(his.full) ?? []
    expect(by).toBe(String(gus.id))
    for (const name of ['', `&h=${olivia.id}-0-${proof}`, `&h=${gus.id}-1-${proof}`, '&h=', '&h=x'])
      expect([name, await statusOf(his.full.replace(/&h=[^&]*/, name))]).toEqual([name, 404])
    expect(await statusOf(hers.full)).toBe(200)
  })

  test('to a photo hidden since opens none of its sizes', async () => {
    const held = await hold()
    const { full, preview, screen, original } = await linksOf(gus, held)
    await olivia.api.gallery.hidePhoto({ event_photo_id: held.photoIds[0] ?? 0 })
    const links = { full, preview, screen, original }
    expect(await all(links)).toEqual(each(links, 404))
  })
})

test('a guest who leaves and returns twice a second does not break others’ pictures, and is soon refused', async () => {
  const { id: event_id } = await olivia.api.events.saveEvent(evening({ event_visibility: 1, event_join_mode: 1 }))
  const { link_code: code } = await olivia.api.links.makeLink({ event_id })
  await sam.api.links.joinByLink({ code })
  const photos = []
  for (let n = 0; n < 8; n += 1)
    photos.push(await olivia.api.gallery.uploadPhoto({ event_id, image: await anew(drawn) }))
  const channel = await listen(app, olivia)
  const answers: number[] = []
  for (let n = 0; n < 8; n += 1) {
    await sam.api.events.leaveEvent({ event_id })
    const url = (await olivia.api.gallery.readPhoto({ event_photo_id: Number(photos[n]?.id) })).event_photo_preview_url
    const back = n % 2 ? sam.api.events.askToJoin({ event_id }) : sam.api.links.joinByLink({ code })
    const refused = await back.then(
      () => undefined,
      error => error.status,
    )
    answers.push(await statusOf(url), await statusOf(photos[n]?.event_photo_preview_url ?? ''))
    if (refused !== undefined) {
      expect([n, refused]).toEqual([6, 429])
      break
    }
  }
  expect(answers).toEqual(Array.from({ length: 14 }, () => 200))
  await vi.waitFor(() => expect(channel.of('guest.left')).toHaveLength(7), 5000)
  // An event that makes clients reload their lists.
  expect(channel.of('event.updated')).toEqual([])
  expect(channel.of('guest.left').filter(({ removed }) => removed)).toEqual([])
  channel.close()
})

test('several removals within seconds end others’ links twice: at once, and together', {
  tags: 'slow',
}, async () => {
  const held = await hold()
  const { event_id } = held
  const people = await Promise.all([enter(app, 'asha'), enter(app, 'rita'), enter(app, 'remy')])
  for (const who of people) await bringIn(olivia, event_id, who)
  const theirs = await Promise.all(people.map(who => linksOf(who, held)))
  const epoch = async () =>
    (await app.db.selectFrom('events').select('media_epoch').where('id', '=', event_id).executeTakeFirstOrThrow())
      .media_epoch
  const before = await epoch()
  for (const [n, who] of people.entries()) {
    await olivia.api.events.removeGuest({ event_id, user_id: who.id })
    expect(await all(theirs[n] ?? {})).toEqual(each(theirs[n] ?? {}, 404))
  }
  expect(await epoch()).toBe(before + 1)
  const between = await linksOf(olivia, held)
  await vi.waitFor(async () => expect(await epoch()).toBe(before + 2), 15_000)
  expect(await all(between)).toEqual(each(between, 404))
})

test('a signature opens its own file, and no other size, photo or selection', async () => {
  const { full, screen, original, preview, ...rest } = await linksOf(gus, await hold())
  const sizes = ['full', 'original', 'display', 'preview', 'video', 'tile', 'export', 'deleted', 'live']
  for (const url of [full, screen, original, preview]) {
    const [, own = ''] = /\/media\/\d+\/([a-z]+)\./.exec(url) ?? []
    expect(sizes).toContain(own)
    for (const size of sizes.filter(size => size !== own))
      expect([size, await statusOf(url.replace(`/${own}.`, `/${size}.`))]).toEqual([size, 404])
    expect(await statusOf(url.replace(/\/media\/(\d+)/, (_, id) => `/media/${Number(id) + 1}`))).toBe(404)
  }
  const zips = [rest['album in full'], rest['album as shown'], rest['what one liked'], rest['chosen photos']]
  for (const of of zips)
    for (const other of zips.filter(url => url !== of))
      expect(await statusOf(`${of.split('?')[0]}?${other.split('?')[1]}`)).toBe(404)
})
