import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { openTestApp } from '../../../../test/app.ts'
import { later } from '../../../../test/later.ts'
import { type StorageAtHand, storageAtHand } from '../../../../test/media.ts'
import { needing } from '../../../../test/needing.ts'
import { party } from '../../../../test/party.ts'
import { s3AtHand } from '../../../../test/s3.ts'
import { s3 } from '../../../../test/tools.ts'
import { fileSources } from '../../../slices.ts'
import { transact } from '../../database/database.ts'
import { holdFiles } from './file-locks.ts'
import { type Storage, StorageFailed } from './storage.ts'
import { storageReport } from './storage-reports.ts'
import { sweep } from './sweep.ts'

const app = await openTestApp()
const { olivia, event } = await party(app)
/** Everything that is stored counts as older than the grace period. */
const atOnce = { graceMs: -3_600_000 }

let seed = 0
/** Some bytes that nobody else has. */
const bytes = () => Buffer.from(`file ${seed++} of ${process.pid}`)

const addRow = async (hashes: string[], db: Parameters<typeof holdFiles>[0] | typeof app.db = app.db) => {
  const [original, ...variants] = hashes
  const named = Object.fromEntries(
    variants.map((sha256, at) => [`variant${at}`, { sha256, bytes: 1, type: 'image/jpeg' }]),
  )
  const { rows } = await sql<{ id: number }>`
    insert into media (event_id, owner_id, original_sha256, original_bytes, original_type, width, height, thumbhash, variants)
    values (${event.id}, ${olivia.id}, ${original}, 1, 'image/jpeg', 1, 1, '', ${JSON.stringify(named)}::jsonb)
    returning id`.execute(db)
  return rows[0]?.id as number
}
const removedDaysAgo = (id: number, days: number) =>
  sql`update media set removed_at = now() - make_interval(days => ${days}) where id = ${id}`.execute(app.db)

