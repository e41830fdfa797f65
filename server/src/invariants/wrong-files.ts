import { buffer } from 'node:stream/consumers'
import { sql } from 'kysely'
import type { Database } from '../platform/database/database.ts'
import { filesAfter, type NamedFile, neededAmong } from '../platform/media/file-references.ts'
import { faultOf } from '../platform/media/storage/scrub.ts'
import type { Storage } from '../platform/media/storage/storage.ts'
import { graceMs } from '../platform/media/storage/sweep.ts'
import { isIncomplete } from '../platform/media/structure/read-structure.ts'
import { fileSources } from '../slices.ts'
import { type Wrong, wrongAtMost } from './wrong.ts'

const atOnce = 200

export type FileChecks = {
  /** How long a file may be without a row. */
  graceMs?: number
  /** Decodes pictures as well. */
  decode?: boolean
}

/**
 * Every row has its files, with the stated hash and length, decodable; every file older than the grace period has a
 * row.
 */
export const wrongFiles = async (db: Database, storage: Storage, checks: FileChecks = {}): Promise<Wrong[]> => {
  const wrong: Wrong[] = []
  const add = (what: string, about: string | number) => {
    if (wrong.length < wrongAtMost) wrong.push({ what, about: String(about) })
  }
  let after = 0
  for (;;) {
    const files = await filesAfter(db, fileSources, after, atOnce)
    for (const file of files) {
      const fault =
        (await faultOf(storage, file)) ??
        ((checks.decode ?? true) && !(await decodes(storage, file)) ? 'undecodable' : null)
      if (fault) add(`a file of media is ${fault}`, `${file.media_id}: ${file.sha256}`)
    }
    const last = files.at(-1)
    if (!last) break
    after = last.media_id
  }

  const cutoff = Date.now() - (checks.graceMs ?? graceMs)
  let hashes: string[] = []
  const look = async () => {
    const needed = await neededAmong(db, fileSources, hashes)
    for (const sha256 of hashes) if (!needed.has(sha256)) add('a file has no row', sha256)
    hashes = []
  }
  for await (const { sha256, storedAt } of storage.stored()) {
    if (storedAt.getTime() < cutoff) hashes.push(sha256)
    if (hashes.length === atOnce) await look()
  }
  await look()

  const { rows } = await sql<{ id: number }>`
    select p.id from photos p join media m on m.id = p.media_id where p.deleted_at is null and m.removed_at is not null
    union all
    select a.id from attachments a join media m on m.id = a.media_id where a.deleted_at is null and m.removed_at is not null
    limit ${wrongAtMost}`.execute(db)
  for (const { id } of rows) add('a living photo or attachment shows removed media', id)
  return wrong
}

/** Only decodes files that we made: originals are left to the decoders' own processes. */
const decodes = async (storage: Storage, { sha256, type }: NamedFile): Promise<boolean> => {
  if (!['image/jpeg', 'image/webp'].includes(type)) return true
  const { default: sharp } = await import('sharp')
  const { stream } = await storage.open(sha256)
  const bytes = await buffer(stream)
  // An upload that arrived incomplete is stored as it came.
  return sharp(bytes, { failOn: isIncomplete(bytes) ? 'none' : 'error', limitInputPixels: 200_000_000 })
    .stats()
    .then(
      () => true,
      () => false,
    )
}
