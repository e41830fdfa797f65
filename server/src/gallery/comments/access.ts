import type { RefusalCode } from '@afterglow/contract/refusal-codes'
import type { Db, Transaction } from '../../platform/database/database.ts'
import { refuse } from '../../platform/http/refusals.ts'
import type { Viewer } from '../../platform/http/viewer.ts'
import {
  commentExists,
  held,
  knownPhoto,
  mayEditComment,
  mayReadComments,
  maySeeComment,
  seenPhoto,
  toTakePart,
} from '../access.ts'
import type { Range } from '../store.ts'
import * as comments from './comments-store.ts'
import { listReactions } from './reactions-store.ts'

const noSuchComment = () => refuse('noSuchComment')

/** A comment that the viewer may read. Refuses as `missing` says, or `outside`. */
export const commentFor = async (
  db: Db,
  viewer: Viewer,
  id: number,
  outside: RefusalCode,
  missing: () => never = noSuchComment,
) => {
  const comment = await comments.findComment(db, viewer.id, id)
  if (!commentExists(viewer, comment)) return missing()
  if (!mayReadComments(viewer, comment)) refuse(outside)
  return maySeeComment(viewer, comment) ? comment : missing()
}

/** Refuses noSuchPhoto, mayNotReadComments. */
const demandReader = async (db: Db, viewer: Viewer, photoId: number) => {
  const photo = await knownPhoto(db, viewer, photoId)
  if (!mayReadComments(viewer, { ...photo, photo_taken_by: photo.taken_by })) refuse('mayNotReadComments')
  seenPhoto(viewer, photo)
}

/**
 * The same for a write, on the photo that the caller named, if any: the viewer stays in the event until the transaction
 * ends. Refuses noSuchPhoto, noSuchComment (also for a different photo), `outside`.
 */
export const commentToChange = async (
  tx: Transaction,
  viewer: Viewer,
  { id, photoId }: { id: number; photoId?: number | undefined },
  outside: RefusalCode,
) => {
  if (photoId !== undefined) await knownPhoto(tx, viewer, photoId)
  const comment = await comments.findComment(tx, viewer.id, id)
  if (!commentExists(viewer, comment)) return noSuchComment()
  if (photoId !== undefined && comment.photo_id !== photoId) noSuchComment()
  const found = await held(tx, viewer, comment, outside, toTakePart(viewer, comment.photo_taken_by))
  return maySeeComment(viewer, found) ? found : noSuchComment()
}

/** Authors may delete their comments as long as they are in the event, even where they no longer see them. */
export const commentToDelete = async (tx: Transaction, viewer: Viewer, id: number) => {
  const comment = (await comments.findComment(tx, viewer.id, id)) ?? noSuchComment()
  const found = await held(tx, viewer, comment, 'mayNotReadComments', toTakePart(viewer, comment.photo_taken_by))
  return mayEditComment(viewer, found) || maySeeComment(viewer, found) ? found : noSuchComment()
}

/* As for photos: viewers who may not see the parent get no rows, and its door then says why there are none. */

/** A page of comments on a photo. Refuses noSuchPhoto, mayNotReadComments. */
export const commentsFor = async (db: Db, viewer: Viewer, photoId: number, range: Range) => {
  const rows = await comments.listComments(db, viewer.id, photoId, range)
  if (rows.length === 0) await demandReader(db, viewer, photoId)
  return rows
}

/** A page of the replies to a comment. Refuses as `missing` says, or mayNotReadComments. */
export const repliesFor = async (db: Db, viewer: Viewer, id: number, range: Range, missing: () => never) => {
  const rows = await comments.listReplies(db, viewer.id, id, range)
  if (rows.length === 0) await commentFor(db, viewer, id, 'mayNotReadComments', missing)
  return rows
}

/** A page of reactions to a comment. Refuses as `missing` says, or mayNotReact. */
export const reactionsFor = async (db: Db, viewer: Viewer, id: number, range: Range, missing: () => never) => {
  const rows = await listReactions(db, viewer.id, id, range)
  if (rows.length === 0) await commentFor(db, viewer, id, 'mayNotReact', missing)
  return rows
}