const kinds = [
  { kind: 'disk', tools: [], open: storageAtHand },
  { kind: 'S3', tools: [s3], open: () => s3AtHand() },
]
for (const { kind, tools, open } of kinds)
  needing(...tools).describe(`sweeping a storage on ${kind}`, () => {
    let at: StorageAtHand
    beforeEach(async () => {
      at = await open()
    })
    afterEach(() => at.end())

    test('the sweeper removes files without a row, of any number, once they are older than the grace period', async () => {
      const [original, display, preview, orphan] = await Promise.all([1, 2, 3, 4].map(() => at.put(bytes())))
      await addRow([original, display, preview] as string[])
      expect(await sweep(app.db, at.storage, fileSources)).toMatchObject({ files: 4, removed: 0 })
      expect(await sweep(app.db, at.storage, fileSources, atOnce)).toMatchObject({ files: 4, removed: 1 })
      expect((await at.hashes()).sort()).toEqual([original, display, preview].sort())
      expect(await at.storage.has(orphan as string)).toBe(false)
      expect(await sweep(app.db, at.storage, fileSources, atOnce)).toMatchObject({ files: 3, removed: 0 })
      expect((await storageReport(app.db)).sweep?.report).toMatchObject({ files: 3, removed: 0 })
    })

    test('the sweeper removes files deleted more than thirty days ago, unless something else shows them', async () => {
      const [lately, long, shared] = (await Promise.all([1, 2, 3].map(() => at.put(bytes())))) as [
        string,
        string,
        string,
      ]
      await removedDaysAgo(await addRow([lately]), 30)
      await removedDaysAgo(await addRow([long, shared]), 32)
      await addRow([shared])
      expect(await sweep(app.db, at.storage, fileSources, atOnce)).toMatchObject({ removed: 1 })
      expect((await at.hashes()).sort()).toEqual([lately, shared].sort())
    })

    test('the sweeper spares a file put again between lookup and removal', async () => {
      const content = bytes()
      const sha256 = await at.put(content)
      // S3 reports ages in whole seconds.
      const graceMs = kind === 'S3' ? 1500 : 800
      await sleep(graceMs + (kind === 'S3' ? 1000 : 100))
      const find: Storage['find'] = async hash => {
        await at.put(content)
        return at.storage.find(hash)
      }
      await sweep(app.db, { ...at.storage, find }, fileSources, { graceMs })
      expect(await at.storage.has(sha256)).toBe(true)
    })

    test('the sweeper waits for a row that is being written, and spares its files', async () => {
      const sha256 = await at.put(bytes())
      let swept: Promise<unknown> = Promise.resolve()
      await transact(app.db, async tx => {
        await holdFiles(tx, [sha256], at.storage.has)
        swept = sweep(app.db, at.storage, fileSources, atOnce)
        await vi.waitFor(async () => {
          const { rows } = await sql`select from pg_locks where locktype = 'advisory' and not granted`.execute(app.db)
          expect(rows).toHaveLength(1)
        })
        await addRow([sha256], tx)
      })
      await swept
      expect(await at.storage.has(sha256)).toBe(true)
    })

    test('nobody can write a row for a file that the sweeper is removing', async () => {
      const sha256 = await at.put(bytes())
      const removing = Promise.withResolvers<void>()
      const goOn = Promise.withResolvers<void>()
      const remove: Storage['remove'] = async hash => {
        removing.resolve()
        await goOn.promise
        await at.storage.remove(hash)
      }
      const swept = later(sweep(app.db, { ...at.storage, remove }, fileSources, atOnce))
      await removing.promise
      const written = transact(app.db, async tx => {
        await holdFiles(tx, [sha256], at.storage.has)
        await addRow([sha256], tx)
      }).catch(error => error)
      await sleep(50)
      goOn.resolve()
      await swept
      expect(await written).toBeInstanceOf(StorageFailed)
      // A new put makes it usable again.
      await transact(app.db, tx => holdFiles(tx, [sha256], async () => true))
    })

    test('two concurrent sweeps do no harm', async () => {
      const kept = await Promise.all(Array.from({ length: 10 }, () => at.put(bytes())))
      for (const sha256 of kept) await addRow([sha256])
      await Promise.all(Array.from({ length: 30 }, () => at.put(bytes())))
      await Promise.all([1, 2, 3].map(() => sweep(app.db, at.storage, fileSources, atOnce)))
      expect((await at.hashes()).sort()).toEqual(kept.sort())
    })

    test('the sweeper ends at once when the service stops', async () => {
      await at.put(bytes())
      await expect(sweep(app.db, at.storage, fileSources, { ...atOnce, signal: AbortSignal.abort() })).rejects.toThrow(
        'aborted',
      )
      expect(await at.hashes()).toHaveLength(1)
    })
  })

test('every orphan is removed and every other file stays, beyond one lookup’s limit', { tags: 'slow' }, async () => {
  const at = await storageAtHand()
  const kept: string[] = []
  for (let count = 0; count < 1100; count++) {
    const sha256 = await at.put(bytes())
    if (count % 100 === 0) kept.push(sha256)
  }
  await addRow(kept)
  expect(await sweep(app.db, at.storage, fileSources, atOnce)).toMatchObject({ files: 1100, removed: 1089 })
  expect((await at.hashes()).sort()).toEqual(kept.sort())
  await at.end()
})

test('a deleted event keeps its files for thirty days', async () => {
  const at = await storageAtHand()
  const sha256 = await at.put(bytes())
  await addRow([sha256])
  const deletedDaysAgo = (days: number) =>
    sql`update events set deleted_at = now() - make_interval(days => ${days}) where id = ${event.id}`.execute(app.db)
  await deletedDaysAgo(30)
  expect(await sweep(app.db, at.storage, fileSources, atOnce)).toMatchObject({ removed: 0 })
  await deletedDaysAgo(32)
  expect(await sweep(app.db, at.storage, fileSources, atOnce)).toMatchObject({ removed: 1 })
  await at.end()
})
