import { isIn, seenBy } from '../events/export.ts'
import { allRows } from '../platform/database/rows.ts'
import { type ExportPart, inPieces } from '../platform/export/export-part.ts'

export const galleryExport: ExportPart[] = [
  {
    name: 'photos',
    tables: ['photos', 'videos', 'upload_sessions'],
    rows: (db, userId) =>
      inPieces(
        (after, most) => allRows<{ id: number }>(db)`
          select p.id, p.event_id, case when ${seenBy(userId)} then e.name end as event, p.media_id, p.caption, p.alt_text, p.new_words, p.approved_name,
            case when ${isIn(userId)} then p.likes_count end as likes_count,
            case when ${isIn(userId)} then p.comments_count end as comments_count,
            p.created_at, (select m.file_name from media m where m.id = p.media_id) as file_name, v.state as video, v.duration_ms as video_ms
          from photos p join events e on e.id = p.event_id left join videos v on v.media_id = p.media_id
          where p.taken_by = ${userId} and p.id > ${after} and p.deleted_at is null order by p.id limit ${most}`,
      ),
  },
  {
    name: 'comments',
    tables: ['comments'],
    rows: (db, userId) =>
      inPieces(
        (after, most) => allRows<{ id: number }>(db)`
          select c.id, p.event_id, c.photo_id, c.parent_id, c.text, c.created_at, c.edited_at
          from comments c join photos p on p.id = c.photo_id
          where c.user_id = ${userId} and c.id > ${after} and c.deleted_at is null order by c.id limit ${most}`,
      ),
  },
  {
    name: 'likes',
    tables: ['photo_likes'],
    rows: (db, userId) => allRows<object>(db)`
        select photo_id, created_at from photo_likes where user_id = ${userId} order by photo_id`,
  },
  {
    name: 'comment-reactions',
    tables: ['comment_reactions'],
    rows: (db, userId) => allRows<object>(db)`
        select comment_id, reaction, created_at from comment_reactions where user_id = ${userId} order by id`,
  },
]
