import { describe, expect, test, vi } from 'vitest'
import { openTestApp } from './app.ts'
import { enter, type Member } from './cast.ts'
import { heic } from './heic.ts'
import { bringIn, evening } from './party.ts'
import { anew, jpeg } from './pictures.ts'
import { refusal } from './refused.ts'

vi.setConfig({ testTimeout: 60_000 }) // decoders give way to whatever else the machine does
const app = await openTestApp()
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
type Held = Awaited<ReturnType<typeof hold>>

/** What somebody is given of its pictures. */
const linksOf = async ({ api, extra }: Member, { event_id, group_chat_id, photoIds, messageId }: Held) => {
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

test('every link opens for whoever was given it, and each is another', async () => {
  const held = await hold()
  const links = await linksOf(gus, held)
  expect(await all(links)).toEqual(each(links, 200))
  expect(new Set(Object.values(links)).size).toBe(Object.keys(links).length)
})

test('nobody outside the event is given one', async () => {
  const { event_id, photoIds } = await hold()
  expect((await refusal(sam.api.gallery.readPhoto({ event_photo_id: photoIds[0] ?? 0 }))).status).toBe(400)
  for (const wish of [{}, { size: 'shown' as const }, { liked: true }, { event_photo_ids: photoIds }])
    expect((await refusal(sam.api.gallery.linkAlbum({ event_id, ...wish }))).status).toBe(400)
})

describe('a link from before', () => {
  test('somebody was removed is dead, for them and in everybody’s hands; those who stay are given new ones', async () => {
    const held = await hold()
    const [hers, his] = [await linksOf(olivia, held), await linksOf(gus, held)]
    await olivia.api.events.removeGuest({ event_id: held.event_id, user_id: gus.id })
    expect([await all(his), await all(hers)]).toEqual([each(his, 404), each(hers, 404)])
    const anewLinks = await linksOf(olivia, held)
    expect(await all(anewLinks)).toEqual(each(anewLinks, 200))
  })

  test('somebody left by themselves is dead', async () => {
    const held = await hold()
    const his = await linksOf(gus, held)
    await gus.api.events.leaveEvent({ event_id: held.event_id })
    expect(await all(his)).toEqual(each(his, 404))
  })

  test('a photo was hidden opens none of its sizes', async () => {
    const held = await hold()
    const { full, preview, screen, original } = await linksOf(gus, held)
    await olivia.api.gallery.hidePhoto({ event_photo_id: held.photoIds[0] ?? 0 })
    const links = { full, preview, screen, original }
    expect(await all(links)).toEqual(each(links, 404))
  })
})

test('a signature opens what it was made for, and no other size, photo or selection', async () => {
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
