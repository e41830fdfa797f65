import type { MinimalUser } from '@afterglow/contract/accounts/user'
import type { Standing } from '@afterglow/contract/capabilities'
import type { z } from 'zod'
import { type Person, personOf } from '../accounts/persons.ts'
import { presentMinimalUser } from '../accounts/present-person.ts'
import type { Db } from '../platform/database/database.ts'
import { refuse } from '../platform/http/refusals.ts'
import type { Urls } from '../platform/http/urls.ts'
import type { Viewer } from '../platform/http/viewer.ts'
import { photoFor } from './access.ts'
import { commentFor } from './comments/access.ts'
import type { CommentOfMember } from './comments/comments-store.ts'
import { reactionsByComment } from './comments/reactions-store.ts'
import { readDetails } from './photo-details-sql.ts'
import type { PhotoPage, PhotoRow } from './photo-rows-sql.ts'
import { presentComment, presentPhoto } from './present.ts'
import { type FoundPhoto, findPhoto } from './store.ts'

/* Rows to replies: additional data is read for all rows at once, in a number of statements that does not grow. */

/** The recipient of a reply, and its format. */
export type Showing = { viewer: Viewer; urls: Urls; extra: boolean }

type Gallery = { media_epoch: number; standing: Standing }

/** The context for presenting photos of one event. */
const besidePhotos = ({ media_epoch: mediaEpoch, standing }: Gallery, { viewer, urls }: Showing) => ({
  mediaEpoch,
  urls,
  viewer,
  standing,
})

export const showingPhotos = ({ takers }: PhotoPage, gallery: Gallery, showing: Showing) => {
  const beside = besidePhotos(gallery, showing)
  const byId = new Map(takers.map(taker => [taker.id, { taker, presented: presentMinimalUser(taker, showing.urls) }]))
  return (row: PhotoRow) => {
    const { taker, presented } = byId.get(row.taken_by) as { taker: Person; presented: z.output<typeof MinimalUser> }
    return presentPhoto(row, taker, beside, presented)
  }
}

/**
 * A photo as the interface shows it. Refuses noSuchPhoto, notInEvent: verbs whose operation does not document those
 * call it inside their transaction, where the viewer's standing is locked.
 */
export const showPhoto = async (db: Db, id: number, showing: Showing) =>
  shown(db, await photoFor(db, showing.viewer, id, 'notInEvent', 'gallery'), showing)

/**
 * A photo that the viewer has just added to the album, even if they cannot see it there: it waits, or is sealed until
 * the reveal, or only people who come see the album.
 */
export const showPutIn = async (db: Db, id: number, showing: Showing) =>
  shown(db, (await findPhoto(db, showing.viewer.id, id)) ?? refuse('noSuchPhoto'), showing)

const shown = async (db: Db, photo: FoundPhoto, showing: Showing) => {
  const row = showing.extra ? { ...photo, details: await readDetails(db, photo.id) } : photo
  return presentPhoto(row, personOf(photo, photo.taken_by), besidePhotos(photo, showing))
}

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

/** A comment as the interface shows it. Refuses noSuchComment, `outside`. */
export const showComment = async (
  db: Db,
  id: number,
  outside: 'mayNotComment' | 'mayNotReact' | 'mayNotReadComments',
  showing: Showing,
) => {
  const comment = await commentFor(db, showing.viewer, id, outside)
  return (await showingComments(db, [comment], showing))(comment)
}
