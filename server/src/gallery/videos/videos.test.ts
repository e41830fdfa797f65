import { createHash } from 'node:crypto'
import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { sql } from 'kysely'
import sharp from 'sharp'
import { expect, test, vi } from 'vitest'
import { openTestApp } from '../../../test/app.ts'
import { enter, type Member } from '../../../test/cast.ts'
import { type Listener, listen } from '../../../test/channel.ts'
import { filmTool, hasFfmpeg, iphoneMov, mjpegAvi, mp4, place, soundOnly, watch, wmv } from '../../../test/films.ts'
import { later } from '../../../test/later.ts'
import { withoutHolders } from '../../../test/link-holders.ts'
import { needing } from '../../../test/needing.ts'
import { bringIn, evening } from '../../../test/party.ts'
import { jpeg, png } from '../../../test/pictures.ts'
import { invalid, refusal } from '../../../test/refused.ts'
import { ffmpeg } from '../../../test/tools.ts'
import { brokenInvariants } from '../../invariants/invariants.ts'
import { transact } from '../../platform/database/database.ts'
import { sweep } from '../../platform/media/storage/sweep.ts'
import { fileSources } from '../../slices.ts'
import { demandPlace } from './video-conversion.ts'

const image = new Blob([await png({ width: 48, height: 32 })])
const blob = (bytes: Uint8Array) => new Blob([new Uint8Array(bytes)])
const types = 'The video field must be a file of type: mp4, mov, avi, wmv.'

const field = (name: string) => readFile(new URL(`../../../test/fixtures/field/${name}`, import.meta.url))
/** Its index leads nowhere. */
const scrambled = (film: Buffer) => film.fill(0xee, film.indexOf('moov') + 4)

const bytesMax = 2 * 1024 * 1024
const app = hasFfmpeg ? await openTestApp({ videoBytesMax: bytesMax }, { video: await filmTool() }) : undefined

const gathering = async () => {
  if (!app) throw new Error('no service')
  const [olivia, gus] = (await Promise.all([enter(app, 'olivia'), enter(app, 'gus')])) as [Member, Member]
  const { id: event_id } = await olivia.api.events.saveEvent(evening())
  await bringIn(olivia, event_id, gus)
  const heard = await listen(app, olivia)
  const upload = async (film: Buffer, more = {}) =>
    gus.extra.gallery.uploadPhoto({ event_id, image, video: blob(film), ...more })
  return { olivia, gus, event_id, heard, upload }
}
const ended = (heard: Listener, id: string) =>
  vi.waitFor(
    () => {
      const last = heard.of('photo.updated').findLast(photo => photo.id === id)
      expect(['ready', 'failed']).toContain(last?.extra?.video_state?.state)
      return last as NonNullable<typeof last>
    },
    { timeout: 60_000, interval: 20 },
  )
/** The announcements after the first this many: three, with the state by then, never backwards. Returns the end. */
const told = async (heard: Listener, from: number) => {
  const states = () =>
    heard
      .of('photo.updated')
      .slice(from)
      .map(({ extra }) => extra?.video_state?.state ?? '')
  await expect.poll(states).toHaveLength(3)
  const way = ['waiting', 'converting', 'ready', 'failed']
  expect(states()).toEqual(states().toSorted((a, b) => way.indexOf(a) - way.indexOf(b)))
  return states().at(-1)
}
const temporaries = () => readdir(join(app?.dataDir ?? '', 'media', 'tmp'))

