import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { writeFile } from 'node:fs/promises'
import { connect } from 'node:net'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import * as yauzl from 'yauzl'
import { openTestApp } from '../../test/app.ts'
import type { Member } from '../../test/cast.ts'
import { exifBlock } from '../../test/exif.ts'
import { filmTool, hasFfmpeg, mp4 } from '../../test/films.ts'
import { fillGallery } from '../../test/gallery-state.ts'
import { heic } from '../../test/heic.ts'
import { has } from '../../test/needing.ts'
import { newFolder } from '../../test/new-folder.ts'
import { bringIn, evening, party } from '../../test/party.ts'
import { padded, planted } from '../../test/picture-blocks.ts'
import { jpeg, png } from '../../test/pictures.ts'
import { notFound, refusal, says } from '../../test/refused.ts'
import { unzip } from '../../test/tools.ts'
import { filesIn } from '../../test/zips.ts'
import type { Storage } from '../platform/media/storage/storage.ts'
import { layOut } from '../platform/zip/layout.ts'
import { albumContents } from './album-zip.ts'

const app = await openTestApp({}, hasFfmpeg ? { video: await filmTool() } : {})
const { olivia, gus, asha, sam, remy } = await party(app)
const folder = newFolder('album')

const own = await jpeg({ width: 320, height: 240, gps: true, takenAt: '2026:11:20 21:04:11' })
const partyOf = async (...guests: Member[]) => {
  const { id } = await olivia.api.events.saveEvent(evening({ event_timezone: 'America/New_York' }))
  for (const guest of guests) await bringIn(olivia, id, guest)
  return id
}
/** The same picture with different bytes, which becomes a photo of its own. */
const another = () => padded(own, 8)
const put = (by: Member, event_id: number, image: Buffer, name = 'DSC_0412.JPG', fields = {}) =>
  by.extra.gallery.uploadPhoto({ event_id, image: new File([new Uint8Array(image)], name), ...fields })
const get = (by: Member, event_id: number, query = '', headers: Record<string, string> = {}) =>
  fetch(`${app.url}/api/gallery/download/${event_id}${query}`, {
    headers: { authorization: `Bearer ${by.token}`, ...headers },
  })
const bytesOf = async (reply: Response | Promise<Response>) => Buffer.from(await (await reply).arrayBuffer())

const word = 'Rumpelstilzchen'
const clockIn = (timeZone: string, moment: string) =>
  new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short', timeStyle: 'medium' })
    .format(new Date(moment))
    .replaceAll(':', '-')

test('an album in full size holds the viewer’s own bytes, and others’ pixels without metadata', async () => {
  const event_id = await partyOf(gus)
  await put(gus, event_id, own)
  const drawing = planted(await png({ width: 64, height: 64 }), word)
  const second = await put(olivia, event_id, drawing, 'Zeichnung: 1/2?.png')
  const reply = await get(gus, event_id)
  expect([reply.status, reply.headers.get('content-type'), reply.headers.get('accept-ranges')]).toEqual([
    200,
    'application/zip',
    'bytes',
  ])
  expect(reply.headers.get('content-disposition')).toContain('Midsummer at the lake.zip')
  const zip = await bytesOf(reply)
  expect(zip.length).toBe(Number(reply.headers.get('content-length')))
  const [mine, hers] = await filesIn(zip)
  expect(mine?.name).toBe('2026-11-20 21-04-11 Gus DSC_0412.jpg')
  expect(mine?.at).toBe('2026-11-20T21:04:10.000Z')
  expect(mine?.content.equals(own)).toBe(true)
  const full = await bytesOf(fetch(second.event_photo_url))
  expect(hers?.content.equals(full)).toBe(true)
  expect(hers?.name).toBe(`${clockIn('America/New_York', second.created_at)} Olivia 2.png`)
  expect([drawing.includes(word), zip.includes(word)]).toEqual([true, false])

  const [his] = await filesIn(await bytesOf(get(olivia, event_id)))
  expect(his?.content.includes('Exif')).toBe(false)
  expect(own.includes('Exif')).toBe(true)

  if (has(unzip)) {
    await writeFile(join(folder, 'album.zip'), zip)
    const { stdout } = await promisify(execFile)('unzip', ['-t', join(folder, 'album.zip')])
    expect(stdout).toContain('No errors detected')
  }
})

