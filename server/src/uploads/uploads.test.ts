import { readdirSync, readFileSync } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { connect } from 'node:net'
import { join } from 'node:path'
import { type RawBuilder, sql } from 'kysely'
import { afterAll, describe, expect, test, vi } from 'vitest'
import { openTestApp } from '../../test/app.ts'
import type { Member } from '../../test/cast.ts'
import { galleryRows, wrongGalleries } from '../../test/gallery-state.ts'
import { heic } from '../../test/heic.ts'
import { ftyp, gifOf, impostors, pngClaiming } from '../../test/hostile-pictures.ts'
import { later } from '../../test/later.ts'
import { bringIn, evening, party } from '../../test/party.ts'
import { anew, avif, gif, jpeg, png, webp } from '../../test/pictures.ts'
import { invalid, refusal } from '../../test/refused.ts'
import { statementsOf } from '../../test/statements.ts'

const quota = 3
const bytesMax = 512 * 1024
const app = await openTestApp({ photosPerGuest: quota, photoBytesMax: bytesMax })
const cast = await party(app)
const { olivia, gus, asha, sam, remy, gwen } = cast
/** A phone's HEIC. */
const phone = async () => new Uint8Array(heic())
const picture = await jpeg({ width: 320, height: 240 })
const image = new Blob([picture])

const tooMany = { status: 400, body: { error: "You've exceeded the maximum number of photos allowed to be uploaded." } }
const mayNot = { status: 400, body: { error: "You're not authorized to upload an image for this event." } }

const partyOf = async (...guests: Member[]) => {
  const { id } = await olivia.api.events.saveEvent(evening())
  for (const guest of guests) await bringIn(olivia, id, guest)
  return id
}
const upload = async (by: Member, event_id: number, fields = {}, idempotencyKey?: string) =>
  by.api.gallery.uploadPhoto(
    { event_id, image: idempotencyKey ? image : await anew(image), ...fields },
    { ...(idempotencyKey && { idempotencyKey }) },
  )

const media = join(app.dataDir, 'media')
const temporaries = () => readdir(join(media, 'tmp'))
const files = async () => (await Array.fromAsync(app.storage.stored())).map(({ sha256 }) => sha256).sort()
/** Everything that an upload could leave behind. */
const traces = async () => ({ rows: await galleryRows(app.db), files: await files(), temporaries: await temporaries() })

afterAll(async () => expect(await wrongGalleries(app.db)).toEqual({}))

const waitingForLocks = async () => {
  const { rows } = await sql<{ waiting: number }>`
    select count(*) as waiting from pg_stat_activity
    where datname = current_database() and wait_event_type = 'Lock'`.execute(app.db)
  return rows[0]?.waiting
}

/** Makes a change and commits it once every request is waiting for its lock, so that they truly collide. */
const afterAllWait = async <Reply>(change: RawBuilder<unknown>, requests: () => Promise<Reply>[]): Promise<Reply[]> => {
  const holder = await app.db.startTransaction().execute()
  let replies: Promise<Reply[]>
  try {
    await change.execute(holder)
    const sent = requests()
    replies = later(Promise.all(sent))
    await vi.waitFor(async () => expect(await waitingForLocks()).toBe(sent.length), { timeout: 60_000 })
  } finally {
    await holder.commit().execute()
  }
  return replies
}

describe('uploading', () => {
  test('is for everybody in the event; everybody else is refused, and nothing is stored', async () => {
    const event_id = await partyOf(gus)
    await asha.api.events.askToJoin({ event_id })
    const before = await traces()
    for (const outsider of [asha, sam, remy, gwen]) expect(await refusal(upload(outsider, event_id))).toEqual(mayNot)
    expect(await refusal(upload(sam, 999_999))).toEqual({ status: 404, body: 'Event not found' })
    expect(await traces()).toEqual(before)
    for (const member of [olivia, gus]) expect((await upload(member, event_id)).taken_by.id).toBe(member.id)
  })

  test('is refused after an earlier committed removal', async () => {
    const event_id = await partyOf(gus)
    const event_photo_id = Number((await upload(gus, event_id)).id)
    const before = await galleryRows(app.db)
    const removal = sql`
      update guests set ended_at = now(), removed = true where event_id = ${event_id} and user_id = ${gus.id}`
    const replies = await afterAllWait(removal, () => [
      refusal(upload(gus, event_id)),
      refusal(gus.api.gallery.likePhoto({ event_photo_id })),
      refusal(gus.api.gallery.saveComment({ event_photo_id, event_photo_comment: 'Just in time?' })),
      refusal(gus.api.gallery.deletePhoto({ event_photo_id })),
      refusal(gus.api.gallery.captionPhoto({ event_photo_id, event_photo_caption: 'x' })),
    ])
    const notInEvent = { error_message: 'User is not allowed to access this event photo' }
    expect(replies.map(({ body }) => body)).toEqual([
      mayNot.body,
      notInEvent,
      { error_message: 'User is not allowed to comment on this event photo' },
      notInEvent,
      notInEvent,
    ])
    expect(await galleryRows(app.db)).toEqual(before)
  })
})

