import { sql } from 'kysely'
import type { Transaction } from '../../platform/database/database.ts'
import { allRows, firstRow, firstValue, run } from '../../platform/database/rows.ts'
import type { FileSource } from '../../platform/media/file-references.ts'
import { keepSums } from '../../platform/media/file-sums.ts'
import { replacePicture } from '../../platform/media/records.ts'
import { holdFiles } from '../../platform/media/storage/file-locks.ts'
import type { Storage } from '../../platform/media/storage/storage.ts'
import type { StoredVideo } from '../../platform/video/store-upload.ts'
import type { ConvertedVideo } from '../../platform/video/videos.ts'
import { endingsOfMedia } from '../endings-sql.ts'

/** The video as it was uploaded. */
export const videoFiles: FileSource = {
  joined: sql`join videos v on v.media_id = o.id`,
  hashes: sql`array[v.original_sha256]`,
  files: sql`select v.original_sha256 as sha256, v.original_bytes as bytes, v.original_type as type`,
}

export type VideoState = 'waiting' | 'converting' | 'ready' | 'failed'

const milliseconds = (seconds: number | null) => (seconds === null ? null : Math.round(seconds * 1000))

/** The look of its poster image does not make it a duplicate of a picture. */
export const insertVideo = async (tx: Transaction, mediaId: number, { original, film, has }: StoredVideo) => {
  await holdFiles(tx, [original.sha256], has)
  await sql`update photos set look = null where media_id = ${mediaId}`.execute(tx)
  await run(tx)`
    insert into videos (media_id, original_sha256, original_bytes, original_type, duration_ms)
    values (${mediaId}, ${original.sha256}, ${original.bytes}, ${original.type}, ${milliseconds(film.seconds)})`
  await keepSums(tx, [original])
}

/**
 * Gives a video its turn after its owner's waiting videos, and after the next one overall: the person who has received
 * least is next, counted in seconds of video, as in `platform/jobs/fair-queue.ts`, but stored in rows, because a video
 * waits through restarts and for any free process. Videos waiting for a fault to pass are not next.
 */
export const giveTurn = async (tx: Transaction, mediaId: number): Promise<number> => {
  const { rows } = await sql<{ turn: number }>`
    with pending as (
      select o.turn, o.faults, other.owner_id from videos o join media other on other.id = o.media_id
      where o.state in ('waiting', 'converting') and other.removed_at is null and o.media_id <> ${mediaId}
    )
    update videos v set turn = greatest(1, coalesce(v.duration_ms, 60000) / 1000) + greatest(
      (select coalesce(min(turn), 0) from pending where faults = 0),
      (select coalesce(max(turn), 0) from pending where owner_id = m.owner_id))
    from media m where v.media_id = ${mediaId} and m.id = v.media_id returning v.turn`.execute(tx)
  return rows[0]?.turn ?? 0
}

/** How many videos are waiting or being converted: from one person, and in total. */
export const countPending = async (tx: Transaction, ownerId: number): Promise<{ each: number; all: number }> => {
  const { rows } = await sql<{ each: number; all: number }>`
    select count(*) filter (where m.owner_id = ${ownerId})::integer as each, count(*)::integer as all
    from videos v join media m on m.id = v.media_id
    where v.state in ('waiting', 'converting') and m.removed_at is null`.execute(tx)
  return rows[0] ?? { each: 0, all: 0 }
}

export type HeldVideo = {
  media_id: number
  event_id: number
  owner_id: number
  state: VideoState
  tries: number
  faults: number
  /** Its poster image shows nothing: a single colour, or too small. */
  still_shows_nothing: boolean
  original_sha256: string
  original_bytes: number
  original_type: string
}

const stillPixelsMin = 128

/**
 * A video that a photo or a message shows, locked until the transaction ends, after that photo; undefined if nothing does
 * any more.
 */
export const holdVideo = async (tx: Transaction, mediaId: number): Promise<HeldVideo | undefined> => {
  await sql`
    select from photos where media_id = ${mediaId} and deleted_at is null order by id for no key update`.execute(tx)
  return firstRow<HeldVideo>(tx)`
    select v.media_id, m.event_id, m.owner_id, v.state, v.tries, v.faults,
      m.look is null or greatest(m.width, m.height) < ${sql.lit(stillPixelsMin)} as still_shows_nothing,
      v.original_sha256, v.original_bytes, v.original_type
    from videos v join media m on m.id = v.media_id
    where v.media_id = ${mediaId} and m.removed_at is null for no key update of m, v`
}

export const mediaOfPhoto = (tx: Transaction, photoId: number) =>
  firstValue<number>(tx)`select media_id from photos where id = ${photoId}`

export const shownIn = (tx: Transaction, mediaId: number) =>
  allRows<{ kind: 'photo.updated' | 'message.updated'; id: number }>(tx)`
    select 'photo.updated' as kind, id from photos where media_id = ${mediaId} and deleted_at is null
    union all
    select 'message.updated', message_id from attachments where media_id = ${mediaId} and deleted_at is null
    order by kind, id`

type NewState = { state: VideoState; progress?: number; fault?: string | null; tries?: number; faults?: number }

/** `tries` and `faults` stay unchanged unless given. */
export const setState = (
  tx: Transaction,
  mediaId: number,
  { state, progress = 0, fault = null, tries, faults }: NewState,
) => run(tx)`
    update videos set state = ${state}, progress = ${progress}, fault = ${fault},
      tries = coalesce(${tries ?? null}::integer, tries), faults = coalesce(${faults ?? null}::integer, faults),
      updated_at = now() where media_id = ${mediaId}`

/** The MP4 is ready: it becomes what the URL of the photo or attachment refers to, and the extracted frame becomes the poster image. */
export const setReady = async (
  tx: Transaction,
  { media_id }: HeldVideo,
  { seconds, crc32, still, source, ...variant }: ConvertedVideo,
  has: Storage['has'],
) => {
  await holdFiles(tx, [variant.sha256, ...(source ? [source.sha256] : [])], has)
  await setState(tx, media_id, { state: 'ready', progress: 100 })
  await sql`update videos set duration_ms = ${milliseconds(seconds)} where media_id = ${media_id}`.execute(tx)
  await sql`
    update media set variants = variants || ${JSON.stringify({ video: variant, ...(source && { source: withoutSum(source) }) })}::jsonb
    where id = ${media_id}`.execute(tx)
  if (still) await replacePicture(tx, media_id, still, has)
  await sql`
    update photos set plays = true, updated_at = now(), endings = ${endingsOfMedia}
    from media m where photos.media_id = ${media_id} and m.id = ${media_id}`.execute(tx)
  await keepSums(tx, [
    { sha256: variant.sha256, crc32 },
    ...(source ? [source] : []),
    ...(still ? [still.variants.display] : []),
  ])
}

const withoutSum = ({ crc32: _, ...variant }: NonNullable<ConvertedVideo['source']>) => variant