test('checksums are computed on upload, and for older files on first use', async () => {
  const event_id = await partyOf(gus)
  await put(gus, event_id, another())
  const sums = async () =>
    (
      await sql<{ sums: number }>`
    select count(*) as sums from file_sums s join media m on s.sha256 in (m.original_sha256, m.variants -> 'display' ->> 'sha256')
    where m.event_id = ${event_id}`.execute(app.db)
    ).rows[0]?.sums
  expect(await sums()).toBe(2)
  const zip = await bytesOf(get(gus, event_id))
  await sql`delete from file_sums`.execute(app.db)
  expect((await bytesOf(get(gus, event_id))).equals(zip)).toBe(true)
  expect(await sums()).toBe(1)
})

test('a download reads no stored file before its first byte is sent', async () => {
  const event_id = await partyOf(gus)
  await put(gus, event_id, another())
  const { group_chat_id } = await gus.api.events.readEvent({ event_id })
  const { attachments } = await gus.api.chats.saveMessage({
    group_chat_id,
    message_content: 'Look',
    attachments: [new Blob([new Uint8Array(another())])],
  })
  await gus.api.chats.addToAlbum({ message_attachment_id: attachments[0]?.id ?? 0 })
  if (hasFfmpeg) {
    const image = new Blob([new Uint8Array(another())])
    const video = new Blob([new Uint8Array(await mp4())])
    const { id } = await gus.api.gallery.uploadPhoto({ event_id, image, video })
    const read = () => gus.extra.gallery.readPhoto({ event_photo_id: Number(id) })
    await expect.poll(async () => (await read()).extra?.video_state?.state).toBe('ready')
  }
  const open: Storage['open'] = () => Promise.reject(new Error('A file was read.'))
  for (const { id: viewerId } of [gus, olivia]) {
    for (const size of ['full', 'shown'] as const) {
      const selection = { eventId: event_id, viewerId, takenBy: null, liked: false, choiceId: null, upTo: 100, size }
      const follow = () => Promise.reject(new Error('A file was followed.'))
      const parts = { db: app.db, storage: { ...app.storage, open }, fullSizes: { follow } }
      const contents = albumContents(parts, selection, 'UTC')
      expect((await layOut(contents.entries())).directory.entries).toBe(hasFfmpeg ? 3 : 2)
    }
  }
})

test('a zip can be limited to one person’s, the viewer’s own, liked, or selected photos', async () => {
  const event_id = await partyOf(gus)
  const ids: number[] = []
  for (const [at, by] of [gus, olivia, gus].entries())
    ids.push(Number((await put(by, event_id, another(), `${at}.jpg`)).id))
  await olivia.api.gallery.likePhoto({ event_photo_id: ids[0] as number })
  await gus.api.gallery.likePhoto({ event_photo_id: ids[1] as number })
  const namesIn = async (zip: Promise<Buffer>) =>
    (await filesIn(await zip)).map(({ name }) => name.split(' ').slice(2).join(' '))
  const names = (query: string) => namesIn(bytesOf(get(olivia, event_id, query)))
  const linked = async (wish: object) => {
    const link = await olivia.api.gallery.linkAlbum({ event_id, ...wish })
    const zip = await bytesOf(fetch(link.download_url))
    expect(zip.length).toBe(link.download_bytes)
    const files = await namesIn(Promise.resolve(zip))
    expect(files).toHaveLength(link.download_photos_count)
    return files
  }
  for (const size of ['full', 'shown']) {
    const ofGus = ['Gus 0.jpg', 'Gus 2.jpg']
    expect([await names(`?taken_by=${gus.id}&size=${size}`), await linked({ taken_by: gus.id, size })]).toEqual([
      ofGus,
      ofGus,
    ])
    expect([await names(`?mine=true&size=${size}`), await linked({ mine: true, size })]).toEqual([
      ['Olivia 1.jpg'],
      ['Olivia 1.jpg'],
    ])
    expect([await names(`?liked=true&size=${size}`), await linked({ liked: true, size })]).toEqual([
      ['Gus 0.jpg'],
      ['Gus 0.jpg'],
    ])
    expect(await linked({ event_photo_ids: [ids[2], ids[1], ids[2], 999_999], size })).toEqual([
      'Olivia 1.jpg',
      'Gus 2.jpg',
    ])
  }
  const elsewhere = await put(olivia, await partyOf(), another())
  expect(await linked({ event_photo_ids: [Number(elsewhere.id)] })).toEqual([])
  expect(await names(`?taken_by=${sam.id}`)).toEqual([])
  for (const wrong of ['?taken_by=x', '?size=original', '?liked=perhaps'])
    expect((await get(olivia, event_id, wrong)).status).toBe(400)
  const many = Array.from({ length: 5001 }, (_, n) => n + 1)
  expect((await refusal(olivia.api.gallery.linkAlbum({ event_id, event_photo_ids: many }))).body).toEqual({
    event_photo_ids: ['The event photo ids field must not have more than 5000 items.'],
  })
})

