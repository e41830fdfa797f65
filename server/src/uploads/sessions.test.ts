import { createHash } from 'node:crypto'
import { readdir } from 'node:fs/promises'
import { connect } from 'node:net'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { describe, expect, test, vi } from 'vitest'
import { openTestApp } from '../../test/app.ts'
import { enter, type Member } from '../../test/cast.ts'
import { galleryRows } from '../../test/gallery-state.ts'
import { later } from '../../test/later.ts'
import { bringIn, evening, party } from '../../test/party.ts'
import { anew, jpeg } from '../../test/pictures.ts'
import { invalid, refusal } from '../../test/refused.ts'
import { addressOf, sessionIn, tusFor } from '../../test/tus.ts'
import { openDisk } from '../platform/media/storage/disk.ts'
import { openSessionFiles } from '../platform/media/storage/session-files.ts'
import { openSessionParts } from '../platform/media/storage/session-parts.ts'
import { sweepSessions } from './upload-sessions.ts'

const quota = 2
const app = await openTestApp({ photosPerGuest: quota, photoBytesMax: 8 * 1024 * 1024 })
const { olivia, gus, sam, remy } = await party(app)
const picture = await jpeg({ width: 640, height: 480, grain: 8 })
const half = picture.length >> 1
/** The same picture with different bytes, which make a photo of their own. */
const another = () => anew(new Blob([new Uint8Array(picture)]))
const tus = (by: Member) => tusFor(app.url, by)

const partyOf = async (...guests: Member[]) => {
  const { id } = await olivia.api.events.saveEvent(evening())
  for (const guest of guests) await bringIn(olivia, id, guest)
  return id
}
const open = (by: Member, event_id: number, fields = {}, bytes = picture.length) =>
  addressOf(tus(by).open(bytes, { event_id, kind: 'image', filename: 'lights.jpg', ...fields }))
const whole = async (by: Member, event_id: number, fields = {}) => {
  const at = await open(by, event_id, fields)
  expect((await tus(by).patch(at, 0, picture)).status).toBe(204)
  return at
}
const use = (by: Member, event_id: number, at: string, fields = {}) =>
  by.api.gallery.uploadPhoto({ event_id, image_session_id: sessionIn(at), ...fields })
const told = async (sent: Promise<Response>) => {
  const reply = await sent
  const text = await reply.text()
  return { status: reply.status, body: text.startsWith('{') ? JSON.parse(text) : text }
}
const offsetOf = async (by: Member, at: string) => Number((await tus(by).head(at)).headers.get('upload-offset'))

const unknown = { status: 404, body: 'Upload session not found!' }
const mayNot = { status: 400, body: { error: "You're not authorized to upload an image for this event." } }
const tooMany = { status: 400, body: { error: "You've exceeded the maximum number of photos allowed to be uploaded." } }
const notThatOne = invalid('image_session_id', 'The selected image session id is invalid.')
const onDisk = process.env.TEST_STORAGE !== 's3'
/** IDs of the sessions that have bytes. */
const sessionFiles = async () =>
  onDisk
    ? readdir(join(app.dataDir, 'media', 'sessions'))
    : (await app.db.selectFrom('upload_parts').select('session_id').distinct().execute()).map(row => row.session_id)
const receivedOf = async (at: string) =>
  (
    await app.db
      .selectFrom('upload_sessions')
      .select('received')
      .where('id', '=', sessionIn(at))
      .executeTakeFirstOrThrow()
  ).received
const roomOf = async ({ id }: Member) =>
  (await app.db.selectFrom('stored_bytes').select('bytes').where('user_id', '=', id).executeTakeFirst())?.bytes ?? 0
const temporaries = () => readdir(join(app.dataDir, 'media', 'tmp'))

