import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { sql } from 'kysely'
import sharp from 'sharp'
import { afterAll, describe, expect, test } from 'vitest'
import { openTestApp } from '../../test/app.ts'
import { eraseDue } from '../../test/erase-due.ts'
import { exifBlock } from '../../test/exif.ts'
import { heic } from '../../test/heic.ts'
import { party } from '../../test/party.ts'
import { gifBlock, jpegSegment, planted, pngChunk } from '../../test/picture-blocks.ts'
import { apart, avif, gif, jpeg, png, webp } from '../../test/pictures.ts'
import { brokenInvariants } from '../invariants/invariants.ts'
import { openFullSizes } from '../platform/media/full-size.ts'
import { openPictures } from '../platform/media/pictures/picture.ts'

const app = await openTestApp()
const { olivia, gus, remy, sam, event, chatId } = await party(app)
const event_id = event.id
const word = 'Rumpelstilzchen'
afterAll(async () => expect(await brokenInvariants(app.db, app.storage)).toEqual([]))

const blobOf = (bytes: Buffer, name = 'DSC_0412.JPG') => new File([new Uint8Array(bytes)], name)
const upload = async (bytes: Buffer, name?: string) => {
  const photo = await gus.extra.gallery.uploadPhoto({ event_id, image: blobOf(bytes, name) })
  // Reads the photo as another guest sees it.
  return olivia.extra.gallery.readPhoto({ event_photo_id: Number(photo.id) })
}
const get = async (url: string, headers: Record<string, string> = {}) => {
  const reply = await fetch(url, { headers })
  return { status: reply.status, headers: reply.headers, bytes: Buffer.from(await reply.arrayBuffer()) }
}
const sumOf = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex')
const pixelsOf = async (file: Buffer) => sumOf(await sharp(file, { animated: true }).autoOrient().raw().toBuffer())
const wish = { width: 120, height: 90, gps: true, takenAt: '2026:11:20 21:04:11' }

/** Files that failed on other services (server/test/fixtures/README.md). */
const field = (name: string) => readFile(new URL(`../../test/fixtures/field/${name}`, import.meta.url))
/** Adds a chunk that no decoder knows, although its name says that every decoder must. */
const insertedInPng = (file: Buffer) =>
  Buffer.concat([file.subarray(0, 33), pngChunk('cHRM', Buffer.from(word)), file.subarray(33)])
/** Adds a caption, which no player draws. */
const captionedGif = (file: Buffer) =>
  Buffer.concat([file.subarray(0, -1), gifBlock(1, Buffer.from(word)), file.subarray(-1)])

/** The same picture, split by metadata into more pieces than a row holds. */
const torn = (file: Buffer) => {
  const between = [jpegSegment(0xdd, Buffer.alloc(2)), jpegSegment(0xfe, Buffer.from(word))]
  return Buffer.concat([file.subarray(0, 2), ...Array(300).fill(between).flat(), file.subarray(2)])
}

