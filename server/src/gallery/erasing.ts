import { sql } from 'kysely'
import { announce } from '../notifications/announcing.ts'
import { type Database, type Db, transact } from '../platform/database.ts'
import { removeMedia } from '../platform/media/records.ts'
import * as comments from './comments-store.ts'
import { forgetDoubles } from './doubles-store.ts'
import * as store from './store.ts'

/** Takes every photo and comment of somebody's out of the galleries, as if they had deleted each. Safe to repeat. */
export const takeGalleryBack = async (db: Database, userId: number): Promise<void> => {
  for (const photo of await photosOf(db, userId)) {
    const { id, event_id: eventId } = photo
    await transact(db, async tx => {
      if (photo.attachment_id !== null) await store.raiseChatVersion(tx, eventId)
      else await store.addToPhotosCount(tx, userId, eventId, -1)
      const deleted = await store.markDeleted(tx, photo)
      if (!deleted) return
      await forgetDoubles(tx, id)
      if (deleted.ownMedia) await removeMedia(tx, [photo.media_id])
      await announce(tx, { kind: 'photo.deleted', audience: 'event', eventId, actorId: userId, subjectId: id })
    })
  }
  for (const { event_id: eventId, ...comment } of await commentsOf(db, userId)) {
    await transact(db, async tx => {
      if (!(await comments.markDeleted(tx, comment))) return
      const detail = { photoId: comment.photo_id, replyTo: comment.parent_id }
      const about = { audience: 'event', eventId, actorId: userId } as const
      await announce(tx, [
        { ...about, kind: 'comment.deleted', subjectId: comment.id, detail },
        { ...about, kind: 'photo.updated', subjectId: comment.photo_id },
      ])
    })
  }
}

type Photo = { id: number; event_id: number; media_id: number; attachment_id: number | null }

const photosOf = async (db: Db, userId: number) => {
  const { rows } = await sql<Photo>`
    select id, event_id, media_id, attachment_id from photos
    where taken_by = ${userId} and deleted_at is null order by id`.execute(db)
  return rows
}

const commentsOf = async (db: Db, userId: number) => {
  const { rows } = await sql<comments.CommentRow & { event_id: number }>`
    select c.*, p.event_id from comments c join photos p on p.id = c.photo_id
    where c.user_id = ${userId} and c.deleted_at is null order by c.id`.execute(db)
  return rows
}

/** Removes the words of photos and comments that nobody sees any more. */
export const eraseDeletedWords = async (db: Db, userId: number): Promise<void> => {
  // The name of a file on its way, and with it what came; the sweeper takes the bytes.
  await sql`delete from upload_sessions where user_id = ${userId}`.execute(db)
  await sql`
    update comments c set text = '' from photos p join events e on e.id = p.event_id
    where c.photo_id = p.id and c.user_id = ${userId} and c.text <> ''
      and (c.deleted_at is not null or p.deleted_at is not null or e.deleted_at is not null)`.execute(db)
  await sql`
    update photos p set caption = null, alt_text = null from events e
    where e.id = p.event_id and p.taken_by = ${userId} and (p.caption is not null or p.alt_text is not null)
      and (p.deleted_at is not null or e.deleted_at is not null)`.execute(db)
}
