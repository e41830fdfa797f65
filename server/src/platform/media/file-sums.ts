import { sql } from 'kysely'
import type { Db } from '../database/database.ts'
import { run } from '../database/rows.ts'

/*
 * CRC-32 checksums of stored files: a zip names them before the bytes, and reading a whole album for them takes
 * minutes.
 */

/** The checksums of files that have one; each is written once, because equal files are one. */
export const keepSums = async (db: Db, files: readonly { sha256: string; crc32?: number }[]) => {
  const known = files.filter(({ crc32 }) => crc32 !== undefined)
  // In the same order for all, or two uploads of the same pictures would deadlock.
  known.sort((a, b) => (a.sha256 < b.sha256 ? -1 : 1))
  const [hashes, sums] = [known.map(({ sha256 }) => sha256), known.map(({ crc32 }) => crc32)]
  await sql`
    insert into file_sums (sha256, crc32) select * from unnest(${hashes}::text[], ${sums}::bigint[])
    on conflict do nothing`.execute(db)
}

/** For a missing file: the next check of it finds out. */
export const forgetSum = (db: Db, sha256: string) => run(db)`delete from file_sums where sha256 = ${sha256}`
