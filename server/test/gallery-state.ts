import { type RawBuilder, sql } from 'kysely'
import { counted } from '../src/gallery/lists/moment-counts-store.ts'
import { galleryRecounts } from '../src/gallery/recounts-store.ts'
import type { Database } from '../src/platform/database/database.ts'

const contradictions: Record<string, RawBuilder<unknown>> = {
  ...galleryRecounts,
  'replies that outlived their comment': sql`
    select r.id from comments r join comments c on c.id = r.parent_id
    where r.deleted_at is null and c.deleted_at is not null`,
  'numbers of photos': sql`
    select g.event_id as id from galleries g
    where g.last_sequence <> (select count(*) from photos p where p.event_id = g.event_id)`,
  'numbers of comments': sql`
    select p.id from photos p where p.last_comment_sequence <>
      (select count(*) from comments c where c.photo_id = p.id and c.parent_id is null)`,
  'gaps among comments': sql`
    select p.id from photos p where
      coalesce((select sum(gaps) from sequence_gaps s where s.list = 'comments' and s.parent_id = p.id), 0)
      <> (select count(*) from comments c where c.photo_id = p.id and c.parent_id is null and c.deleted_at is not null)`,
  'photos of a quarter of an hour': sql`
    select coalesce(q.event_id, p.event_id) as id from photo_quarters q full join (
      select event_id, floor(extract(epoch from moment) / 900) as quarter, count(*) as photos
      from photos where deleted_at is null group by 1, 2
    ) p on p.event_id = q.event_id and p.quarter = q.quarter where coalesce(q.photos, 0) <> coalesce(p.photos, 0)`,
  // The chat decides about a deleted photo that shared its media.
  'living photos whose media is removed, or the reverse': sql`
    select p.id from photos p join media m on m.id = p.media_id
    where (p.deleted_at is null or not p.shares_media) and (m.removed_at is null) <> (p.deleted_at is null)`,
  'photos out of order': sql`
    select id from (select id, id - lag(id) over w as step, created_at - lag(created_at) over w as time
      from photos window w as (partition by event_id order by sequence)) o
    where step <= 0 or time < interval '0'`,
}

/** Stored gallery counts that a recount contradicts. Always none. */
export const wrongGalleries = async (db: Database): Promise<Record<string, number[]>> => {
  const wrong: Record<string, number[]> = {}
  for (const [what, query] of Object.entries(contradictions)) {
    const { rows } = await sql<{ id: number }>`${query}`.execute(db)
    if (rows.length) wrong[what] = rows.map(row => row.id)
  }
  return wrong
}

/**
 * Rows of everything that an upload, comment or like writes: equal before and after an operation that must write
 * nothing.
 */
export const galleryRows = async (db: Database) => {
  const { rows } = await sql`
    select (select count(*) from photos) as photos, (select count(*) from media) as media,
      (select count(*) from photo_likes) as likes, (select count(*) from comments) as comments,
      (select count(*) from comment_reactions) as reactions, (select count(*) from idempotency_keys) as keys,
      (select sum(hashtextextended(p::text, 0)) from photos p) as photos_sum,
      (select sum(hashtextextended(c::text, 0)) from comments c) as comments_sum,
      (select sum(photos_count) from guests) as places`.execute(db)
  return rows[0]
}

/** Inserts photos straight into the tables, each a copy of one, as that many uploads would have left them. */
export const fillGallery = async (
  db: Database,
  { like, takenBy, count }: { like: number; takenBy: number; count: number },
) => {
  await sql`
    with pattern as (
      select p.event_id, m.* from photos p join lateral (
        select owner_id, look, original_sha256, original_bytes, original_type, width, height, thumbhash, variants, full_size
        from media where id = p.media_id) m on true
      where p.id = ${like}
    ), picture as (
      insert into media (event_id, owner_id, look, original_sha256, original_bytes, original_type, width, height, thumbhash, variants, full_size)
      select pattern.* from pattern, generate_series(1, ${count}::int) returning id
    ), gallery as (
      update galleries set last_sequence = last_sequence + ${count}
      where event_id = (select event_id from pattern) returning event_id, last_sequence - ${count} as before
    ), place as (
      update guests set photos_count = photos_count + ${count}
      where event_id = (select event_id from pattern) and user_id = ${takenBy}
    ), changed as (
      insert into photos (event_id, sequence, media_id, taken_by)
      select event_id, before + row_number() over (order by id), id, ${takenBy} from gallery, picture order by id
      returning event_id, moment
    ) ${counted(1)}`.execute(db)
}

/** Moves the photos of an event to their capture times, together with the counts that an upload maintains. */
export const takenWhen = (db: Database, eventId: number, moment: RawBuilder<unknown>) =>
  db.transaction().execute(async tx => {
    await sql`delete from photo_quarters where event_id = ${eventId}`.execute(tx)
    await sql`
      with changed as (
        update photos set moment = ${moment} where event_id = ${eventId} returning event_id, moment
      ) ${counted(1)}`.execute(tx)
  })

/** Like `fillGallery`, for comments on a photo, or with `replyTo` for replies to a comment. */
export const fillComments = async (
  db: Database,
  { photoId, replyTo = null, by, count }: { photoId: number; replyTo?: number | null; by: number; count: number },
) => {
  const last = replyTo === null ? sql`photos.last_comment_sequence` : sql`comments.last_reply_sequence`
  const ofComment = replyTo === null ? sql`` : sql`, replies_count = replies_count + ${count}`
  const [table, id] = replyTo === null ? ['photos', photoId] : ['comments', replyTo]
  await db.transaction().execute(async tx => {
    await sql`update photos set comments_count = comments_count + ${count} where id = ${photoId}`.execute(tx)
    await sql`
      with parent as (
        update ${sql.table(table)} set ${sql.ref(replyTo === null ? 'last_comment_sequence' : 'last_reply_sequence')}
          = ${last} + ${count} ${ofComment} where id = ${id} returning ${last} - ${count} as before
      )
      insert into comments (photo_id, parent_id, sequence, user_id, text)
      select ${photoId}::bigint, ${replyTo}::bigint, before + n, ${by}::bigint, 'number ' || n
      from parent, generate_series(1, ${count}::int) n order by n`.execute(tx)
  })
}
