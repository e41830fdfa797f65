import { randomBytes } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { Readable } from 'node:stream'
import { afterAll, expect, test } from 'vitest'
import { openTestApp } from '../../test/app.ts'
import { storageAtHand } from '../../test/media.ts'
import { party } from '../../test/party.ts'
import { addressOf, sessionIn, tusFor } from '../../test/tus.ts'
import { openSessionParts } from '../platform/media/storage/session-parts.ts'
import { NotStored } from '../platform/media/storage/storage.ts'
import { TusStore } from './tus-store.ts'

const app = await openTestApp()
const { gus, event } = await party(app)
const { storage, temporaries, end } = await storageAtHand()
afterAll(end)
const files = openSessionParts(app.db, storage)
const megabyte = 1024 * 1024
const bytes = randomBytes(40 * megabyte)
const begin = async (length = bytes.length) =>
  sessionIn(await addressOf(tusFor(app.url, gus).open(length, { event_id: event.id, kind: 'video' })))
/** Another machine with the same storage and database. */
const machine = () => new TusStore(app.db, files)
const chunks = (part: Buffer) =>
  Readable.from(
    Array.from({ length: Math.ceil(part.length / 65_536) }, (_, n) => part.subarray(n * 65_536, (n + 1) * 65_536)),
  )

test('another machine continues an upload, and the result equals the sent file', async () => {
  const id = await begin()
  const half = 21 * megabyte + 7
  expect(await machine().write(chunks(bytes.subarray(0, half)), id, 0)).toBe(half)
  expect((await machine().getUpload(id)).offset).toBe(half)
  expect(await machine().write(chunks(bytes.subarray(half)), id, half)).toBe(bytes.length)
  const taken = await files.take(id)
  expect((await readFile(taken.path)).equals(bytes)).toBe(true)
  await taken.remove()
  expect(await temporaries()).toEqual([])
})

test('the bytes before a break are kept', async () => {
  const id = await begin()
  const broken = Readable.from(
    (async function* () {
      yield bytes.subarray(0, 17 * megabyte)
      yield bytes.subarray(17 * megabyte, 18 * megabyte)
      throw new Error('cut')
    })(),
  )
  await expect(machine().write(broken, id, 0)).rejects.toThrow('cut')
  expect((await machine().getUpload(id)).offset).toBe(18 * megabyte)
  expect(await temporaries()).toEqual([])
})

test('only one of two simultaneous machines continues, and its bytes are the file’s', async () => {
  const id = await begin(megabyte)
  const [mine, theirs] = [bytes.subarray(0, megabyte), bytes.subarray(megabyte, 2 * megabyte)]
  const outcomes = await Promise.allSettled([mine, theirs].map(part => machine().write(chunks(part), id, 0)))
  expect(outcomes.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
  const taken = await files.take(id)
  expect((await readFile(taken.path)).equals(outcomes[0]?.status === 'fulfilled' ? mine : theirs)).toBe(true)
  await taken.remove()
})

test('an ended session has no file', async () => {
  const id = await begin(100)
  await machine().write(chunks(bytes.subarray(0, 100)), id, 0)
  await machine().remove(id)
  await expect(files.take(id)).rejects.toBeInstanceOf(NotStored)
  expect(await app.db.selectFrom('upload_parts').select('sha256').where('session_id', '=', id).execute()).toEqual([])
})