describe('everybody in the event', () => {
  test.each([
    ['image/jpeg', 'jpg', jpeg],
    ['image/png', 'png', png],
    ['image/webp', 'webp', webp],
    ['image/gif', 'gif', gif],
  ] as const)('gets the exact pixels of a %s, and none of its metadata', async (type, ending, make) => {
    const made = await make({ ...wish, ...(type !== 'image/gif' && { orientation: 6 }) })
    const file = type === 'image/gif' ? made : planted(made, word)
    const photo = await upload(file)
    expect(photo.extra?.original).toMatchObject({ name: `DSC_0412.${ending}`, type })
    for (const url of [photo.event_photo_url, photo.extra?.original?.url ?? '']) {
      const { status, headers, bytes } = await get(url)
      expect([status, headers.get('content-type'), bytes.length]).toEqual([200, type, photo.extra?.original?.bytes])
      // The URL's ending names the file type; an older URL without an ending still works.
      expect(new URL(url).pathname.split('.').at(-1)).toBe(ending)
      expect((await get(url.replace(`.${ending}?`, '?'))).bytes.equals(bytes)).toBe(true)
      expect(headers.get('x-content-type-options')).toBe('nosniff')
      expect(headers.get('content-disposition')).toContain(`filename="DSC_0412.${ending}"`)
      expect(await pixelsOf(bytes)).toBe(await pixelsOf(file))
      for (const trace of [word, 'Afterglow', 'Test camera', '2026:11:20']) expect(bytes.includes(trace)).toBe(false)
    }
    for (const url of [photo.extra?.screen_url ?? '', photo.event_photo_preview_url]) {
      const kind = (await get(url)).headers.get('content-type')
      expect([kind, new URL(url).pathname.split('.').at(-1)]).toEqual(
        kind === 'image/webp' ? [kind, 'webp'] : ['image/jpeg', 'jpg'],
      )
    }
  })

  test.each([
    [
      'image/heic',
      async () =>
        heic({
          tiles: [
            ['red', 'green'],
            ['blue', 'white'],
          ],
          turns: 1,
          exif: exifBlock({ DateTime: word, Orientation: 6 }),
        }),
    ],
    ['image/avif', () => avif({ ...wish, transparent: true })],
  ] as const)('gets a JPEG of an %s, made once, and the original in its own type', async (type, make) => {
    const photo = await upload(await make())
    const stored = async () => (await Array.fromAsync(app.storage.stored())).length
    const before = await stored()
    const replies = await Promise.all([1, 2, 3].map(() => get(photo.event_photo_url)))
    expect(new URL(photo.event_photo_url).pathname).toMatch(/\/full\.jpg$/)
    for (const { status, headers, bytes } of replies) {
      expect([status, headers.get('content-type')]).toEqual([200, 'image/jpeg'])
      expect(headers.get('content-disposition')).toContain('filename="DSC_0412.jpg"')
      const found = await sharp(bytes).metadata()
      expect([found.width, found.height]).toEqual([photo.extra?.width, photo.extra?.height])
      expect(await apart(bytes, (await get(photo.extra?.screen_url ?? '')).bytes)).toBeLessThan(
        type === 'image/avif' ? 256 : 6,
      )
      expect(bytes.includes(word)).toBe(false)
    }
    expect(new Set(replies.map(({ headers }) => headers.get('etag'))).size).toBe(1)
    const after = await stored()
    expect(after).toBe(before + 1)
    await get(photo.event_photo_url)
    expect(await stored()).toBe(after)
    const { original } = photo.extra ?? {}
    const own = await get(original?.url ?? '')
    expect([own.status, own.bytes.length, original?.type]).toEqual([200, original?.bytes, type])
    expect(own.headers.get('x-content-type-options')).toBe('nosniff')
    for (const trace of [word, 'Afterglow']) expect(own.bytes.includes(trace)).toBe(false)
    expect((await sharp(own.bytes).metadata()).width).toBeGreaterThan(0)
  })

  test('reads any range of it, revalidates it by its tag, and requests its head', async () => {
    const photo = await upload(planted(await jpeg({ ...wish, seed: 5, orientation: 3 }), word))
    const whole = await get(photo.event_photo_url)
    const etag = whole.headers.get('etag') ?? ''
    for (const [first, last] of [
      [0, 0],
      [1, 60],
      [10, whole.bytes.length - 1],
      [whole.bytes.length - 5, whole.bytes.length - 1],
    ] as const) {
      const part = await get(photo.event_photo_url, { range: `bytes=${first}-${last}`, 'if-range': etag })
      expect([part.status, part.headers.get('content-range')]).toEqual([
        206,
        `bytes ${first}-${last}/${whole.bytes.length}`,
      ])
      expect(part.bytes.equals(whole.bytes.subarray(first, last + 1))).toBe(true)
    }
    expect((await get(photo.event_photo_url, { 'if-none-match': etag })).status).toBe(304)
    const head = await fetch(photo.event_photo_url, { method: 'HEAD' })
    expect(head.headers.get('content-length')).toBe(String(whole.bytes.length))
    expect((await get(photo.extra?.screen_url ?? '')).headers.get('etag')).not.toBe(etag)
  })

  test('gets the same for a picture in the chat', async () => {
    const file = await jpeg({ ...wish, seed: 6 })
    const message = {
      group_chat_id: chatId,
      message_content: 'Look',
      attachments: [blobOf(planted(file, word), 'IMG 7.jpeg')],
    }
    const { attachments } = await gus.extra.chats.saveMessage(message)
    const { data } = await olivia.extra.chats.listAttachments({ group_chat_id: chatId, page: 1, page_length: 1 })
    expect(data[0]?.id).toBe(attachments[0]?.id)
    expect(data[0]?.extra?.original).toMatchObject({ name: 'IMG 7.jpg', type: 'image/jpeg', width: 120, height: 90 })
    for (const url of [data[0]?.message_attachment_url, data[0]?.extra?.original?.url]) {
      const { bytes } = await get(url ?? '')
      expect(await pixelsOf(bytes)).toBe(await pixelsOf(file))
      for (const trace of [word, 'Test camera']) expect(bytes.includes(trace)).toBe(false)
    }
  })
})

