import { sql } from 'kysely'
import { announce } from '../log/announce.ts'
import { type Database, type Db, transact } from '../platform/database/database.ts'
import { allRows, run } from '../platform/database/rows.ts'
import { removeMedia } from '../platform/media/records.ts'
import { goneWith } from './comments/comments.ts'
import * as comments from './comments/comments-store.ts'
import { forgetDoubles } from './duplicates/duplicates-store.ts'
import { announceMessages, deletionDetail, holdPhoto, messagesToAnnounce } from './duplicates/one-photo.ts'
import * as store from './store.ts'
import { shownIn } from './videos/videos-store.ts'

/** Removes all of somebody's photos and comments from the galleries, as if they had deleted each. Safe to repeat. */
export const takeGalleryBack = async (db: Database, userId: number): Promise<void> => {
  for (const photo of await photosOf(db, userId)) {
    const { id, event_id: eventId } = photo
    await transact(db, async tx => {
      const sums = await holdPhoto(tx, { mediaId: photo.media_id })
      if (photo.attachment_id !== null) await store.lockChatOf(tx, eventId)
      else await store.addToPhotosCount(tx, userId, eventId, -1)
      const messageIds = sums ? await messagesToAnnounce(tx, eventId, sums) : []
      const deleted = await store.markDeleted(tx, photo, { takenDown: false })
      if (!deleted) return
      await forgetDoubles(tx, [id])
      if (deleted.ownMedia) await removeMedia(tx, [photo.media_id])
      const about = { audience: 'event', eventId, actorId: userId } as const
      await announce(tx, { ...about, kind: 'photo.deleted', subjectId: id, ...deletionDetail(deleted) })
      await announceMessages(tx, about, messageIds)
    })
  }
  for (const { event_id: eventId, ...comment } of await comments.commentsBy(db, userId)) {
    await transact(db, async tx => {
      if (!(await comments.markDeleted(tx, comment))) return
      const detail = goneWith(comment)
      const about = { audience: 'event', eventId, actorId: userId } as const
      await announce(tx, [
        { ...about, kind: 'comment.deleted', subjectId: comment.id, detail },
        { ...about, kind: 'photo.updated', subjectId: comment.photo_id },
      ])
    })
  }
}

type Photo = {
  id: number
  event_id: number
  media_id: number
  attachment_id: number | null
}

const photosOf = (db: Db, userId: number) => allRows<Photo>(db)`
    select id, event_id, media_id, attachment_id from photos
    where taken_by = ${userId} and deleted_at is null order by id`

/**
 * Drops the originals of somebody's videos, with location and camera data: the MP4 replaces them, or the poster image
 * if there is none. Runs before the media, which hold the poster images, are removed.
 */
export const forgetFilms = async (db: Database, userId: number): Promise<void> => {
  await transact(db, async tx => {
    const { rows } = await sql<{ media_id: number; event_id: number }>`
      delete from videos v using media m
      where m.id = v.media_id and m.owner_id = ${userId} and v.state <> 'ready'
      returning v.media_id, m.event_id`.execute(tx)
    for (const { media_id, event_id: eventId } of rows)
      for (const { kind, id: subjectId } of await shownIn(tx, media_id))
        await announce(tx, { kind, audience: 'event', eventId, actorId: userId, subjectId })
  })
  // A separate statement, which sees what became ready while the first one waited for it.
  await run(db)`
    update videos v set original_sha256 = left_film ->> 'sha256',
      original_bytes = (left_film ->> 'bytes')::bigint, original_type = left_film ->> 'type'
    from media m cross join lateral coalesce(m.variants -> 'source', m.variants -> 'video') left_film where m.id = v.media_id and m.owner_id = ${userId} and m.variants ? 'video'`
}

const hasWords = sql`(p.caption is not null or p.alt_text is not null or p.new_words is not null
  or p.approved_name is not null)`

/** Removes the text of photos and comments that nobody sees any more. */
export const eraseDeletedWords = async (db: Db, userId: number): Promise<void> => {
  await sql`
    update photo_decisions d set words = '[]' where words <> '[]' and exists (
      select from photos p where p.event_id = d.event_id and p.taken_by = ${userId})`.execute(db)
  await sql`
    update comments c set text = '' from photos p join events e on e.id = p.event_id
    where c.photo_id = p.id and c.user_id = ${userId} and c.text <> ''
      and (c.deleted_at is not null or p.deleted_at is not null or e.deleted_at is not null)`.execute(db)
  await sql`
    update photos p set caption = null, alt_text = null, new_words = null, approved_name = null from events e
    where e.id = p.event_id and p.taken_by = ${userId} and ${hasWords}
      and (p.deleted_at is not null or e.deleted_at is not null)`.execute(db)
}

/** Erases all texts on the photos of an erased event; its files go with their sweep. */
export const eraseEventWords = async (db: Db, eventId: number): Promise<void> => {
  await sql`
    update comments c set text = '' from photos p
    where c.photo_id = p.id and p.event_id = ${eventId} and c.text <> ''`.execute(db)
  await sql`
    update photos p set caption = null, alt_text = null, new_words = null, approved_name = null
    where event_id = ${eventId} and ${hasWords}`.execute(db)
  await sql`
    update media set file_name = null, taken_local = null, latitude = null, longitude = null
    where event_id = ${eventId}`.execute(db)
}
