import { sql } from 'kysely'
import type { Database, Db } from '../../database/database.ts'
import { firstRow, run } from '../../database/rows.ts'

/** The result of one run of the sweeper. */
export type SweepReport = {
  files: number
  bytes: number
  removed: number
  removedBytes: number
  /** Temporaries and parts that were left unfinished. */
  unfinished: number
}

/** The result of one nightly check. */
export type ScrubReport = {
  read: number
  bytes: number
  /** Files found damaged this time. */
  damaged: number
  /** Files found right that were damaged before. */
  healed: number
  /** The last row of media that was read; the next night continues after it. */
  lastMediaId: number
}

type Reports = { sweep: SweepReport; scrub: ScrubReport }
export type Kept<Report> = { began_at: Date; ended_at: Date; report: Report }

const reportsKept = 100

export const keepReport = async <Kind extends keyof Reports>(
  db: Db,
  kind: Kind,
  beganAt: Date,
  report: Reports[Kind],
) => {
  await run(db)`
    insert into storage_reports (kind, began_at, report) values (${kind}, ${beganAt}, ${JSON.stringify(report)}::jsonb)`
  await sql`
    delete from storage_reports where kind = ${kind} and id <= (
      select id from storage_reports where kind = ${kind} order by id desc offset ${reportsKept} limit 1)`.execute(db)
}

export const latestReport = <Kind extends keyof Reports>(db: Db, kind: Kind) => firstRow<Kept<Reports[Kind]>>(db)`
    select began_at, ended_at, report from storage_reports where kind = ${kind} order by id desc limit 1`

export type DamagedFile = { sha256: string; media_id: number; fault: string; found_at: Date }

/** The storage report for operators: the latest runs, and the currently damaged files (at most 1000). */
export const storageReport = async (db: Database) => {
  const { rows: damaged } = await sql<DamagedFile>`
    select sha256, media_id, fault, found_at from damaged_files order by found_at, sha256 limit 1000`.execute(db)
  return { sweep: await latestReport(db, 'sweep'), scrub: await latestReport(db, 'scrub'), damaged }
}
