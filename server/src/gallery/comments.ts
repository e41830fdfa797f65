import { type Db, transact } from '../platform/database.ts'
import { refuse } from '../platform/http/refusals.ts'
import type { Viewer } from '../platform/http/viewer.ts'
import { commentToChange, mayBeRepliedTo, mayDeleteComment, mayEditComment, photoToChange } from './access.ts'
import * as store from './comments-store.ts'

/** Returns the comment's id. */
export const addComment = (db: Db, viewer: Viewer, { photoId, text }: { photoId: number; text: string }) =>
  transact(db, async tx => {
    await photoToChange(tx, viewer, photoId, 'mayNotComment')
    return (await store.insertComment(tx, { photoId, userId: viewer.id, text })) ?? refuse('noSuchPhoto')
  })

export type Reply = { photoId: number; commentId: number; text: string }

/** Returns the reply's id. */
export const replyToComment = (db: Db, viewer: Viewer, { photoId, commentId, text }: Reply) =>
  transact(db, async tx => {
    const parent = await commentToChange(tx, viewer, { id: commentId, photoId }, 'mayNotComment')
    if (!mayBeRepliedTo(parent)) refuse('replyToReply')
    const reply = { photoId, parentId: commentId, userId: viewer.id, text }
    return (await store.insertReply(tx, reply)) ?? refuse('noSuchComment')
  })

export type Edit = { photoId: number | undefined; commentId: number; text: string }

/** Returns the comment's id. */
export const editComment = (db: Db, viewer: Viewer, { photoId, commentId, text }: Edit) =>
  transact(db, async tx => {
    const comment = await commentToChange(tx, viewer, { id: commentId, photoId }, 'mayNotComment')
    if (!mayEditComment(viewer, comment)) refuse('mayNotComment')
    return (await store.updateText(tx, commentId, text)) ? commentId : refuse('noSuchComment')
  })

export const deleteComment = (db: Db, viewer: Viewer, id: number) =>
  transact(db, async tx => {
    const comment = await commentToChange(tx, viewer, { id }, 'mayNotReadComments')
    if (!mayDeleteComment(viewer, comment)) refuse('mayNotDeleteComment')
    if (!(await store.markDeleted(tx, comment))) refuse('noSuchComment')
  })

export const reactToComment = (db: Db, viewer: Viewer, id: number, reaction: string) =>
  transact(db, async tx => {
    await commentToChange(tx, viewer, { id }, 'mayNotReact')
    if (!(await store.setReaction(tx, id, viewer.id, reaction))) refuse('noSuchComment')
  })

export const takeReactionBack = (db: Db, viewer: Viewer, id: number) =>
  transact(db, async tx => {
    await commentToChange(tx, viewer, { id }, 'mayNotReact')
    await store.deleteReaction(tx, id, viewer.id)
  })
