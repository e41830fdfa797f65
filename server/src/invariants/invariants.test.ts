import { randomBytes } from 'node:crypto'
import { readdir, writeFile } from 'node:fs/promises'
import { connect } from 'node:net'
import { join } from 'node:path'
import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { openTestApp, type TestApp } from '../../test/app.ts'
import { closed } from '../../test/closed.ts'
import { needing } from '../../test/needing.ts'
import { party } from '../../test/party.ts'
import { padded } from '../../test/picture-blocks.ts'
import { anew, jpeg } from '../../test/pictures.ts'
import { envOf, s3Place } from '../../test/s3.ts'
import { openProxy } from '../../test/s3-proxy.ts'
import { smallDisk } from '../../test/small-disk.ts'
import { s3 } from '../../test/tools.ts'
import { addressOf, sessionIn, tusFor } from '../../test/tus.ts'
import { sweep } from '../platform/media/storage/sweep.ts'
import { fileSources } from '../slices.ts'
import { brokenInvariants } from './invariants.ts'

const picture = new Blob([await jpeg({ width: 160, height: 120 })])
const everythingIsOld = { graceMs: -3_600_000 }
const broken = (app: TestApp) => brokenInvariants(app.db, app.storage, everythingIsOld)
/** After a sweep no file lacks a row; before it no row lacks a file; and no temporary is left. */
const holds = async (app: TestApp) => {
  await expect.poll(() => readdir(join(app.dataDir, 'media', 'tmp'))).toEqual([])
  expect((await broken(app)).filter(({ what }) => what !== 'a file has no row')).toEqual([])
  await sweep(app.db, app.storage, fileSources, everythingIsOld)
  expect(await broken(app)).toEqual([])
}

describe('on disk', async () => {
  const app = await openTestApp({ photosPerGuest: 3 })
  const { gus, olivia, event, chatId } = await party(app)
  const upload = async () => gus.api.gallery.uploadPhoto({ event_id: event.id, image: await anew(picture) })

  test('the invariants hold after ordinary work, and a violation is named', async () => {
    const { id } = await upload()
    await olivia.api.gallery.likePhoto({ event_photo_id: Number(id) })
    const message = { group_chat_id: chatId, message_content: 'x', attachments: [await anew(picture)] }
    await gus.api.chats.saveMessage(message)
    await holds(app)

    const temporary = app.storage.temporary()
    await writeFile(temporary.path, 'orphan')
    await app.storage.put(temporary.path, 'a'.repeat(64))
    await sql`update photos set likes_count = 7 where id = ${id}`.execute(app.db)
    const { rows } = await sql<{ id: number; sha256: string }>`
      select m.id, original_sha256 as sha256 from media m join photos p on p.media_id = m.id where p.id = ${id}`.execute(
      app.db,
    )
    await app.storage.remove(rows[0]?.sha256 as string)
    expect(await broken(app)).toEqual([
      { what: 'a file of media is missing', about: `${rows[0]?.id}: ${rows[0]?.sha256}` },
      { what: 'a file has no row', about: 'a'.repeat(64) },
      { what: 'the likes of a photo are not its count', about: id },
    ])
    await sql`update photos set likes_count = 1 where id = ${id}`.execute(app.db)
    await olivia.api.gallery.deletePhoto({ event_photo_id: Number(id) })
    await sql`update media set removed_at = to_timestamp(0) where id = ${rows[0]?.id}`.execute(app.db)
  })

  test('the invariants hold after bodies cut at any byte', async () => {
    const bytes = Buffer.from(await picture.arrayBuffer())
    const head = `--b\r\ncontent-disposition: form-data; name="event_id"\r\n\r\n${event.id}\r\n--b\r\ncontent-disposition: form-data; name="image"; filename="a.jpg"\r\n\r\n`
    const body = Buffer.concat([Buffer.from(head), bytes, randomBytes(70_000), Buffer.from('\r\n--b--\r\n')])
    const { hostname, port } = new URL(app.url)
    const cutAt = (length: number) => {
      const socket = connect(Number(port), hostname, () => {
        socket.write(
          `POST /api/gallery/upload HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${gus.token}\r\ncontent-type: multipart/form-data; boundary=b\r\ncontent-length: ${body.length}\r\n\r\n`,
        )
        socket.write(body.subarray(0, length), () => setTimeout(() => socket.destroy(), 5))
      })
      return closed(socket)
    }
    const places = Array.from({ length: 50 }, (_, at) => Math.floor((body.length * at) / 50))
    for (let at = 0; at < places.length; at += 10) await Promise.all(places.slice(at, at + 10).map(cutAt))
    await holds(app)
  })

  test('the invariants hold after many uploads for the last place', async () => {
    const results = await Promise.allSettled(Array.from({ length: 6 }, upload))
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(3)
    await holds(app)
  })
})