describe('a file whose structure cannot be followed', () => {
  // The picture is larger than a screen's size, and quick to make.
  const large = { ...wish, width: 2600, height: 90, seed: 7 }

  test.each([
    ['image/jpeg', async () => torn(await jpeg({ ...large, orientation: 6 }))],
    ['image/png', async () => insertedInPng(await png({ ...large, transparent: true }))],
    ['image/gif', async () => captionedGif(await gif({ ...large, frames: 2 }))],
  ] as const)('is delivered re-encoded in full resolution, and says so: %s', async (type, make) => {
    const photo = await upload(await make())
    const { original } = photo.extra ?? {}
    const [width, height] = type === 'image/jpeg' ? [90, 2600] : [2600, 90]
    expect(original).toMatchObject({ exact: false, type, width, height })
    for (const url of [photo.event_photo_url, original?.url ?? '']) {
      const { status, headers, bytes } = await get(url)
      expect([status, headers.get('content-type'), bytes.length]).toEqual([200, type, original?.bytes])
      const found = await sharp(bytes).metadata()
      expect([found.width, found.height, found.orientation]).toEqual([width, height, undefined])
      if (type === 'image/gif') expect(found.pages).toBe(2)
      for (const trace of [word, 'Test camera', '2026:11:20']) expect(bytes.includes(trace)).toBe(false)
    }
    if (type === 'image/png') expect((await sharp((await get(original?.url ?? '')).bytes).stats()).isOpaque).toBe(false)
  })

  test('stored in a smaller size is repaired at night', async () => {
    const [odd, stray] = [torn(await jpeg({ ...large, seed: 31 })), await field('stray-before-dqt.jpg')]
    const ids = [(await upload(odd)).id, (await upload(stray)).id].map(Number) as [number, number]
    const before = sql`full_size = '{"bytes":0,"crc32":0,"pieces":[]}', variants = variants - 'full'`
    await sql`update media set ${before} where id in (select media_id from photos where id = any(${ids}::bigint[]))`.execute(
      app.db,
    )
    const exact = async () =>
      Promise.all(
        ids.map(async id => (await olivia.extra.gallery.readPhoto({ event_photo_id: id })).extra?.original?.exact),
      )
    expect(await exact()).toEqual([undefined, undefined])
    const pictures = openPictures({ storage: app.storage, log: { warn: () => {} } })
    const night = openFullSizes({ db: app.db, storage: app.storage, pictures, pixelsMax: 1e8 })
    await night.readOld(new AbortController().signal).finally(() => pictures.close())
    expect(await exact()).toEqual([false, true])
  })
})

describe('a damaged file from a phone or a broken transfer', () => {
  test.each([
    ['stray-before-dqt.jpg', false, 2600, 1800],
    ['cut-before-eoi.jpg', true, 1200, 900],
    ['cut-at-60-percent.jpg', true, 1200, 900],
  ] as const)('is shown as far as it goes, in its own pixels: %s', async (name, incomplete, width, height) => {
    const file = await field(name)
    const photo = await upload(file)
    expect(photo.extra).toMatchObject({ width, height, incomplete, original: { exact: true, width, height } })
    const { status, bytes } = await get(photo.event_photo_url)
    expect([status, bytes.subarray(-2).toString('hex')]).toEqual([200, 'ffd9'])
    const pixels = async (picture: Buffer) => sumOf(await sharp(picture, { failOn: 'none' }).raw().toBuffer())
    expect(await pixels(bytes)).toBe(await pixels(file))
    expect((await sharp((await get(photo.extra?.screen_url ?? '')).bytes).metadata()).width).toBe(Math.min(width, 2048))
  })

  test('is refused if it ends before its picture begins', async () => {
    const file = await field('cut-before-eoi.jpg')
    const scan = file.indexOf(Buffer.from([0xff, 0xda]))
    await expect(upload(file.subarray(0, scan + 4))).rejects.toMatchObject({
      fields: { image: ['The image field must be an image.'] },
    })
  })

  test('is reported in the chat, too', async () => {
    const attachments = [blobOf(await field('cut-at-60-percent.jpg'))]
    const message = await gus.extra.chats.saveMessage({ group_chat_id: chatId, message_content: 'Half', attachments })
    expect(message.attachments[0]?.extra?.incomplete).toBe(true)
  })
})

