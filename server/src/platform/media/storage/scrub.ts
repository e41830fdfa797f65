import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import type { Database } from '../../database/database.ts'
import { run } from '../../database/rows.ts'
import { type FileSource, filesAfter, filesOf, type NamedFile } from '../file-references.ts'
import { NotStored, type Storage } from './storage.ts'
import { keepReport, latestReport, type ScrubReport } from './storage-reports.ts'

/** The share read each night, so that everything is read within 30 days even if some nights fail. */
const share = 1 / 28
const mediaAtOnce = 100
const lookedAtAgainMax = 1000

export type FileFault = 'missing' | 'changed' | 'wrong length' | 'unreadable'

export type Scrubbing = {
  /** The share of all media to read; 1 is all of them. */
  share?: number
  signal?: AbortSignal
}

/**
 * Reads a share of all files that rows need, continuing where it last ended, plus those found damaged before. Damaged
 * files are listed in damaged_files by media ID until they are right again. Throws `StorageFailed` if the storage
 * fails, which says nothing about a file.
 */
export const scrub = async (
  db: Database,
  storage: Storage,
  sources: readonly FileSource[],
  scrubbing: Scrubbing = {},
): Promise<ScrubReport> => {
  const beganAt = new Date()
  const report: ScrubReport = { read: 0, bytes: 0, damaged: 0, healed: 0, lastMediaId: 0 }
  const { share: part = share } = scrubbing
  const read = async (file: NamedFile) => {
    scrubbing.signal?.throwIfAborted()
    const fault = await faultOf(storage, file)
    report.read += 1
    report.bytes += file.bytes
    if (fault === null) report.healed += await forget(db, file)
    // It may have been swept since its name was read.
    else if ((await filesOf(db, sources, [file.media_id])).some(({ sha256 }) => sha256 === file.sha256)) {
      report.damaged += 1
      await remember(db, file, fault)
    } else await forget(db, file)
  }

  for (const file of await wrongBefore(db, sources)) await read(file)
  let left = Math.ceil((await countMedia(db)) * part)
  let begun = part < 1 ? ((await latestReport(db, 'scrub'))?.report.lastMediaId ?? 0) : 0
  let after = begun
  while (left > 0) {
    const files = await filesAfter(db, sources, after, Math.min(left, mediaAtOnce))
    if (files.length === 0) {
      const atItsEnd = after === begun && begun > 0
      after = begun = 0
      if (atItsEnd) continue
      break
    }
    for (const file of files) await read(file)
    left -= new Set(files.map(({ media_id }) => media_id)).size
    after = files.at(-1)?.media_id ?? after
  }
  report.lastMediaId = after
  await keepReport(db, 'scrub', beganAt, report)
  return report
}

/** The fault of a stored file, or null. Reads all of it, in constant memory. */
export const faultOf = async (
  storage: Storage,
  { sha256, bytes }: Pick<NamedFile, 'sha256' | 'bytes'>,
): Promise<FileFault | null> => {
  const hash = createHash('sha256')
  let length = 0
  try {
    const { stream } = await storage.open(sha256)
    for await (const chunk of stream) {
      hash.update(chunk)
      length += chunk.length
    }
  } catch (error) {
    if (error instanceof NotStored) return 'missing'
    // A disk error concerns this very file; the failure of a whole storage says nothing about it.
    if (codeOf(error) === 'EIO') return 'unreadable'
    throw error
  }
  if (hash.digest('hex') !== sha256) return 'changed'
  return length === bytes ? null : 'wrong length'
}

const codeOf = (error: unknown) => {
  const { code, cause } = error as { code?: string; cause?: { code?: string } }
  return code ?? cause?.code
}

const countMedia = async (db: Database) => {
  const { rows } = await sql<{ count: number }>`select count(*) from media`.execute(db)
  return rows[0]?.count ?? 0
}

const wrongBefore = async (db: Database, sources: readonly FileSource[]) => {
  const { rows } = await sql<{ media_id: number; sha256: string }>`
    select media_id, sha256 from damaged_files order by found_at, sha256 limit ${lookedAtAgainMax}`.execute(db)
  const named = await filesOf(
    db,
    sources,
    rows.map(({ media_id }) => media_id),
  )
  const wrong = new Set(rows.map(({ sha256 }) => sha256))
  const files = named.filter(({ sha256 }) => wrong.delete(sha256))
  // Damage to a file that no row needs any more does not matter.
  await sql`delete from damaged_files where sha256 = any(${[...wrong]}::text[])`.execute(db)
  return files
}

const remember = (db: Database, { sha256, media_id }: NamedFile, fault: FileFault) => run(db)`
    insert into damaged_files (sha256, media_id, fault) values (${sha256}, ${media_id}, ${fault})
    on conflict (sha256) do update set media_id = excluded.media_id, fault = excluded.fault`

/** How many entries that was: one or none. */
const forget = async (db: Database, { sha256 }: NamedFile) => {
  const { numAffectedRows } = await sql`delete from damaged_files where sha256 = ${sha256}`.execute(db)
  return Number(numAffectedRows ?? 0n)
}
