import { sql } from 'kysely'
import { afterEach, expect, test } from 'vitest'
import { openTestApp } from '../../test/app.ts'
import { enter } from '../../test/cast.ts'
import { bringIn, evening, party } from '../../test/party.ts'
import { anew, jpeg } from '../../test/pictures.ts'
import { refusal } from '../../test/refused.ts'
import { addressOf, tusFor } from '../../test/tus.ts'
import { brokenInvariants } from '../invariants/invariants.ts'
import { giveUpFiles } from '../platform/media/quotas.ts'
import { freeBytesOf, openFreeDisk } from '../platform/media/storage/free-disk.ts'

const personBytesMax = 400_000
const app = await openTestApp({ personBytesMax, instanceBytesMax: 1_500_000 })
const { olivia, gus, asha } = await party(app)
const picture = new Blob([await jpeg({ width: 640, height: 480, grain: 8 })])

const bytesOf = async (id: number) => {
  const { rows } = await sql<{ bytes: number }>`select bytes from stored_bytes where user_id = ${id}`.execute(app.db)
  return rows[0]?.bytes ?? 0
}
const full = { status: 400, body: { error: 'You have used all the space that you have for files.' } }
const fullElsewhere = { status: 400, body: { error_message: full.body.error } }
const partyOf = async () => {
  const event = await olivia.api.events.saveEvent(evening())
  for (const guest of [gus, asha]) await bringIn(olivia, event.id, guest)
  return { event_id: event.id, group_chat_id: Number(event.group_chat_id) }
}
const tus = (by: typeof gus) => tusFor(app.url, by)
const upload = async (by: Pick<typeof gus, 'api'>, event_id: number) =>
  by.api.gallery.uploadPhoto({ event_id, image: await anew(picture) })
/** Uploads until the quota is full; returns how many photos fit. */
const fill = async (by: Pick<typeof gus, 'api'>, event_id: number) => {
  for (let count = 0; ; count++) {
    const refused = await upload(by, event_id).then(
      () => undefined,
      error => error,
    )
    if (refused) return { count, refused: { status: refused.status, body: refused.body } }
  }
}

afterEach(async () => expect(await brokenInvariants(app.db, app.storage, { decode: false })).toEqual([]))

test('a person without storage left is refused wherever they upload, and others are not', {
  tags: 'slow',
}, async () => {
  const { event_id, group_chat_id } = await partyOf()
  const { count, refused } = await fill(gus, event_id)
  expect(refused).toEqual(full)
  expect(count).toBeGreaterThan(0)
  expect(await bytesOf(gus.id)).toBeLessThanOrEqual(personBytesMax)
  const sent = { group_chat_id, message_content: 'Look', attachments: [await anew(picture)] }
  expect(await refusal(gus.api.chats.saveMessage(sent))).toEqual(fullElsewhere)
  expect(await refusal(gus.api.accounts.stageAvatar({ profile_picture: await anew(picture) }))).toMatchObject({
    status: 400,
  })
  await gus.api.chats.saveMessage({ group_chat_id, message_content: 'Words take no room' })
  await upload(asha, event_id)
})

test('a deleted photo counts until it is removed for good', async () => {
  const { event_id } = await partyOf()
  const { id } = await upload(olivia, event_id)
  const before = await bytesOf(olivia.id)
  await olivia.api.gallery.deletePhoto({ event_photo_id: Number(id) })
  await giveUpFiles(app.db)
  expect(await bytesOf(olivia.id)).toBe(before)
  await sql`update media set removed_at = now() - interval '32 days' where removed_at is not null`.execute(app.db)
  await giveUpFiles(app.db)
  expect(await bytesOf(olivia.id)).toBe(0)
})

test('simultaneous photos do not exceed the quota', async () => {
  const { event_id } = await partyOf()
  await Promise.allSettled(Array.from({ length: 8 }, () => upload(olivia, event_id)))
  const bytes = await bytesOf(olivia.id)
  expect(bytes).toBeGreaterThan(0)
  expect(bytes).toBeLessThanOrEqual(personBytesMax)
})

test('the storage of the whole instance has its own limit', async () => {
  const { event_id } = await partyOf()
  const all = await bytesOf(0)
  await sql`update stored_bytes set bytes = bytes + 1500000 where user_id = 0`.execute(app.db)
  expect(await refusal(upload(asha, event_id))).toEqual({
    status: 400,
    body: { error: 'This server has no more space for files.' },
  })
  await sql`update stored_bytes set bytes = ${all} where user_id = 0`.execute(app.db)
})