test('an upload takes twenty statements at most, with its key and the reply', async () => {
  const event_id = await partyOf(gus)
  await upload(gus, event_id)
  const blob = await anew(image)
  const taken = () => gus.api.gallery.uploadPhoto({ event_id, image: blob }, { idempotencyKey: 'twenty at most' })
  expect(await statementsOf(taken)).toBeLessThanOrEqual(20)
})

describe('the quota', () => {
  test('holds for simultaneous uploads', async () => {
    const event_id = await partyOf(gus)
    const row = sql`select from guests where event_id = ${event_id} and user_id = ${gus.id} for update`
    const five = () =>
      [1, 2, 3, 4, 5].map(() =>
        upload(gus, event_id).then(
          () => 'uploaded',
          reason => reason,
        ),
      )
    const outcomes = await afterAllWait(row, five)
    const refused = outcomes.filter(outcome => outcome !== 'uploaded')
    expect(refused.map(({ status, body }) => ({ status, body }))).toEqual([tooMany, tooMany])
    expect((await olivia.api.gallery.listPhotos({ event_id, page: 1, page_length: 20 })).data).toHaveLength(quota)
    expect((await upload(olivia, event_id)).taken_by.id).toBe(olivia.id)
  })

  test('refuses before anything is decoded, and frees a deleted photo’s place', async () => {
    const event_id = await partyOf(gus)
    const uploaded = []
    for (let taken = 0; taken < quota; taken++) uploaded.push(await upload(gus, event_id))
    const before = await traces()
    const unseen = new Blob([await jpeg({ seed: 77 })])
    expect(await refusal(upload(gus, event_id, { image: unseen }))).toEqual(tooMany)
    expect(await traces()).toEqual(before)
    await olivia.api.gallery.deletePhoto({ event_photo_id: Number(uploaded[0]?.id) })
    await upload(gus, event_id)
    expect(await refusal(upload(gus, event_id))).toEqual(tooMany)
  })

  test('counts a photo once however often its key is sent, the last place too', async () => {
    const event_id = await partyOf(gus)
    for (let taken = 1; taken < quota; taken++) await upload(gus, event_id)
    const twins = await Promise.all(Array.from({ length: 8 }, () => upload(gus, event_id, {}, 'the last place')))
    expect(new Set(twins.map(({ id }) => id)).size).toBe(1)
    expect((await upload(gus, event_id, {}, 'the last place')).id).toBe(twins[0]?.id)
    const { data } = await gus.api.gallery.listPhotos({ event_id, page: 1, page_length: 9 })
    expect(data).toHaveLength(quota)
  })

  test('a replay is answered only for those who may still see the gallery, and another picture not at all', async () => {
    const event_id = await partyOf(gus)
    const first = await upload(gus, event_id, {}, 'once')
    expect(await upload(gus, event_id, {}, 'once')).toEqual(first)
    const other = new Blob([await jpeg({ seed: 78 })])
    expect(await refusal(upload(gus, event_id, { image: other }, 'once'))).toEqual({
      status: 400,
      body: { error_message: 'The Idempotency-Key was used before with another request.' },
    })
    await olivia.api.events.removeGuest({ event_id, user_id: gus.id })
    expect(await refusal(upload(gus, event_id, {}, 'once'))).toEqual(mayNot)
  })
})

