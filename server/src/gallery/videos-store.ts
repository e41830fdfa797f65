import { sql } from 'kysely'
import type { Transaction } from '../platform/database/database.ts'
import { holdFiles } from '../platform/media/file-locks.ts'
import type { FileSource } from '../platform/media/file-references.ts'
import { keepSums } from '../platform/media/file-sums.ts'
import { replacePicture } from '../platform/media/records.ts'
import type { Storage } from '../platform/media/storage.ts'
import type { KeptVideo } from '../platform/video/store-upload.ts'
import type { Converted } from '../platform/video/videos.ts'

/* The SQL of videos: photos that play. */

/** The film as it was uploaded. */
export const videoFiles: FileSource = {
  joined: sql`join videos v on v.media_id = o.id`,
  hashes: sql`array[v.original_sha256]`,
  files: sql`select v.original_sha256 as sha256, v.original_bytes as bytes, v.original_type as type`,
}

export type VideoState = 'waiting' | 'converting' | 'ready' | 'failed'

const milliseconds = (seconds: number | null) => (seconds === null ? null : Math.round(seconds * 1000))

/** What its still looks like is no reason to call it the double of a picture. */
export const insertVideo = async (
  tx: Transaction,
  { photoId, mediaId }: { photoId: number; mediaId: number },
  { original, film, has }: KeptVideo,
) => {
  await holdFiles(tx, [original.sha256], has)
  await sql`update photos set look = null where id = ${photoId}`.execute(tx)
  await sql`
    insert into videos (photo_id, media_id, original_sha256, original_bytes, original_type, duration_ms)
    values (${photoId}, ${mediaId}, ${original.sha256}, ${original.bytes}, ${original.type},
      ${milliseconds(film.seconds)})`.execute(tx)
  await keepSums(tx, [original])
}

/**
 * Gives a video of a living photo its turn behind what its owner has waiting, and behind what is next of all: whoever has
 * been given least is next, counted in seconds of film, as in `platform/jobs/fair-queue.ts`, but of rows, as a film waits through
 * restarts and for whichever process is free. What waits for a fault to pass is not next.
 */
export const giveTurn = async (tx: Transaction, photoId: number): Promise<number> => {
  const { rows } = await sql<{ turn: number }>`
    with pending as (
      select o.turn, o.faults, q.taken_by from videos o join photos q on q.id = o.photo_id
      where o.state in ('waiting', 'converting') and q.deleted_at is null and o.photo_id <> ${photoId}
    )
    update videos v set turn = greatest(1, coalesce(v.duration_ms, 60000) / 1000) + greatest(
      (select coalesce(min(turn), 0) from pending where faults = 0),
      (select coalesce(max(turn), 0) from pending where taken_by = p.taken_by))
    from photos p where v.photo_id = ${photoId} and p.id = v.photo_id returning v.turn`.execute(tx)
  return rows[0]?.turn ?? 0
}

/** How many films wait or are converted: of one person, and of all. */
export const countPending = async (tx: Transaction, takenBy: number): Promise<{ each: number; all: number }> => {
  const { rows } = await sql<{ each: number; all: number }>`
    select count(*) filter (where p.taken_by = ${takenBy})::integer as each, count(*)::integer as all
    from videos v join photos p on p.id = v.photo_id
    where v.state in ('waiting', 'converting') and p.deleted_at is null`.execute(tx)
  return rows[0] ?? { each: 0, all: 0 }
}

export type HeldVideo = {
  photo_id: number
  media_id: number
  event_id: number
  taken_by: number
  state: VideoState
  tries: number
  faults: number
  /** Its still shows nothing: one colour, or too small to be looked at. */
  still_shows_nothing: boolean
  original_sha256: string
  original_bytes: number
  original_type: string
}

const stillPixelsMin = 128

/** A video of a living photo, both held until the transaction ends; undefined when the photo is deleted. */
export const holdVideo = async (tx: Transaction, photoId: number): Promise<HeldVideo | undefined> => {
  const { rows } = await sql<HeldVideo>`
    select v.photo_id, v.media_id, p.event_id, p.taken_by, v.state, v.tries, v.faults,
      m.look is null or greatest(m.width, m.height) < ${sql.lit(stillPixelsMin)} as still_shows_nothing,
      v.original_sha256, v.original_bytes, v.original_type
    from videos v join photos p on p.id = v.photo_id join media m on m.id = v.media_id
    where v.photo_id = ${photoId} and p.deleted_at is null for no key update of p, v`.execute(tx)
  return rows[0]
}

type NewState = { state: VideoState; progress?: number; fault?: string | null; tries?: number; faults?: number }

/** What is not said of `tries` and `faults` stays. */
export const setState = (
  tx: Transaction,
  photoId: number,
  { state, progress = 0, fault = null, tries, faults }: NewState,
) =>
  sql`
    update videos set state = ${state}, progress = ${progress}, fault = ${fault},
      tries = coalesce(${tries ?? null}::integer, tries), faults = coalesce(${faults ?? null}::integer, faults),
      updated_at = now() where photo_id = ${photoId}`.execute(tx)

/** The MP4 is there: it becomes what the photo's URL names, and what was cut out of it the still. */
export const setReady = async (
  tx: Transaction,
  { photo_id, media_id }: HeldVideo,
  { seconds, crc32, still, source, ...variant }: Converted,
  has: Storage['has'],
) => {
  await holdFiles(tx, [variant.sha256, ...(source ? [source.sha256] : [])], has)
  await setState(tx, photo_id, { state: 'ready', progress: 100 })
  await sql`update videos set duration_ms = ${milliseconds(seconds)} where photo_id = ${photo_id}`.execute(tx)
  await sql`
    update media set variants = variants || ${JSON.stringify({ video: variant, ...(source && { source: withoutSum(source) }) })}::jsonb
    where id = ${media_id}`.execute(tx)
  if (still) await replacePicture(tx, media_id, still, has)
  await sql`update photos set plays = true, updated_at = now() where id = ${photo_id}`.execute(tx)
  await keepSums(tx, [
    { sha256: variant.sha256, crc32 },
    ...(source ? [source] : []),
    ...(still ? [still.variants.display] : []),
  ])
}

const withoutSum = ({ crc32: _, ...variant }: NonNullable<Converted['source']>) => variant
