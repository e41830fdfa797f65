import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import sharp from 'sharp'
import { afterAll, describe, expect, test, vi } from 'vitest'
import { openTestApp } from '../../test/app.ts'
import { eraseDue } from '../../test/erased.ts'
import { exifBlock } from '../../test/exif.ts'
import { heic } from '../../test/heic.ts'
import { party } from '../../test/party.ts'
import { jpegSegment, planted } from '../../test/picture-blocks.ts'
import { apart, avif, gif, jpeg, png, webp } from '../../test/pictures.ts'
import { brokenInvariants } from '../invariants/invariants.ts'

vi.setConfig({ testTimeout: 60_000 }) // decoders give way to whatever else the machine does
const app = await openTestApp()
const { olivia, gus, remy, sam, event, chatId } = await party(app)
const event_id = event.id
const word = 'Rumpelstilzchen'
afterAll(async () => expect(await brokenInvariants(app.db, app.storage)).toEqual([]))

const blobOf = (bytes: Buffer, name = 'DSC_0412.JPG') => new File([new Uint8Array(bytes)], name)
const upload = async (bytes: Buffer, name?: string) => {
  const photo = await gus.extra.gallery.uploadPhoto({ event_id, image: blobOf(bytes, name) })
  // As somebody else sees it.
  return olivia.extra.gallery.readPhoto({ event_photo_id: Number(photo.id) })
}
const get = async (url: string, headers: Record<string, string> = {}) => {
  const reply = await fetch(url, { headers })
  return { status: reply.status, headers: reply.headers, bytes: Buffer.from(await reply.arrayBuffer()) }
}
const sumOf = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex')
const pixelsOf = async (file: Buffer) => sumOf(await sharp(file, { animated: true }).autoOrient().raw().toBuffer())
const wish = { width: 120, height: 90, gps: true, takenAt: '2026:11:20 21:04:11' }

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
  ] as const)('gets the very pixels of a %s, and no word of its metadata', async (type, ending, make) => {
    const made = await make({ ...wish, ...(type !== 'image/gif' && { orientation: 6 }) })
    const file = type === 'image/gif' ? made : planted(made, word)
    const photo = await upload(file)
    expect(photo.extra?.original).toMatchObject({ name: `DSC_0412.${ending}`, type })
    for (const url of [photo.event_photo_url, photo.extra?.original?.url ?? '']) {
      const { status, headers, bytes } = await get(url)
      expect([status, headers.get('content-type'), bytes.length]).toEqual([200, type, photo.extra?.original?.bytes])
      expect(headers.get('x-content-type-options')).toBe('nosniff')
      expect(headers.get('content-disposition')).toContain(`filename="DSC_0412.${ending}"`)
      expect(await pixelsOf(bytes)).toBe(await pixelsOf(file))
      for (const trace of [word, 'Afterglow', 'Test camera', '2026:11:20']) expect(bytes.includes(trace)).toBe(false)
    }
    expect((await get(photo.extra?.screen_url ?? '')).headers.get('content-type')).toMatch(/^image\/(jpeg|webp)$/)
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

  test('reads any range of it, finds it unchanged by its tag, and asks for its head', async () => {
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

  test('gets the same of a picture in the chat', async () => {
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

test('a file whose structure cannot be followed has only the sizes that were made of it, and says so', async () => {
  const file = await jpeg({ ...wish, seed: 7 })
  const odd = torn(file)
  const photo = await upload(odd)
  expect(photo.extra?.original).toBeNull()
  const { status, bytes } = await get(photo.event_photo_url)
  expect([status, bytes.equals((await get(photo.extra?.screen_url ?? '')).bytes)]).toEqual([200, true])
  expect(bytes.includes(word)).toBe(false)
})

test('what was uploaded before there was a full size gets it when somebody asks', async () => {
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

test('a link of before somebody was removed is dead, and so are guesses', async () => {
  const photo = await upload(await jpeg({ ...wish, seed: 9 }))
  const urls = [photo.event_photo_url, photo.extra?.original?.url ?? '', photo.extra?.screen_url ?? '']
  for (const url of urls) {
    expect((await get(url)).status).toBe(200)
    expect((await get(url.replace(/s=.{5}/, 's=AAAAA'))).status).toBe(404)
  }
  // A link to one thing is no key to another.
  const [full, original, screen] = urls as [string, string, string]
  expect((await get(screen.replace('/display?', '/original?'))).status).toBe(404)
  expect((await get(original.replace('/original?', '/full?'))).status).toBe(404)
  expect((await get(full.replace('/full?', '/original?'))).status).toBe(404)
  await olivia.api.events.removeGuest({ event_id, user_id: sam.id }).catch(() => {})
  await sql`update events set media_epoch = media_epoch + 1 where id = ${event_id}`.execute(app.db)
  for (const url of urls) expect((await get(url)).status).toBe(404)
  void remy
})

test('who leaves leaves the full size to the others, and nothing else of what they uploaded', async () => {
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
