import { rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { sql } from 'kysely'
import { afterAll, expect, test } from 'vitest'
import { openTestApp } from '../../../../test/app.ts'
import { type StorageAtHand, storageAtHand } from '../../../../test/media.ts'
import { party } from '../../../../test/party.ts'
import { fileSources } from '../../../slices.ts'
import { scrub } from './scrub.ts'
import { StorageFailed } from './storage.ts'
import { storageReport } from './storage-reports.ts'

const app = await openTestApp()
const { olivia } = await party(app)
const at: StorageAtHand = await storageAtHand()
afterAll(() => at.end())
const pathOf = (sha256: string) => join(at.directory, sha256.slice(0, 2), sha256.slice(2, 4), sha256)

const rows: { id: number; content: Buffer; sha256: string }[] = []
for (let count = 0; count < 56; count++) {
  const content = Buffer.from(`content ${count}`)
  const sha256 = await at.put(content)
  const { rows: written } = await sql<{ id: number }>`
    insert into media (owner_id, original_sha256, original_bytes, original_type, width, height, thumbhash, variants)
    values (${olivia.id}, ${sha256}, ${content.length}, 'image/jpeg', 1, 1, '', '{}') returning id`.execute(app.db)
  rows.push({ id: written[0]?.id as number, content, sha256 })
}
const row = (index: number) => rows[index] as (typeof rows)[number]
const all = { share: 1 }
const damaged = async () => (await storageReport(app.db)).damaged.map(({ media_id, fault }) => [media_id, fault])

test('every file is read within thirty nights, about as many each night', async () => {
  const nights = []
  for (let night = 0; night < 30; night++) nights.push(await scrub(app.db, at.storage, fileSources))
  const first = nights.slice(0, 28)
  expect(first.map(({ read }) => read)).toEqual(Array(28).fill(2))
  expect(new Set(first.map(({ lastMediaId }) => lastMediaId)).size).toBe(28)
  expect(nights.at(-1)?.lastMediaId).toBeLessThan(nights[27]?.lastMediaId ?? 0)
  expect(await damaged()).toEqual([])
})

test('a missing, changed or truncated file is reported by media ID until it is right again', async () => {
  await rm(pathOf(row(3).sha256))
  await writeFile(pathOf(row(5).sha256), 'rot')
  await sql`update media set original_bytes = 1 where id = ${row(7).id}`.execute(app.db)
  expect(await scrub(app.db, at.storage, fileSources, all)).toMatchObject({ damaged: 3, healed: 0 })
  const found = [
    [row(3).id, 'missing'],
    [row(5).id, 'changed'],
    [row(7).id, 'wrong length'],
  ]
  expect((await damaged()).sort()).toEqual(found.sort())

  // Files found damaged before are checked every night, whichever part is read.
  await at.put(row(3).content)
  await at.put(row(5).content)
  await sql`update media set removed_at = now() - interval '40 days' where id = ${row(7).id}`.execute(app.db)
  expect(await scrub(app.db, at.storage, fileSources)).toMatchObject({ damaged: 0, healed: 2 })
  expect(await damaged()).toEqual([])
})

test('a failing storage reports no damaged file', async () => {
  const open = () => Promise.reject(new StorageFailed('failing', new Error('away')))
  await expect(scrub(app.db, { ...at.storage, open }, fileSources, all)).rejects.toBeInstanceOf(StorageFailed)
  expect(await damaged()).toEqual([])
})

test('one file that the disk cannot read does not keep the others from being read', async () => {
  const broken = row(9).sha256
  const open = (sha256: string) =>
    sha256 === broken
      ? Promise.reject(new StorageFailed('failing', Object.assign(new Error('EIO'), { code: 'EIO' })))
      : at.storage.open(sha256)
  expect(await scrub(app.db, { ...at.storage, open }, fileSources, all)).toMatchObject({ damaged: 1 })
  expect(await damaged()).toEqual([[row(9).id, 'unreadable']])
})
