import { sql } from 'kysely'
import { type Database, transact } from '../../database/database.ts'
import { type FileSource, neededAmong } from '../file-references.ts'
import { holdOrphans, markRemoved } from './file-locks.ts'
import type { Storage, StoredFile } from './storage.ts'
import { keepReport, type SweepReport } from './storage-reports.ts'

const hourMs = 3_600_000
/** How long a file may wait for its row: longer than any upload, any transaction and any clock error. */
export const graceMs = 24 * hourMs
/** Looked up in one statement; removed in one transaction, whose locks somebody may wait for. */
const lookedUpAtOnce = 500
const removedAtOnce = 20

export type Sweeping = { graceMs?: number; signal?: AbortSignal }

/**
 * Removes files that no row needs, and unfinished leftovers, all older than the grace period. Memory is bounded,
 * however many there are; running it twice, concurrently, or alongside uploads of the very same files is safe. Ends
 * early, without a report, if the signal is aborted.
 */
export const sweep = async (
  db: Database,
  storage: Storage,
  sources: readonly FileSource[],
  { graceMs: grace = graceMs, signal }: Sweeping = {},
): Promise<SweepReport> => {
  const beganAt = new Date()
  const cutoff = new Date(beganAt.getTime() - grace)
  const report: SweepReport = { files: 0, bytes: 0, removed: 0, removedBytes: 0, unfinished: 0 }
  const look = async (old: readonly StoredFile[]) => {
    const hashes = [...new Set(old.map(({ sha256 }) => sha256))]
    const needed = await neededAmong(db, sources, hashes)
    const orphans = hashes.filter(sha256 => !needed.has(sha256))
    for (let at = 0; at < orphans.length; at += removedAtOnce) {
      signal?.throwIfAborted()
      const removed = await removeOrphans(db, storage, sources, orphans.slice(at, at + removedAtOnce), cutoff)
      report.removed += removed.length
      report.removedBytes += removed.reduce((sum, { bytes }) => sum + bytes, 0)
    }
  }

  let old: StoredFile[] = []
  for await (const file of storage.stored()) {
    signal?.throwIfAborted()
    report.files += 1
    report.bytes += file.bytes
    if (file.storedAt >= cutoff) continue
    old.push(file)
    if (old.length < lookedUpAtOnce) continue
    await look(old)
    old = []
  }
  await look(old)
  report.unfinished = await storage.dropUnfinished(cutoff)
  await sql`delete from removed_files where removed_at < now() - interval '2 days'`.execute(db)
  await keepReport(db, 'sweep', beganAt, report)
  return report
}

/** Removes files that must not wait for the sweeper, unless some row needs the same bytes. */
export const removeNow = (db: Database, storage: Storage, sources: readonly FileSource[], hashes: readonly string[]) =>
  removeOrphans(db, storage, sources, hashes, new Date(8.64e15))

/** Removes those of them that are still orphans once nobody can start naming them, and were not put again meanwhile. */
const removeOrphans = async (
  db: Database,
  storage: Storage,
  sources: readonly FileSource[],
  hashes: readonly string[],
  cutoff: Date,
) => {
  await markRemoved(db, hashes)
  return transact(db, async tx => {
    await holdOrphans(tx, hashes)
    const needed = await neededAmong(tx, sources, hashes)
    const removed: StoredFile[] = []
    for (const sha256 of hashes) {
      const found = needed.has(sha256) ? null : await storage.find(sha256)
      if (!found || found.storedAt >= cutoff) continue
      await storage.remove(sha256)
      removed.push(found)
    }
    return removed
  })
}