test('a zip in screen size has screen-sized files, the viewer’s own too, and is smaller', async () => {
  const event_id = await partyOf(gus)
  const large = await jpeg({ width: 3000, height: 2000, grain: 6, gps: true })
  const photo = await put(gus, event_id, large)
  const [full, shown] = await Promise.all(
    (['full', 'shown'] as const).map(size => gus.api.gallery.linkAlbum({ event_id, size })),
  )
  const [file] = await filesIn(await bytesOf(fetch(shown?.download_url ?? '')))
  expect(file?.content.equals(await bytesOf(fetch(photo.extra?.screen_url ?? '')))).toBe(true)
  expect(full?.download_bytes ?? 0).toBeGreaterThan(large.length)
  expect(shown?.download_bytes ?? 0).toBeLessThan(large.length)
})

test('a photo from before full sizes existed is in the zip with the announced size', async () => {
  const event_id = await partyOf(gus)
  await put(gus, event_id, planted(await jpeg({ width: 3000, height: 2000, seed: 71 }), word))
  await put(gus, event_id, heic({ exif: exifBlock({ DateTime: word }) }), 'IMG_1.HEIC')
  const before = await bytesOf(get(olivia, event_id))
  await sql`update media set full_size = null where event_id = ${event_id}`.execute(app.db)
  const link = await olivia.api.gallery.linkAlbum({ event_id })
  const after = await bytesOf(fetch(link.download_url))
  expect([after.length, after.equals(before), after.includes(word)]).toEqual([link.download_bytes, true, false])
})

test('file names are valid on every file system, and numbered when equal', async () => {
  const event_id = await partyOf(gus)
  const names = [
    '../../etc/passwd',
    'CON.jpg',
    'dsc_0412.jpg',
    'DSC_0412.jpg',
    'e\u0301\u202etxt.jpg',
    `${'ü'.repeat(300)}.jpg`,
    '.jpg',
  ]
  for (const name of names) await put(gus, event_id, another(), name)
  const files = (await filesIn(await bytesOf(get(olivia, event_id)))).map(({ name }) => name)
  const begin = '2026-11-20 21-04-11 Gus'
  expect(files).toEqual([
    `${begin} passwd.jpg`,
    `${begin}.jpg`,
    `${begin} dsc_0412.jpg`,
    `${begin} DSC_0412 (2).jpg`,
    `${begin} étxt.jpg`,
    `${begin} ${'ü'.repeat(59)}.jpg`,
    `${begin} (2).jpg`,
  ])
  if (has(unzip)) {
    await writeFile(join(folder, 'names.zip'), await bytesOf(get(olivia, event_id)))
    const { stdout } = await promisify(execFile)('unzip', ['-Z1', join(folder, 'names.zip')], {
      env: { ...process.env, LC_ALL: 'C.UTF-8' },
    })
    expect(stdout.trim().split('\n')).toEqual(files)
  }
})