test('a photo from before full sizes existed gets one on request', async () => {
  for (const make of [jpeg, avif]) {
    const file = await make({ ...wish, seed: 8 })
    const before = await upload(file)
    await sql`update media set full_size = null, variants = variants - 'full'`.execute(app.db)
    const photo = await olivia.extra.gallery.readPhoto({ event_photo_id: Number(before.id) })
    expect(photo.extra?.original).toBeNull()
    const { status, bytes } = await get(photo.event_photo_url)
    expect([status, bytes.includes('Test camera')]).toEqual([200, false])
    const again = await olivia.extra.gallery.readPhoto({ event_photo_id: Number(before.id) })
    expect(again.extra?.original).toMatchObject({ bytes: before.extra?.original?.bytes })
  }
})

test('a link from before a removal is dead, and so are guesses', async () => {
  const photo = await upload(await jpeg({ ...wish, seed: 9 }))
  const urls = [photo.event_photo_url, photo.extra?.original?.url ?? '', photo.extra?.screen_url ?? '']
  for (const url of urls) {
    expect((await get(url)).status).toBe(200)
    expect((await get(url.replace(/s=.{5}/, 's=AAAAA'))).status).toBe(404)
  }
  // A link to one file gives no access to another.
  const [full, original, screen] = urls as [string, string, string]
  expect((await get(screen.replace('/display.jpg?', '/original.jpg?'))).status).toBe(404)
  expect((await get(original.replace('/original.jpg?', '/full.jpg?'))).status).toBe(404)
  expect((await get(full.replace('/full.jpg?', '/original.jpg?'))).status).toBe(404)
  await olivia.api.events.removeGuest({ event_id, user_id: sam.id }).catch(() => {})
  await sql`update events set media_epoch = media_epoch + 1 where id = ${event_id}`.execute(app.db)
  for (const url of urls) expect((await get(url)).status).toBe(404)
  void remy
})

test('a guest who leaves keeps the full sizes available to others, and nothing else of their uploads', async () => {
  const made = await party(app)
  const { gus: leaver, olivia: host } = made
  const files = [
    planted(await jpeg({ ...wish, seed: 21, orientation: 8 }), word),
    planted(await png({ ...wish, seed: 22 }), word),
    heic({ exif: exifBlock({ DateTime: word }) }),
    torn(await jpeg({ ...wish, seed: 23 })),
  ]
  const ids: string[] = []
  for (const file of files)
    ids.push((await leaver.api.gallery.uploadPhoto({ event_id: made.event.id, image: blobOf(file, `${word}.jpg`) })).id)
  const read = async () => {
    const photos = []
    for (const id of ids) photos.push(await host.extra.gallery.readPhoto({ event_photo_id: Number(id) }))
    return photos
  }
  const fullOf = async () =>
    Promise.all((await read()).map(async photo => sumOf((await get(photo.event_photo_url)).bytes)))
  const before = await fullOf()
  await sql`update media set full_size = null where owner_id = ${leaver.id} and id % 2 = 0`.execute(app.db)
  await leaver.api.privacy.deleteAccount({ user_password: leaver.password })
  await sql`update users set erase_at = now() where id = ${leaver.id}`.execute(app.db)
  await eraseDue(app)
  expect(await fullOf()).toEqual(before)
  const { rows } = await sql<{ row: string; sha256: string }>`
    select row_to_json(m)::text as row, original_sha256 as sha256 from media m where owner_id = ${leaver.id}`.execute(
    app.db,
  )
  expect(rows).toHaveLength(files.length)
  for (const { row, sha256 } of rows) {
    expect(row).not.toContain(word)
    const { stream } = await app.storage.open(sha256)
    expect(Buffer.concat(await stream.toArray()).includes(word)).toBe(false)
  }
  const [first] = await read()
  expect(first?.extra?.original).toMatchObject({ name: expect.stringMatching(/^photo \d+\.jpg$/) })
})