test('an announced upload takes no room from others before its bytes arrive', async () => {
  const { event_id } = await partyOf()
  const [all, own] = [await bytesOf(0), await bytesOf(asha.id)]
  const announced = 200_000
  const at = await addressOf(tus(asha).open(announced, { event_id, kind: 'image', filename: 'lights.jpg' }))
  expect([await bytesOf(0), await bytesOf(asha.id)]).toEqual([all, own + announced])
  expect((await tus(asha).patch(at, 0, Buffer.alloc(100_000, 1))).status).toBe(204)
  expect([await bytesOf(0), await bytesOf(asha.id)]).toEqual([all + 100_000, own + announced])
  await sql`update stored_bytes set bytes = 1450000 where user_id = 0`.execute(app.db)
  const refused = await tus(asha).patch(at, 100_000, Buffer.alloc(100_000, 1))
  expect([refused.status, await refused.json()]).toEqual([400, { error: 'This server has no more space for files.' }])
  await sql`update stored_bytes set bytes = ${all + 100_000} where user_id = 0`.execute(app.db)
  await tus(asha).end(at)
  expect([await bytesOf(0), await bytesOf(asha.id)]).toEqual([all, own])
})

test('an upload without bytes expires after an hour, and one with bytes after a day', async () => {
  const { event_id } = await partyOf()
  const open = () => addressOf(tus(gus).open(1000, { event_id, kind: 'image', filename: 'lights.jpg' }))
  const [untouched, begun] = [await open(), await open()]
  expect((await tus(gus).patch(begun, 0, Buffer.alloc(500, 1))).status).toBe(204)
  await sql`update upload_sessions set touched_at = now() - interval '61 minutes'`.execute(app.db)
  expect([(await tus(gus).head(untouched)).status, (await tus(gus).head(begun)).status]).toEqual([404, 200])
  await tus(gus).end(begun)
  await sql`delete from upload_sessions`.execute(app.db)
})

test('a guest has a guest’s quota, and all guests of one link together that of two people', async () => {
  const small = await openTestApp({ personBytesMax: 300_000, guestBytesMax: 200_000 })
  const host = await enter(small, 'olivia')
  const { id: event_id } = await host.api.events.saveEvent(evening())
  const { link_code: code } = await host.api.links.makeLink({ event_id })
  const stored = async () => {
    const { rows } = await sql<{ most: number; all: number }>`
      select max(s.bytes) as most, sum(s.bytes)::bigint as all from stored_bytes s
      join users u on u.id = s.user_id where u.status = 5`.execute(small.db)
    return rows[0] ?? { most: 0, all: 0 }
  }
  for (let n = 0; n < 6; n++) {
    const { token } = await small.as().links.joinByLink({ code, user_first_name: `Guest ${n}` })
    const { refused } = await fill({ api: small.as(token) }, event_id)
    expect(refused).toEqual(full)
  }
  const { most, all } = await stored()
  expect(most).toBeGreaterThan(0)
  expect(most).toBeLessThanOrEqual(200_000)
  expect(all).toBeLessThanOrEqual(600_000)
  await host.api.gallery.uploadPhoto({ event_id, image: await anew(picture) })
})

test('texts count in bytes: beyond a megabyte in an hour they are refused', async () => {
  const strict = await openTestApp({ rateFactor: 0.02, signInsPerAddressPerMinute: 100_000 })
  const writer = await enter(strict, 'olivia')
  const { group_chat_id } = await writer.api.events.saveEvent(evening())
  await writer.api.chats.saveMessage({ group_chat_id, message_content: '🎉'.repeat(5000) })
  const refused = await writer.api.chats
    .saveMessage({ group_chat_id, message_content: 'x'.repeat(1000) })
    .catch(error => error)
  expect(refused).toMatchObject({ status: 429, retryAfterSeconds: expect.any(Number) })
  expect(refused.retryAfterSeconds).toBeGreaterThan(60)
})

test('low disk space refuses files and long texts, and half of that all texts', async () => {
  const free = await freeBytesOf(app.dataDir)
  const full = (what: string) => `The disk of this server is almost full: ${what} now.`
  const low = openFreeDisk(app.dataDir, free * 1.5)
  await expect(low.demand()).rejects.toThrow(full('files cannot be uploaded'))
  await low.demandForWords(1000)
  await expect(low.demandForWords(1001)).rejects.toThrow(full('nothing can be written'))
  const lower = openFreeDisk(app.dataDir, free * 3)
  await expect(lower.demandForWords(1)).rejects.toThrow(full('nothing can be written'))
  const ample = openFreeDisk(app.dataDir, free / 2)
  await ample.demand()
  await ample.demandForWords(1_000_000)
})

test('a full disk refuses writes, and people still sign in, read, block and sign out', async () => {
  const low = await openTestApp({ freeBytesMin: Number.MAX_SAFE_INTEGER })
  const host = await enter(low, 'olivia')
  const refused = {
    status: 503,
    body: { message: 'The disk of this server is almost full: nothing can be written now.' },
  }
  expect(await refusal(host.api.events.saveEvent(evening()))).toEqual(refused)
  expect(await refusal(host.api.people.report({ report_type: 'user', report_id: 1, report_reason: 'Rude' }))).toEqual(
    refused,
  )
  expect((await host.api.events.listEvents({ page: 1, page_length: 5 })).data).toEqual([])
  await host.api.people.block({ user_id: (await enter(low, 'gus')).id })
  expect(await host.api.accounts.logout()).toEqual({ done: true })
})