describe('a broken download', () => {
  test('resumes by ranges to the same bytes', async () => {
    const event_id = await partyOf(gus)
    const theirs = planted(another(), word)
    await put(gus, event_id, own)
    await put(olivia, event_id, theirs)
    const whole = await get(gus, event_id)
    const etag = whole.headers.get('etag') as string
    const zip = await bytesOf(whole)
    for (const [start, end] of [
      [0, 0],
      [17, 4000],
      [zip.length - 300, zip.length - 1],
      [own.length - 5, zip.length - 1],
      // These positions lie where metadata was removed: its header, and its scan.
      [own.length + 200, own.length + 700],
      [zip.length - 1500, zip.length - 400],
    ] as const) {
      const part = await get(gus, event_id, '', { range: `bytes=${start}-${end}`, 'if-range': etag })
      expect([part.status, part.headers.get('content-range')]).toEqual([206, `bytes ${start}-${end}/${zip.length}`])
      expect((await bytesOf(part)).equals(zip.subarray(start, end + 1))).toBe(true)
    }
    expect((await get(gus, event_id, '', { range: `bytes=${zip.length}-` })).status).toBe(416)
    const head = await fetch(`${app.url}/api/gallery/download/${event_id}`, {
      method: 'HEAD',
      headers: { authorization: `Bearer ${gus.token}` },
    })
    expect([head.status, head.headers.get('content-length')]).toEqual([200, String(zip.length)])

    await put(olivia, event_id, another())
    const changed = await get(gus, event_id, '', { range: 'bytes=100-', 'if-range': etag })
    expect(changed.status).toBe(200)
    expect(await filesIn(await bytesOf(changed))).toHaveLength(3)
  })

  test('by a link keeps its contents, whatever is added later', async () => {
    const event_id = await partyOf(gus)
    await put(gus, event_id, own)
    const link = await gus.api.gallery.linkAlbum({ event_id })
    const first = await bytesOf(fetch(link.download_url))
    expect([first.length, link.download_photos_count]).toEqual([link.download_bytes, 1])
    await put(olivia, event_id, another())
    expect((await bytesOf(fetch(link.download_url))).equals(first)).toBe(true)
    expect((await gus.api.gallery.linkAlbum({ event_id })).download_photos_count).toBe(2)
  })
})

describe('access to a download', () => {
  const outside = says('The user is neither a guest nor an organizer of the event')
  test('is refused to a stranger, link and bytes', async () => {
    const event_id = await partyOf(gus)
    await asha.api.events.askToJoin({ event_id })
    for (const outsider of [asha, sam, remy]) {
      expect(await refusal(outsider.api.gallery.linkAlbum({ event_id }))).toEqual(outside)
      const reply = await get(outsider, event_id)
      expect([reply.status, await reply.json()]).toEqual([400, outside.body])
    }
    const gone = await get(gus, 999_999)
    expect([gone.status, await gone.text()]).toEqual([404, 'Event not found!'])
    expect(await refusal(gus.api.gallery.linkAlbum({ event_id: 999_999 }))).toEqual(notFound('Event not found!'))
    expect((await fetch(`${app.url}/api/gallery/download/${event_id}`)).status).toBe(401)
  })

  test('by a link is limited to its purpose, and ends when its owner loses the event', async () => {
    const event_id = await partyOf(gus)
    await put(olivia, event_id, own)
    const { download_url } = await gus.api.gallery.linkAlbum({ event_id, mine: true })
    expect((await fetch(download_url)).status).toBe(200)
    const forged = [
      download_url.replace(`/${gus.id}-${gus.id}-`, `/${olivia.id}-${gus.id}-`),
      download_url.replace(`/${gus.id}-${gus.id}-`, `/${gus.id}-0-`),
      download_url.replace(/-(\d+)-full\?/, '-9$1-full?'),
      download_url.replace('-full?', '-shown?'),
      download_url.replace('-full?', '-full-1?'),
      download_url.replace(`/${event_id}/`, `/${event_id - 1}/`),
      download_url.replace(/s=[^&]*/, `s=${'A'.repeat(43)}`),
      download_url.replace(/e=\d+/, 'e=9999999999'),
      download_url.split('?')[0] as string,
    ]
    for (const url of forged) {
      const reply = await fetch(url)
      expect([url, reply.status, await reply.text()]).toEqual([url, 404, 'Not found!'])
    }
    await olivia.api.events.removeGuest({ event_id, user_id: gus.id })
    expect((await fetch(download_url)).status).toBe(404)
    expect((await get(gus, event_id)).status).toBe(400)
  })

  test('ends while the zip streams: a removed guest gets no complete file', async () => {
    const event_id = await partyOf(gus)
    const large = padded(await jpeg({ width: 640, height: 480 }), 6 * 1024 * 1024)
    const photo = await put(gus, event_id, large)
    await fillGallery(app.db, { like: Number(photo.id), takenBy: gus.id, count: 60 })
    await sql`update media set owner_id = ${gus.id} where event_id = ${event_id}`.execute(app.db)
    const { download_url, download_bytes } = await gus.api.gallery.linkAlbum({ event_id })
    const { port, pathname, search } = new URL(download_url)
    const socket = connect(Number(port), '127.0.0.1')
    socket.write(`GET ${pathname}${search} HTTP/1.1\r\nHost: test\r\n\r\n`)
    await once(socket, 'readable')
    // The client stops reading, so the rest waits on the server.
    await olivia.api.events.removeGuest({ event_id, user_id: gus.id })
    await new Promise(resolve => setTimeout(resolve, 1100))
    let bytes = 0
    socket.on('error', () => {})
    for await (const chunk of socket.iterator()) bytes += chunk.length
    expect(bytes).toBeLessThan(download_bytes)
  })
})

