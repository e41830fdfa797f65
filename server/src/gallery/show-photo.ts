import type { Standing } from '../events/standing.ts'
import type { Db } from '../platform/database/database.ts'
import type { Urls } from '../platform/http/urls.ts'
import type { Viewer } from '../platform/http/viewer.ts'
import { commentFor, photoFor } from './access.ts'
import { type CommentOfMember, reactionsByComment } from './comments-store.ts'
import { presentComment, presentPhoto } from './present.ts'
import { type PhotoRow, type Picture, picturesById } from './store.ts'

/* Rows to replies: what stands beside the rows is read for all of them at once, in statements that do not grow in number. */

/** Whom a reply is for, and how it is made. */
export type Showing = { viewer: Viewer; urls: Urls; extra: boolean }

/** How to present these photos of one event. */
export const showingPhotos = async (
  db: Db,
  rows: readonly PhotoRow[],
  gallery: { media_epoch: number; standing: Standing },
  { viewer, urls, extra }: Showing,
) => {
  const pictures = extra
    ? await picturesById(
        db,
        rows.map(row => row.media_id),
      )
    : undefined
  return (row: PhotoRow) =>
    presentPhoto(row, {
      mediaEpoch: gallery.media_epoch,
      urls,
      more: pictures && { viewer, standing: gallery.standing, picture: pictures.get(row.media_id) as Picture },
    })
}

/**
 * One photo as the interface shows it. Refuses noSuchPhoto, notInEvent: a verb whose operation does not document those
 * calls it inside its transaction, where the viewer's standing is locked.
 */
export const showPhoto = async (db: Db, id: number, showing: Showing) => {
  const photo = await photoFor(db, showing.viewer, id)
  return (await showingPhotos(db, [photo], photo, showing))(photo)
}

/** How to present these comments. */
export const showingComments = async (db: Db, rows: readonly CommentOfMember[], { viewer, urls, extra }: Showing) => {
  const reactions = extra
    ? await reactionsByComment(
        db,
        viewer.id,
        rows.map(row => row.id),
      )
    : undefined
  return (row: CommentOfMember) =>
    presentComment(row, {
      urls,
      more: reactions && {
        viewer,
        standing: row.standing,
        photoTakenBy: row.photo_taken_by,
        reactions: reactions.get(row.id) ?? [],
        blocked: row.blocked,
      },
    })
}

/** One comment as the interface shows it. Refuses noSuchComment, `outside`. */
export const showComment = async (
  db: Db,
  id: number,
  outside: 'mayNotComment' | 'mayNotReact' | 'mayNotReadComments',
  showing: Showing,
) => {
  const comment = await commentFor(db, showing.viewer, id, outside)
  return (await showingComments(db, [comment], showing))(comment)
}
