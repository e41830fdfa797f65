import { sql } from 'kysely'
import { afterEach, expect, test, vi } from 'vitest'
import { openTestApp } from '../../test/app.ts'
import { bringIn, evening, party } from '../../test/party.ts'
import { anew, jpeg } from '../../test/pictures.ts'
import { refusal } from '../../test/refused.ts'
import { brokenInvariants } from '../invariants/invariants.ts'
import { giveUpFiles } from '../platform/media/room.ts'

vi.setConfig({ testTimeout: 60_000 })
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
const upload = async (by: typeof gus, event_id: number) =>
  by.api.gallery.uploadPhoto({ event_id, image: await anew(picture) })
/** Until they are full; returns how many that were. */
const fill = async (by: typeof gus, event_id: number) => {
  for (let count = 0; ; count++) {
    const refused = await upload(by, event_id).then(
      () => undefined,
      error => error,
    )
    if (refused) return { count, refused: { status: refused.status, body: refused.body } }
  }
}

afterEach(async () => expect(await brokenInvariants(app.db, app.storage, { decode: false })).toEqual([]))

test('a person who has used up their bytes is told so wherever they bring files, and others are not', async () => {
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

test('a deleted photo counts until it is gone for good', async () => {
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

test('photos that come all at once do not overshoot', async () => {
  const { event_id } = await partyOf()
  await Promise.allSettled(Array.from({ length: 8 }, () => upload(olivia, event_id)))
  const bytes = await bytesOf(olivia.id)
  expect(bytes).toBeGreaterThan(0)
  expect(bytes).toBeLessThanOrEqual(personBytesMax)
})

test('the bytes of everybody together have a bound of their own', async () => {
  const { event_id } = await partyOf()
  const all = await bytesOf(0)
  await sql`update stored_bytes set bytes = bytes + 1500000 where user_id = 0`.execute(app.db)
  expect(await refusal(upload(asha, event_id))).toEqual({
    status: 400,
    body: { error: 'This server has no more space for files.' },
  })
  await sql`update stored_bytes set bytes = ${all} where user_id = 0`.execute(app.db)
})

test('below the floor of free disk files are refused in words, and everything else goes on', async () => {
  const low = await openTestApp({ freeBytesMin: Number.MAX_SAFE_INTEGER })
  const { olivia, event } = await party(low)
  const refused = await olivia.api.gallery.uploadPhoto({ event_id: event.id, image: picture }).catch(error => error)
  expect(refused).toMatchObject({
    status: 503,
    body: { message: 'The disk of this server is almost full: files cannot be uploaded now.' },
  })
  await olivia.api.chats.saveMessage({ group_chat_id: Number(event.group_chat_id), message_content: 'Words go on' })
})