test('a lost file breaks the download once; then a note stands in its place', async () => {
  const event_id = await partyOf(gus)
  await put(gus, event_id, own)
  const other = await put(olivia, event_id, await jpeg({ width: 200, height: 200, seed: 99 }))
  await bytesOf(get(gus, event_id))
  const { rows } = await sql<{ sha256: string }>`
    select original_sha256 as sha256 from media m join photos p on p.media_id = m.id
    where p.id = ${Number(other.id)}`.execute(app.db)
  const { sha256 } = rows[0] as { sha256: string }
  await app.storage.remove(sha256)
  await expect(bytesOf(get(gus, event_id))).rejects.toThrow()
  const files = await filesIn(await bytesOf(get(gus, event_id)))
  expect(files[1]?.name).toMatch(/ Olivia DSC_0412\.missing\.txt$/)
  expect(files[1]?.content.toString()).toContain('missing')
})

test('a gallery of thousands is one zip with a bounded number of statements', { tags: 'slow' }, async () => {
  const event_id = await partyOf(gus)
  const photo = await put(gus, event_id, await jpeg({ width: 32, height: 32 }))
  await fillGallery(app.db, { like: Number(photo.id), takenBy: gus.id, count: 1999 })
  const zip = await bytesOf(get(gus, event_id))
  const path = join(folder, 'many.zip')
  await writeFile(path, zip)
  const opened = await yauzl.fromBufferPromise(zip)
  expect(opened.entryCount).toBe(2000)
})

test('one person’s many downloads leave room for others, and are refused beyond their share', async () => {
  const event_id = await partyOf(gus)
  const photo = await put(gus, event_id, await jpeg({ width: 32, height: 32 }))
  await fillGallery(app.db, { like: Number(photo.id), takenBy: gus.id, count: 1999 })
  const answered: string[] = []
  const begin = async (by: Member) => {
    const reply = await get(by, event_id, '', { range: 'bytes=0-99' })
    answered.push(`${by.token === gus.token ? 'many' : 'one'} ${reply.status}`)
    return [reply.status, await reply.text()] as const
  }
  const many = Array.from({ length: 40 }, () => begin(gus))
  await expect.poll(() => answered.includes('many 503'), { interval: 1 }).toBe(true)
  expect((await begin(olivia))[0]).toBe(206)
  const refused = (await Promise.all(many)).filter(([status]) => status === 503)
  expect(refused[0]?.[1]).toContain('Too many albums are being gathered.')
  expect(answered.at(-1)).toBe('many 206')
})