describe('a file in several parts', () => {
  test('becomes the same photo as the whole', async () => {
    const event_id = await partyOf(gus)
    const at = await open(gus, event_id, { checksum: createHash('sha256').update(picture).digest('hex') })
    const first = await tus(gus).patch(at, 0, picture.subarray(0, half))
    expect([first.status, first.headers.get('upload-offset')]).toEqual([204, String(half)])
    expect(new Date(first.headers.get('upload-expires') as string).getTime()).toBeGreaterThan(Date.now() + 86_000_000)
    const asked = await tus(gus).head(at)
    expect([asked.status, asked.headers.get('upload-offset'), asked.headers.get('upload-length')]).toEqual([
      200,
      String(half),
      String(picture.length),
    ])
    expect(await refusal(use(gus, event_id, at))).toEqual(notThatOne)
    expect((await tus(gus).patch(at, half, picture.subarray(half))).status).toBe(204)
    const photo = await use(gus, event_id, at)
    const direct = await olivia.api.gallery.uploadPhoto({ event_id, image: new Blob([new Uint8Array(picture)]) })
    const bytesOf = async (url: string) => Buffer.from(await (await fetch(url)).arrayBuffer())
    expect((await bytesOf(photo.event_photo_url)).equals(await bytesOf(direct.event_photo_url))).toBe(true)
    expect(photo.taken_by.id).toBe(gus.id)
    expect(await sessionFiles()).not.toContain(sessionIn(at))
    expect(await temporaries()).toEqual([])
  })

  test('is refused in the middle of a request if its event is cancelled', async () => {
    const event_id = await partyOf(gus)
    const at = await open(gus, event_id)
    let over = false
    let began = () => {}
    const sending = new Promise<void>(resolve => {
      began = resolve
    })
    const endless = new ReadableStream({
      async pull(controller) {
        if (over) return controller.close()
        controller.enqueue(picture.subarray(0, 100))
        began()
        await sleep(100)
      },
    })
    const refused = later(told(tus(gus).patch(at, 0, endless)))
    await sending
    await olivia.api.events.cancelEvent({ event_id })
    expect(await refused).toEqual(mayNot)
    over = true
    expect(await told(tus(gus).patch(at, await receivedOf(at), picture))).toEqual(mayNot)
  })

  test('takes no more room, on the disk or in its sender’s quota, once its event is deleted', async () => {
    const event_id = await partyOf(gus)
    const before = await roomOf(gus)
    const at = await open(gus, event_id)
    await tus(gus).patch(at, 0, picture.subarray(0, half))
    expect(await roomOf(gus)).toBe(before + picture.length)
    await olivia.api.events.deleteEvent({ event_id })
    await expect.poll(() => roomOf(gus)).toBe(before)
    await expect.poll(sessionFiles).not.toContain(sessionIn(at))
    expect(await told(tus(gus).patch(at, half, picture.subarray(half)))).toEqual(unknown)
  })

  test('may begin in the request that opens it', async () => {
    const event_id = await partyOf(gus)
    const opened = await fetch(`${app.url}/api/gallery/upload/session`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${gus.token}`,
        'tus-resumable': '1.0.0',
        'upload-length': String(picture.length),
        'upload-metadata': `event_id ${Buffer.from(String(event_id)).toString('base64')},kind ${Buffer.from('image').toString('base64')}`,
        'content-type': 'application/offset+octet-stream',
      },
      body: picture.subarray(0, 1000) as BodyInit,
    })
    expect([opened.status, opened.headers.get('upload-offset')]).toEqual([201, '1000'])
    const at = opened.headers.get('location') as string
    await tus(gus).patch(at, 1000, picture.subarray(1000))
    expect((await use(gus, event_id, at)).taken_by.id).toBe(gus.id)
  })

  test('continues from any byte at which it was cut', async () => {
    const event_id = await partyOf(gus)
    const at = await open(gus, event_id)
    const { port, pathname } = new URL(at)
    let offset = 0
    for (let cut = 1; cut <= 8; cut++) {
      const upto = Math.floor((picture.length * cut) / 9)
      const head = `PATCH ${pathname} HTTP/1.1\r\nHost: test\r\nAuthorization: Bearer ${gus.token}\r\nTus-Resumable: 1.0.0\r\nUpload-Offset: ${offset}\r\nContent-Type: application/offset+octet-stream\r\nContent-Length: ${picture.length - offset}\r\n\r\n`
      await new Promise<void>((resolve, reject) => {
        const socket = connect(Number(port), '127.0.0.1', () => {
          socket.write(head)
          socket.write(picture.subarray(offset, upto), () => setTimeout(() => socket.destroy(), 30))
        })
        socket.on('close', () => resolve()).on('error', reject)
      })
      const reached = await offsetOf(gus, at)
      expect(reached).toBeGreaterThanOrEqual(offset)
      expect(reached).toBeLessThanOrEqual(upto)
      offset = reached
    }
    // Bytes in transit when the connection ends may be lost; what the server had read is not.
    expect(offset).toBeGreaterThan(0)
    expect((await tus(gus).patch(at, offset, picture.subarray(offset))).status).toBe(204)
    expect((await use(gus, event_id, at)).id).toBeTruthy()
  })

  test('takes each byte once: of two simultaneous writers one is refused or waits', async () => {
    const event_id = await partyOf(gus)
    const at = await open(gus, event_id)
    const replies = await Promise.all([0, 1, 2].map(() => tus(gus).patch(at, 0, picture.subarray(0, half))))
    expect(replies.map(({ status }) => status).sort()).toEqual([204, 409, 409])
    expect(await offsetOf(gus, at)).toBe(half)

    const slow = new ReadableStream({
      async start(controller) {
        controller.enqueue(picture.subarray(half, half + 1000))
        setTimeout(() => {
          try {
            controller.close()
          } catch {}
        }, 20_000).unref()
      },
    })
    const stalled = tus(gus)
      .patch(at, half, slow as unknown as BodyInit)
      .then(
        ({ status }) => status,
        () => 'cut',
      )
    await vi.waitFor(async () => expect((await sessionFiles()).length).toBeGreaterThan(0), 20_000)
    await new Promise(resolve => setTimeout(resolve, 100))
    const next = await offsetOf(gus, at)
    expect(next).toBe(half + 1000)
    expect((await tus(gus).patch(at, next, picture.subarray(next))).status).toBe(204)
    expect([204, 'cut']).toContain(await stalled)
    expect((await use(gus, event_id, at)).id).toBeTruthy()
  })
})

describe('a session', () => {
  test('belongs to its creator alone', async () => {
    const event_id = await partyOf(gus, sam)
    const at = await open(gus, event_id)
    for (const other of [olivia, sam]) {
      expect((await tus(other).head(at)).status).toBe(404)
      expect(await told(tus(other).patch(at, 0, picture))).toEqual(unknown)
      expect(await told(tus(other).end(at))).toEqual(unknown)
    }
    await tus(gus).patch(at, 0, picture)
    expect(await refusal(use(sam, event_id, at))).toEqual(notThatOne)
    const elsewhere = await partyOf(gus)
    expect(await refusal(use(gus, elsewhere, at))).toEqual(notThatOne)
    for (const wrong of ['x', '../../secrets', '00000000-0000-4000-8000-000000000000'])
      expect(await refusal(gus.api.gallery.uploadPhoto({ event_id, image_session_id: wrong }))).toEqual(notThatOne)
    expect(await told(tus(gus).patch(`${app.url}/api/gallery/upload/session/none?x=1`, 0, picture))).toEqual(unknown)
    expect((await fetch(at, { method: 'PATCH' })).status).toBe(401)
  })

  test('takes nothing more from a removed guest', async () => {
    const event_id = await partyOf(gus)
    const at = await open(gus, event_id)
    await tus(gus).patch(at, 0, picture.subarray(0, half))
    await olivia.api.events.removeGuest({ event_id, user_id: gus.id })
    expect(await told(tus(gus).patch(at, half, picture.subarray(half)))).toEqual(mayNot)
    expect(await refusal(use(gus, event_id, at))).toEqual(mayNot)
    for (const outsider of [sam, remy]) {
      expect(await told(tus(outsider).open(100, { event_id, kind: 'image' }))).toEqual(mayNot)
    }
    expect(await told(tus(sam).open(100, { event_id: 999_999, kind: 'image' }))).toEqual({
      status: 404,
      body: 'Event not found',
    })
    expect((await tus(gus).end(at)).status).toBe(204)
  })

  test('makes one photo, however often it is used, even simultaneously', async () => {
    const event_id = await partyOf(gus)
    const at = await whole(gus, event_id)
    const photos = await Promise.all([1, 2, 3, 4].map(() => use(gus, event_id, at)))
    expect(new Set(photos.map(({ id }) => id)).size).toBe(1)
    const [photo] = photos
    expect((await use(gus, event_id, at)).id).toBe(photo?.id)
    expect(await told(tus(gus).end(at))).toEqual({ status: 404, body: { error_message: expect.any(String) } })
    const twice = await whole(gus, event_id)
    expect((await use(gus, event_id, twice)).id).toBe(photo?.id)
    await gus.api.gallery.uploadPhoto({ event_id, image: await another() })
    await gus.api.gallery.deletePhoto({ event_photo_id: Number(photo?.id) })
    expect(await refusal(use(gus, event_id, at))).toEqual(notThatOne)
  })

  test('is identified under a key by its received bytes, not by its name', async () => {
    const event_id = await partyOf(gus)
    const bytes = picture.with(-1, 7)
    const send = async (brought: Uint8Array) => {
      const at = await open(gus, event_id)
      await tus(gus).patch(at, 0, Buffer.from(brought))
      return {
        at,
        sent: gus.api.gallery.uploadPhoto({ event_id, image_session_id: sessionIn(at) }, { idempotencyKey: 'known' }),
      }
    }
    const first = await send(picture)
    const { id } = await first.sent
    expect((await (await send(picture)).sent).id).toBe(id)
    const image = new Blob([new Uint8Array(picture)])
    expect((await gus.api.gallery.uploadPhoto({ event_id, image }, { idempotencyKey: 'known' })).id).toBe(id)
    const other = await send(bytes)
    expect((await refusal(other.sent)).body).toEqual({
      error_message: 'The Idempotency-Key was used before with another request.',
    })
    // Nothing of it is lost.
    expect((await use(gus, event_id, other.at)).id).not.toBe(id)
  })

  test('reserves a place in the number of photos until it is used or over', async () => {
    const event_id = await partyOf(gus)
    const opened = await Promise.all(
      [1, 2, 3, 4, 5].map(() => tus(gus).open(picture.length, { event_id, kind: 'image' })),
    )
    expect(opened.map(({ status }) => status).sort()).toEqual([201, 201, 400, 400, 400])
    const [first, second] = opened
      .filter(({ status }) => status === 201)
      .map(({ headers }) => headers.get('location') as string) as [string, string]
    const direct = async () => gus.api.gallery.uploadPhoto({ event_id, image: await another() })
    expect(await refusal(direct())).toEqual(tooMany)
    // An open video may belong to one of the two images.
    const film = await addressOf(tus(gus).open(100, { event_id, kind: 'video' }))
    await tus(gus).patch(first, 0, picture)
    await tus(gus).end(film)
    await use(gus, event_id, first)
    expect(await refusal(direct())).toEqual(tooMany)
    expect((await tus(gus).end(second)).status).toBe(204)
    await direct()
    expect(await told(tus(gus).open(100, { event_id, kind: 'image' }))).toEqual(tooMany)
  })

  test('expires a day after its last byte: it frees its place and leaves no file', async () => {
    const event_id = await partyOf(gus)
    const [stale, kept] = [await open(gus, event_id), await open(gus, event_id)]
    for (const at of [stale, kept]) await tus(gus).patch(at, 0, picture.subarray(0, half))
    await sql`update upload_sessions set touched_at = now() - interval '25 hours' where id = ${sessionIn(stale)}`.execute(
      app.db,
    )
    expect((await tus(gus).head(stale)).status).toBe(404)
    expect(await told(tus(gus).patch(stale, half, picture.subarray(half)))).toEqual(unknown)
    const third = await open(gus, event_id)
    const files = onDisk
      ? openSessionFiles(join(app.dataDir, 'media', 'sessions'), await openDisk(join(app.dataDir, 'elsewhere')))
      : openSessionParts(app.db, app.storage)
    await sweepSessions(app.db, await files)
    const left = await sessionFiles()
    expect(left).toContain(sessionIn(kept))
    expect(left).not.toContain(sessionIn(stale))
    expect(await offsetOf(gus, kept)).toBe(half)
    expect(await offsetOf(gus, third)).toBe(0)
  })

  test('opened again with the same key is the same one', async () => {
    const event_id = await partyOf(gus)
    const again = () => tus(gus).open(500, { event_id, kind: 'image' }, { 'idempotency-key': 'one file' })
    const opened = await Promise.all([again(), again(), again()])
    expect(new Set(opened.map(({ headers }) => headers.get('location'))).size).toBe(1)
    expect(opened.filter(({ headers }) => headers.get('idempotency-replayed')).length).toBe(2)
    const other = tus(gus).open(501, { event_id, kind: 'image' }, { 'idempotency-key': 'one file' })
    expect((await told(other)).status).toBe(400)
  })
})

describe('an invalid session is refused, and leaves nothing:', async () => {
  const event_id = await partyOf(gus)
  const image = { event_id, kind: 'image' }
  test.each([
    ['no metadata', 100, {}, 400],
    ['no event', 100, { kind: 'image' }, 400],
    ['another kind', 100, { event_id, kind: 'sound' }, 400],
    ['a checksum that is none', 100, { ...image, checksum: 'abc' }, 400],
    ['a name with NUL', 100, { ...image, filename: 'a\0b' }, 400],
    ['no byte at all', 0, image, 400],
    ['a negative length', -1, image, 400],
    // A RAW is uploaded as an image, too.
    ['more than an image may have', 256 * 1024 * 1024 + 1, image, 413],
    ['more than a film may have', 3 * 1024 ** 3, { event_id, kind: 'video' }, 413],
  ])('%s', async (_, bytes, fields, status) => {
    const before = await galleryRows(app.db)
    const reply = await told(tus(gus).open(bytes, fields))
    expect([reply.status, typeof reply.body]).toEqual([status, 'object'])
    expect(await galleryRows(app.db)).toEqual(before)
  })

  test('another version of the protocol', async () => {
    const reply = await tus(gus).open(100, image, { 'tus-resumable': '0.2.2' })
    expect([reply.status, reply.headers.get('tus-version')]).toEqual([412, '1.0.0'])
    const without = await fetch(`${app.url}/api/gallery/upload/session`, {
      method: 'POST',
      headers: { authorization: `Bearer ${gus.token}` },
    })
    expect([without.status, without.headers.get('tus-version')]).toEqual([412, '1.0.0'])
  })

  test('bytes at another offset, beyond the end, or of another type; the connection goes on', async () => {
    const at = await open(gus, event_id)
    expect((await told(tus(gus).patch(at, 10, picture))).status).toBe(409)
    expect((await told(tus(gus).patch(at, 0, Buffer.concat([picture, picture])))).status).toBe(413)
    expect((await told(tus(gus).patch(at, 0, picture, { 'content-type': 'application/json' }))).status).toBe(400)
    expect((await told(tus(gus).patch(at, 0, picture, { 'upload-offset': '-1' }))).status).toBe(400)
    expect(await offsetOf(gus, at)).toBe(0)
    await tus(gus).end(at)
  })

  test('a file other than the announced one', async () => {
    const at = await whole(gus, event_id, { checksum: 'a'.repeat(64) })
    expect(await refusal(use(gus, event_id, at))).toEqual(
      invalid('image_session_id', 'The image session id field does not have the announced checksum.'),
    )
    await tus(gus).end(at)
    const text = await open(gus, event_id, {}, 5)
    await tus(gus).patch(text, 0, 'hello')
    expect((await refusal(use(gus, event_id, text))).status).toBe(400)
    await tus(gus).end(text)
    expect(await temporaries()).toEqual([])
  })

  test('a file in the form as well', async () => {
    const at = await whole(gus, event_id)
    const image = new Blob([new Uint8Array(picture)])
    expect(await refusal(use(gus, event_id, at, { image }))).toEqual(notThatOne)
    expect(await refusal(gus.api.gallery.uploadPhoto({ event_id } as never))).toEqual(
      invalid('image', 'The image field is required.'),
    )
    await tus(gus).end(at)
  })
})

test('the service reports its tus features without a bearer, and its headers to pages of other origins', async () => {
  const abilities = await fetch(`${app.url}/api/gallery/upload/session`, { method: 'OPTIONS' })
  expect([abilities.status, abilities.headers.get('tus-version'), abilities.headers.get('tus-extension')]).toEqual([
    204,
    '1.0.0',
    'creation,creation-with-upload,termination,expiration',
  ])
  const origin = 'https://party.example'
  const open = await openTestApp({}, { env: { CORS_ORIGINS: origin } })
  for (const path of ['', '/00000000-0000-4000-8000-000000000000']) {
    const asked = await fetch(`${open.url}/api/gallery/upload/session${path}`, {
      method: 'OPTIONS',
      headers: { origin, 'access-control-request-method': 'PATCH' },
    })
    expect(asked.headers.get('access-control-allow-methods')).toContain('PATCH')
    expect(asked.headers.get('access-control-allow-headers')).toContain('Upload-Offset')
    expect(asked.headers.get('access-control-allow-origin')).toBe(origin)
  }
  const ana = await enter(open, 'ana')
  const reply = await fetch(`${open.url}/api/gallery/upload/session/00000000-0000-4000-8000-000000000000`, {
    method: 'HEAD',
    headers: { origin, authorization: `Bearer ${ana.token}`, 'tus-resumable': '1.0.0' },
  })
  expect(reply.headers.get('access-control-expose-headers')).toContain('Upload-Offset')
  expect(reply.headers.get('access-control-allow-origin')).toBe(origin)
})

test('uploaded bytes have a rate limit of their own', async () => {
  const strict = await openTestApp({ rateFactor: 1 })
  const ana = await enter(strict, 'ana')
  const at = `${strict.url}/api/gallery/upload/session/00000000-0000-4000-8000-000000000000`
  const reply = await tusFor(strict.url, ana).patch(at, 0, 'x')
  expect([reply.status, reply.headers.get('x-ratelimit-limit')]).toEqual([404, '1200'])
  const direct = await refusal(ana.api.gallery.readPhoto({ event_photo_id: 1 }))
  expect(direct.status).toBe(404)
})