needing(ffmpeg).describe('a video', () => {
  test('larger than the converted one can be saved in its own resolution, without location and encoder data', {
    tags: 'slow',
  }, async () => {
    const { olivia, upload, heard } = await gathering()
    const wish = { width: 2048, height: 1152, seconds: 1, fps: 5 }
    for (const [film, codec, word] of [
      [await mp4(wish), 'h264', 'x264'],
      [await iphoneMov(wish), 'hevc', place],
    ] as const) {
      expect(film.includes(word)).toBe(true)
      const { extra, event_photo_url, id } = await ended(heard, (await upload(film)).id)
      expect(
        (await watch(new Uint8Array(await (await fetch(event_photo_url)).arrayBuffer()))).streams[0],
      ).toMatchObject({ codec_name: 'h264' })
      const saved = await fetch(extra?.original?.url ?? '')
      expect(saved.headers.get('content-disposition')).toMatch(/^attachment; filename=".*\.mp4"/)
      const bytes = Buffer.from(await saved.arrayBuffer())
      const [width, height] = codec === 'hevc' ? [1152, 2048] : [2048, 1152]
      expect(extra?.original).toMatchObject({ width, height, bytes: bytes.length, type: 'video/mp4' })
      expect((await watch(bytes)).streams.find(({ codec_type }) => codec_type === 'video')).toMatchObject({
        codec_name: codec,
      })
      for (const trace of [word, '2026-06-21', 'Lavf', 'creation']) expect(bytes.includes(trace)).toBe(false)
      // No viewer sees it.
      expect((await olivia.api.gallery.readPhoto({ event_photo_id: Number(id) })).event_photo_url).toBe(event_photo_url)
    }
  })

  test('is a photo with its still at once, and plays when it is converted', async () => {
    const { olivia, upload, heard } = await gathering()
    const film = await iphoneMov()
    const photo = await upload(film)
    expect(photo.extra).toMatchObject({
      video: true,
      taken_at: '2026-06-21T21:04:11.000Z',
      video_state: { state: 'waiting', progress: 0, reason: null },
    })
    expect((await fetch(photo.event_photo_url)).headers.get('content-type')).toMatch(/^image\//)

    const playing = await ended(heard, photo.id)
    expect(playing).toEqual(await olivia.extra.gallery.readPhoto({ event_photo_id: Number(photo.id) }))
    expect(playing.extra?.video_state).toMatchObject({ state: 'ready', progress: 100, reason: null })
    expect(Math.abs((playing.extra?.video_state?.duration_ms ?? 0) - 1000)).toBeLessThan(200)
    const states = heard.of('photo.updated').map(({ extra }) => extra?.video_state?.state)
    expect([states[0], states.at(-1)]).toEqual(['converting', 'ready'])

    const whole = await fetch(playing.event_photo_url)
    expect(whole.headers.get('content-type')).toBe('video/mp4')
    const bytes = Buffer.from(await whole.arrayBuffer())
    const { streams } = await watch(bytes)
    expect(streams.map(({ codec_name }) => codec_name)).toEqual(['h264', 'aac'])
    expect(bytes.includes(place)).toBe(false)
    for (const still of [playing.event_photo_preview_url, playing.extra?.video_state?.poster_url ?? ''])
      expect((await fetch(still)).headers.get('content-type')).toMatch(/^image\//)
    expect(await temporaries()).toEqual([])
  })

  test('is played by ranges, under a URL that ends when somebody loses access', { tags: 'slow' }, async () => {
    const { olivia, gus, event_id, upload, heard } = await gathering()
    const { event_photo_url: url } = await ended(heard, (await upload(await mp4())).id)
    const ask = (range: string, method = 'GET') => fetch(url, { method, headers: { range } })
    const length = Number((await fetch(url, { method: 'HEAD' })).headers.get('content-length'))
    const part = await ask('bytes=0-99')
    expect([part.status, part.headers.get('content-range')]).toEqual([206, `bytes 0-99/${length}`])
    expect((await part.arrayBuffer()).byteLength).toBe(100)
    expect(part.headers.get('accept-ranges')).toBe('bytes')
    expect((await ask(`bytes=${length}-`)).status).toBe(416)
    await olivia.api.events.removeGuest({ event_id, user_id: gus.id })
    expect((await ask('bytes=0-99')).status).toBe(404)
  })

  test.each([
    ['wmv', wmv],
    ['avi', mjpegAvi],
  ])('may come as %s', async (_, make) => {
    const { upload, heard } = await gathering()
    const { event_photo_url: url, event_photo_preview_url: preview } = await ended(
      heard,
      (await upload(await make())).id,
    )
    expect([url, preview].map(each => new URL(each).pathname.split('/').at(-1))).toEqual(['video.mp4', 'preview.jpg'])
    const { streams } = await watch(new Uint8Array(await (await fetch(url)).arrayBuffer()))
    expect(streams.map(({ codec_name }) => codec_name)).toEqual(['h264', 'aac'])
  })

  test('is refused by name and leaves nothing if it is invalid or too large', { tags: 'slow' }, async () => {
    const { upload, olivia, event_id } = await gathering()
    const kilobytes = 'The video field must not be greater than 2048 kilobytes.'
    const wrong: [Buffer, string][] = [
      [Buffer.from('#EXTM3U\n/etc/passwd\n'), types],
      [await png(), types],
      [await soundOnly(), 'The video field has no moving picture.'],
      [(await mp4({ seconds: 2 })).subarray(0, 3000), 'The video field is incomplete: its end is missing.'],
      [await field('cut-film.mp4'), 'The video field is incomplete: its end is missing.'],
      [scrambled(await mp4()), 'The video field is damaged and cannot be read.'],
      [Buffer.alloc(bytesMax + 1), kilobytes],
    ]
    for (const [bytes, sentence] of wrong) expect(await refusal(upload(bytes))).toEqual(invalid('video', sentence))
    expect(await temporaries()).toEqual([])
    const text = new FormData()
    for (const [name, value] of [
      ['event_id', String(event_id)],
      ['image', image],
      ['video', 'a film'],
    ] as const)
      text.append(name, value as Blob)
    const headers = { authorization: `Bearer ${olivia.token}` }
    const reply = await fetch(`${app?.url}/api/gallery/upload`, { method: 'POST', headers, body: text })
    expect([reply.status, await reply.json()]).toEqual([400, { video: [types] }])
    expect((await olivia.api.gallery.listPhotos({ event_id, page: 1, page_length: 9 })).data).toEqual([])
  })

  test('uploaded twice is one photo, whatever its still; with one still two videos are two', {
    tags: 'slow',
  }, async () => {
    const { gus, event_id, upload } = await gathering()
    const [film, other] = [await mp4(), await mp4({ seconds: 2 })]
    const first = await upload(film)
    const still = new Blob([await png({ width: 40, height: 40, seed: 5 })])
    expect((await upload(film, { image: still })).id).toBe(first.id)
    const second = await upload(other)
    const picture = await gus.extra.gallery.uploadPhoto({ event_id, image })
    expect(new Set([first.id, second.id, picture.id]).size).toBe(3)
    expect([second, picture].map(({ extra }) => extra?.same_as)).toEqual([null, null])
    const sha256 = createHash('sha256').update(other).digest('hex')
    const { known } = await gus.api.gallery.checkUploads({ event_id, sha256: [sha256] })
    expect(known).toEqual([{ sha256, event_photo_id: Number(second.id), mine: true }])
  })

  test('that cannot be converted says why, and its still stays', { tags: 'slow' }, async () => {
    const { upload, heard, olivia, event_id } = await gathering()
    const film = await mp4({ seconds: 2 })
    // Its header is intact, its frames are not.
    const begin = film.indexOf('mdat') + 4
    film.fill(0, begin, film.indexOf('moov') > begin ? film.indexOf('moov') - 4 : film.length)
    const failed = await ended(heard, (await upload(film)).id)
    expect(failed.extra?.video_state).toMatchObject({ state: 'failed', reason: 'The video is damaged.' })
    expect((await fetch(failed.event_photo_url)).headers.get('content-type')).toMatch(/^image\//)
    const again = await olivia.extra.gallery.readPhoto({ event_photo_id: Number(failed.id) })
    expect(again.extra?.video_state).toEqual(failed.extra?.video_state)
    expect(await temporaries()).toEqual([])
    const sha256 = [createHash('sha256').update(film).digest('hex')]
    expect((await olivia.api.gallery.checkUploads({ event_id, sha256 })).known).toEqual([])

    const before = heard.of('photo.updated').length
    expect((await upload(film)).extra?.video_state).toMatchObject({ state: 'waiting', reason: null })
    expect(await told(heard, before)).toBe('failed')
    expect((await olivia.api.gallery.listPhotos({ event_id, page: 1, page_length: 9 })).data).toHaveLength(1)
  })

  test('is retried, and says so, after other faults; the same bytes again are tried at once', {
    tags: 'slow',
  }, async () => {
    const { upload, heard } = await gathering()
    const { db, storage } = app as NonNullable<typeof app>
    /** It waits behind another, unless the machine is too busy to remove it in time. */
    const withoutItsFile = async (seconds: number): Promise<{ film: Buffer; id: string }> => {
      await upload(await mp4({ seconds: seconds + 1 }))
      const film = await mp4({ seconds })
      const { id } = await upload(film)
      await storage.remove(createHash('sha256').update(film).digest('hex'))
      const { rows } = await sql<{
        state: string
      }>`select state from videos where media_id = (select media_id from photos where id = ${id})`.execute(db)
      return rows[0]?.state === 'waiting' ? { film, id } : withoutItsFile(seconds + 0.1)
    }
    const { film, id } = await withoutItsFile(2)
    const last = () => heard.of('photo.updated').findLast(photo => photo.id === id)?.extra?.video_state
    const reason = 'The server could not convert the video now; it tries again.'
    await expect.poll(last).toMatchObject({ state: 'waiting', reason })
    await sql`update videos set faults = 12 where media_id = (select media_id from photos where id = ${id})`.execute(db)
    expect((await ended(heard, id)).extra?.video_state).toMatchObject({
      state: 'failed',
      reason: 'The video could not be converted, though it was tried several times.',
    })
    // It starts and ends twice; each change is announced with the state by then.
    await expect.poll(() => heard.of('photo.updated').filter(photo => photo.id === id)).toHaveLength(4)
    const before = heard.of('photo.updated').length
    expect((await upload(film)).id).toBe(id)
    await expect.poll(last).toMatchObject({ state: 'ready', reason: null })
    expect(await told(heard, before)).toBe('ready')
    expect(await temporaries()).toEqual([])
  })

  test('shows a frame of its own if its still shows nothing, and otherwise its still', {
    tags: 'slow',
  }, async () => {
    const { upload, heard, gus, event_id } = await gathering()
    const black = { create: { width: 400, height: 400, channels: 3 as const, background: '#000' } }
    const nothing = new Blob([new Uint8Array(await sharp(black).png().toBuffer())])
    const before = await upload(await mp4({ width: 320, height: 180 }), { image: nothing })
    const after = await ended(heard, before.id)
    expect(after.extra).toMatchObject({ width: 320, height: 180, thumbhash: expect.any(String) })
    for (const url of [after.event_photo_preview_url, after.extra?.video_state?.poster_url ?? '']) {
      const { width, height } = await sharp(Buffer.from(await (await fetch(url)).arrayBuffer())).metadata()
      expect({ width, height }).toEqual({ width: 320, height: 180 })
    }
    // No URL ever shows a different picture than before.
    expect((await fetch(before.event_photo_preview_url)).status).toBe(404)
    await gus.api.gallery.deletePhoto({ event_photo_id: Number(after.id) })
    const [deleted] = (await gus.api.gallery.listDeletedPhotos({ event_id, page: 1, page_length: 1 })).data
    expect((await fetch(deleted?.event_photo_preview_url ?? '')).status).toBe(200)

    const still = new Blob([new Uint8Array(await jpeg({ width: 400, height: 300 }))])
    const shown = await upload(await mp4({ seconds: 2 }), { image: still })
    const { event_photo_preview_url, extra } = await ended(heard, shown.id)
    // Each viewer gets the same picture in a link of their own.
    expect(withoutHolders(event_photo_preview_url)).toBe(withoutHolders(shown.event_photo_preview_url))
    expect(extra).toMatchObject({ width: 400, height: 300 })
  })

  test('whose file is being swept is no upload, and becomes one when it is sent again', {
    tags: 'slow',
  }, async () => {
    const { upload, heard } = await gathering()
    const { db, storage } = app as NonNullable<typeof app>
    const film = await mp4({ seconds: 2, fps: 12 })
    const sha256 = createHash('sha256').update(film).digest('hex')
    const { path } = storage.temporary()
    await writeFile(path, film)
    await storage.put(path, sha256)
    const [removing, goOn] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    const remove = async (hash: string) => {
      if (hash === sha256) {
        removing.resolve()
        await goOn.promise
      }
      await storage.remove(hash)
    }
    const swept = later(sweep(db, { ...storage, remove }, fileSources, { graceMs: -3_600_000 }))
    await removing.promise
    const uploading = upload(film).catch(error => error)
    await vi.waitFor(async () => {
      const { rows } = await sql`select from pg_locks where locktype = 'advisory' and not granted`.execute(db)
      expect(rows).toHaveLength(1)
    })
    goOn.resolve()
    await swept
    expect(await uploading).toMatchObject({ status: 503, body: { message: 'Service Unavailable' } })
    await ended(heard, (await upload(film)).id)
    expect(await brokenInvariants(db, storage, { graceMs: 3_600_000 })).toEqual([])
  })

  test('of an uploader with one precedes the last of an uploader with many, and too many are refused', {
    tags: 'slow',
  }, async () => {
    const { olivia, event_id, heard, upload } = await gathering()
    const db = app?.db as NonNullable<typeof app>['db']
    const films = await Promise.all([320, 72, 80, 88, 96].map(width => mp4({ width, seconds: width === 320 ? 6 : 1 })))
    const [first, second, third, fourth, hers] = films as [Buffer, Buffer, Buffer, Buffer, Buffer]
    const running = await upload(first)
    // The one being converted waits for us, and the others wait for it.
    const uploaded = await transact(db, async tx => {
      await sql`select from videos where media_id = (select media_id from photos where id = ${Number(running.id)}) for update`.execute(
        tx,
      )
      const his = []
      for (const film of [second, third, fourth]) his.push((await upload(film)).id)
      const { id } = await olivia.extra.gallery.uploadPhoto({ event_id, image, video: blob(hers) })
      const takenBy = Number(running.taken_by.id)
      for (const most of [
        { each: 3, all: 9 },
        { each: 9, all: 4 },
      ])
        await expect(transact(db, own => demandPlace(own, takenBy, most))).rejects.toThrow('Too many videos wait')
      return { his, hers: id }
    })
    await Promise.all([...uploaded.his, uploaded.hers].map(id => ended(heard, id)))
    const ready = heard.of('photo.updated').filter(({ extra }) => extra?.video_state?.state === 'ready')
    const order = ready.map(({ id }) => id)
    expect(order.indexOf(uploaded.hers)).toBeLessThan(order.indexOf(uploaded.his.at(-1) ?? ''))
  })

  test('deleted before its conversion is converted for nobody', async () => {
    const { upload, gus, heard } = await gathering()
    const [first, second] = [await upload(await mp4({ seconds: 3 })), await upload(await mp4())]
    await gus.api.gallery.deletePhoto({ event_photo_id: Number(second.id) })
    await ended(heard, first.id)
    const left = async () => {
      const { rows } = await sql<{ left: number }>`
        select count(*) as left from jobs`.execute(app?.db as NonNullable<typeof app>['db'])
      return rows[0]?.left
    }
    await expect.poll(left).toBe(0)
    const told = heard.of('photo.updated').filter(({ id }) => id === second.id)
    expect(told.map(({ extra }) => extra?.video_state?.state)).not.toContain('ready')
    expect(await temporaries()).toEqual([])
  })
})

test('a service without a converter refuses videos with that reason, and accepts photos', async () => {
  const bare = await openTestApp()
  const olivia = await enter(bare, 'olivia')
  const { id: event_id } = await olivia.api.events.saveEvent(evening())
  const video = blob(Buffer.from('\0\0\0\x18ftypisom\0\0\0\0mp42isom', 'latin1'))
  expect(await refusal(olivia.api.gallery.uploadPhoto({ event_id, image, video }))).toEqual(
    invalid('video', 'The video field is not accepted, as this server has nothing to convert videos with.'),
  )
  expect((await olivia.extra.gallery.uploadPhoto({ event_id, image })).extra).toMatchObject({
    video: false,
    video_state: null,
  })
})
