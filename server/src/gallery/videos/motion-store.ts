import { sql } from 'kysely'
import type { Db, Transaction } from '../../platform/database/database.ts'
import { allRows, firstRow, firstValue } from '../../platform/database/rows.ts'
import { holdFiles } from '../../platform/media/storage/file-locks.ts'
import type { Storage } from '../../platform/media/storage/storage.ts'
import type { VideoVariant } from '../../platform/video/videos.ts'

/** The picture of a photo that is not a video. */
export const pictureOf = (db: Db, photoId: number) => firstValue<number>(db)`
    select media_id from photos p where id = ${photoId} and not exists (select from videos v where v.media_id = p.media_id)`

type Source = { sha256: string; live: { sha256: string; bytes: number; type: string } | null }

/** Undefined if there is nothing (more) to do. */
export const motionSource = (db: Db, mediaId: number) => firstRow<Source>(db)`
    select original_sha256 as sha256, variants -> 'live' as live from media
    where id = ${mediaId} and removed_at is null and not original_forgotten and variants -> 'motion' is null`

/** Records the playable file. Returns the photos that show it. */
export const setMotion = async (tx: Transaction, mediaId: number, made: VideoVariant, has: Storage['has']) => {
  await holdFiles(tx, [made.sha256], has)
  await sql`
    update media set variants = variants || jsonb_build_object('motion', ${JSON.stringify(made)}::jsonb)
    where id = ${mediaId}`.execute(tx)
  return allRows<{ id: number; event_id: number; taken_by: number }>(tx)`
    update photos set updated_at = now() where media_id = ${mediaId} and deleted_at is null
    returning id, event_id, taken_by`
}