describe('an uploaded file', () => {
  test('may be of six kinds, recognized by content', async () => {
    const event_id = await partyOf(gus, sam)
    for (const [at, make] of [jpeg, png, webp, gif, avif, phone].entries()) {
      const named = new File([await make({ width: 64, height: 64 })], 'picture.txt', { type: 'text/plain' })
      const photo = await upload(at < quota ? gus : sam, event_id, { image: named })
      expect((await fetch(photo.event_photo_preview_url)).status).toBe(200)
    }
  })

  const damaged = 'The image field must be an image.'
  const kinds =
    'The image field must be a file of type: jpg, jpeg, png, webp, gif, avif, heic, heif, cr2, cr3, nef, arw, dng, raf, orf, rw2.'
  const pixels = 'The image field must not have more than 100 megapixels.'
  const hostile: [string, Buffer, string][] = [
    ...Object.entries(impostors).map(([name, bytes]): [string, Buffer, string] => [name, bytes, damaged]),
    ['a HEIC of nothing', ftyp('heic', 'mif1', 'heic'), damaged],
    ['a film', ftyp('isom', 'iso2', 'mp41'), kinds],
    ['a PNG of 50 000 × 50 000', pngClaiming(50_000, 50_000), pixels],
    ['a GIF of 65 535 × 65 535', gifOf(65_535, 65_535, 1), pixels],
    [
      'more bytes than allowed',
      Buffer.alloc(bytesMax + 1, 0xff),
      'The image field must not be greater than 512 kilobytes.',
    ],
  ]
  test('is refused by name and leaves nothing if it is hostile', async () => {
    const event_id = await partyOf(gus)
    const before = await traces()
    for (const [what, bytes, sentence] of hostile) {
      const named = new File([new Uint8Array(bytes)], 'holiday.jpg', { type: 'image/jpeg' })
      const answer = await refusal(upload(gus, event_id, { image: named }))
      expect([what, answer]).toEqual([what, invalid('image', sentence)])
    }
    expect(await traces()).toEqual(before)
  })

  test('must be present, a file, and the only one', async () => {
    const event_id = await partyOf(gus)
    const before = await traces()
    const send = (form: FormData | string) =>
      fetch(`${app.url}/api/gallery/upload`, {
        method: 'POST',
        headers: {
          authorization: `Bearer ${gus.token}`,
          ...(typeof form === 'string' && { 'content-type': 'application/json' }),
        },
        body: form,
      })
    const form = (...fields: [string, string | Blob][]) => {
      const made = new FormData()
      for (const [name, value] of [['event_id', String(event_id)] as [string, string], ...fields])
        made.append(name, value as Blob)
      return made
    }
    for (const [body, answer] of [
      [form(), { image: ['The image field is required.'] }],
      [JSON.stringify({ event_id }), { image: ['The image field is required.'] }],
      [form(['image', 'a text']), { image: ['The image field must be an image.'] }],
      [JSON.stringify({ event_id, image: 'aGk=' }), { image: ['The image field must be an image.'] }],
      [form(['image', image], ['image', image]), { image: ['The image field must not have more than 1 items.'] }],
      [
        form(['image', image], ['video', new Blob([new Uint8Array(ftyp('isom'))])]),
        { video: ['The video field is not accepted, as this server has nothing to convert videos with.'] },
      ],
    ] as const) {
      const reply = await send(body)
      expect([reply.status, await reply.json()]).toEqual([400, answer])
    }
    expect(await traces()).toEqual(before)
    expect((await send(form(['image', image], ['video', '']))).status).toBe(200)
  })

  test('leaves no row, file or temporary when the upload is cut off', async () => {
    const event_id = await partyOf(gus)
    const before = await traces()
    const form = new FormData()
    form.append('event_id', String(event_id))
    form.append('image', new Blob([await jpeg({ width: 1200, height: 900, grain: 12, seed: 79 })]), 'cut.jpg')
    const whole = new Response(form)
    const type = whole.headers.get('content-type')
    const body = Buffer.from(await whole.arrayBuffer())
    const head = `POST /api/gallery/upload HTTP/1.1\r\nHost: test\r\nAuthorization: Bearer ${gus.token}\r\nContent-Type: ${type}\r\nContent-Length: ${body.length}\r\n\r\n`
    for (let cut = 0; cut < 12; cut++) {
      const upto = Math.floor((body.length * cut) / 12)
      await new Promise<void>((resolve, reject) => {
        const socket = connect(Number(new URL(app.url).port), '127.0.0.1', () => {
          socket.write(head)
          socket.write(body.subarray(0, upto), () => setTimeout(() => socket.destroy(), 10))
        })
        socket.on('close', () => resolve()).on('error', reject)
      })
    }
    await vi.waitFor(async () => expect(await temporaries()).toEqual([]), { timeout: 60_000 })
    expect(await traces()).toEqual(before)
    for (let free = 0; free < quota; free++) await upload(gus, event_id)
  })

  test.runIf(process.platform === 'linux')('can be sent again if its decoder was killed', async () => {
    const event_id = await partyOf(gus)
    const before = await traces()
    const form = new FormData()
    form.append('event_id', String(event_id))
    form.append('image', new Blob([await jpeg({ width: 3000, height: 2000 })]), 'large.jpg')
    const headers = { authorization: `Bearer ${gus.token}` }
    // Each one that starts dies at once, so none of them finishes.
    const killing = setInterval(() => decoders().map(pid => process.kill(pid, 'SIGKILL')), 5)
    const reply = await fetch(`${app.url}/api/gallery/upload`, { method: 'POST', headers, body: form }).finally(() =>
      clearInterval(killing),
    )
    expect([reply.status, await reply.json()]).toEqual([503, { message: 'The picture could not be read just now.' }])
    expect(Number(reply.headers.get('retry-after'))).toBeGreaterThan(0)
    expect(await traces()).toEqual(before)
    await upload(gus, event_id)
  })
})

const decoders = () =>
  readdirSync('/proc/self/task')
    .flatMap(thread => readFileSync(`/proc/self/task/${thread}/children`, 'utf8').split(' ').filter(Boolean))
    .filter(pid => /picture-worker\.ts\0(?!trial)/.test(readFileSync(`/proc/${pid}/cmdline`, 'utf8')))
    .map(Number)