const small = process.env.TEST_STORAGE === 's3' ? undefined : smallDisk(8 * 1024 * 1024)

describe('on a disk that is full', { skip: !small }, () => {
  test('a full disk refuses uploads and serves reads; with room again, unfinished uploads complete', async () => {
    const disk = small as NonNullable<typeof small>
    const app = await openTestApp({}, { env: { DATA_DIR: disk.path } })
    const { gus, event } = await party(app)
    const plain = Buffer.from(await picture.arrayBuffer())
    const large = () => new Blob([new Uint8Array(padded(plain, 600_000))])
    const upload = (image = large()) => gus.api.gallery.uploadPhoto({ event_id: event.id, image })
    const { event_photo_url } = await upload()
    const bytes = Buffer.from(await large().arrayBuffer())
    const tus = tusFor(app.url, gus)
    const at = await addressOf(tus.open(bytes.length, { event_id: event.id, kind: 'image' }))
    expect((await tus.patch(at, 0, bytes.subarray(0, 100_000))).status).toBe(204)

    await disk.fill(300_000)
    for (const image of [large(), large(), large()]) await expect(upload(image)).rejects.toMatchObject({ status: 503 })
    expect((await tus.patch(at, 100_000, bytes.subarray(100_000))).status).toBe(503)
    // Space for the upload but for none of the sizes made from it.
    await disk.makeRoom()
    const grainy = await jpeg({ width: 1000, height: 800, grain: 60 })
    await disk.fill(grainy.length + 50_000)
    await expect(upload(new Blob([new Uint8Array(grainy)]))).rejects.toMatchObject({ status: 503 })
    expect((await fetch(event_photo_url)).status).toBe(200)
    expect((await gus.api.gallery.listPhotos({ event_id: event.id, page: 1, page_length: 9 })).data).toHaveLength(1)
    await expect.poll(() => readdir(join(app.dataDir, 'media', 'tmp'))).toEqual([])

    await disk.makeRoom()
    await upload()
    const received = Number((await tus.head(at)).headers.get('upload-offset'))
    expect(received).toBeGreaterThanOrEqual(100_000)
    expect((await tus.patch(at, received, bytes.subarray(received))).status).toBe(204)
    await gus.api.gallery.uploadPhoto({ event_id: event.id, image_session_id: sessionIn(at) })
    await holds(app)
  })
})

needing(s3).describe('on an S3 that fails', () => {
  test('the service reports puts that S3 refuses, cuts, corrupts or never answers, and continues', {
    tags: 'slow',
  }, async () => {
    const place = await s3Place()
    const proxy = await openProxy(place.endpoint as string)
    const app = await openTestApp({}, { env: envOf({ ...place, endpoint: proxy.endpoint }) })
    const { gus, event } = await party(app)
    const upload = async () => gus.api.gallery.uploadPhoto({ event_id: event.id, image: await anew(picture) })
    for (const fault of ['refuse', 'storedButLost', 'cut', 'flip', 'lie', 'full'] as const) {
      proxy.fail(fault, 1000, 'PUT')
      await expect(upload(), fault).rejects.toMatchObject({ status: 503 })
      proxy.heal()
      await upload()
    }
    await holds(app)
    await proxy.close()
  })
})
