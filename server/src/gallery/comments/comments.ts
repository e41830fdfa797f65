import { can } from '@afterglow/contract/capabilities'
import { requireProofForOthers } from '../../accounts/proofs.ts'
import { addedMentions } from '../../events/announcements/mentions.ts'
import { audit } from '../../events/audit/audit.ts'
import { announce, type ChangeKind } from '../../log/announce.ts'
import { rewriteNotifications, takeBack, withdrawDeleted, withdrawTagged } from '../../notifications/mark-read.ts'
import { type Db, transact } from '../../platform/database/database.ts'
import { orDone, refuse } from '../../platform/http/refusals.ts'
import type { Viewer } from '../../platform/http/viewer.ts'
import { mayBeRepliedTo, mayDeleteComment, mayEditComment, mayHide, photoToAnswer } from '../access.ts'
import { quotesComment, tags, tagsOfComment, tellsOfComment } from '../notification-tags.ts'
import { commentToChange, commentToDelete } from './access.ts'
import * as store from './comments-store.ts'
import * as reactions from './reactions-store.ts'

/** Returns the comment's ID. */
export const addComment = (db: Db, viewer: Viewer, { photoId, text }: { photoId: number; text: string }) =>
  transact(db, async tx => {
    const { event_id } = await photoToAnswer(tx, viewer, photoId, 'mayNotComment')
    const id = (await store.insertComment(tx, { photoId, userId: viewer.id, text })) ?? refuse('noSuchPhoto')
    const place = { event_id, photo_id: photoId, parent_id: null }
    await announce(tx, [
      { ...about('comment.created', viewer, place, id), notify: true },
      ...countsAround(viewer, place),
    ])
    return id
  })

type CommentLocation = { event_id: number; photo_id: number; parent_id: number | null }

const about = <Kind extends ChangeKind>(kind: Kind, viewer: Viewer, { event_id }: CommentLocation, subjectId: number) =>
  ({ kind, audience: 'event', eventId: event_id, actorId: viewer.id, subjectId }) as const

/** Updates the counts of the photo and the parent comment for a comment that was added or removed. */
export const countsAround = (viewer: Viewer, place: CommentLocation) => [
  ...(place.parent_id === null ? [] : [about('comment.updated', viewer, place, place.parent_id)]),
  about('photo.updated', viewer, place, place.photo_id),
]

export type Reply = { photoId: number | undefined; commentId: number; text: string }

/** Returns the reply's ID. */
export const replyToComment = (db: Db, viewer: Viewer, { photoId, commentId, text }: Reply) =>
  transact(db, async tx => {
    const parent = await commentToChange(tx, viewer, { id: commentId, photoId }, 'mayNotComment')
    if (!mayBeRepliedTo(parent)) refuse('replyToReply')
    const { event_id, photo_id } = parent
    const reply = { photoId: photo_id, parentId: commentId, userId: viewer.id, text }
    const id = (await store.insertReply(tx, reply)) ?? refuse('noSuchComment')
    const place = { event_id, photo_id, parent_id: commentId }
    await announce(tx, [
      { ...about('comment.created', viewer, place, id), notify: true },
      ...countsAround(viewer, place),
    ])
    return id
  })

export type Edit = { photoId: number | undefined; commentId: number; text: string }

/** Returns the comment's ID. */
export const editComment = (db: Db, viewer: Viewer, { photoId, commentId, text }: Edit) =>
  transact(db, async tx => {
    const comment = await commentToChange(tx, viewer, { id: commentId, photoId }, 'mayNotComment')
    if (!mayEditComment(viewer, comment)) refuse('mayNotComment')
    if (!(await store.updateText(tx, commentId, text))) refuse('noSuchComment')
    await rewriteNotifications(tx, { eventId: comment.event_id, kinds: quotesComment, subjectId: commentId, text })
    const mentions = addedMentions(comment.text, text)
    const notice = mentions && ({ detail: { mentions }, notify: true } as const)
    await announce(tx, { ...about('comment.updated', viewer, comment, commentId), ...notice })
    return commentId
  })

/** Deleting again has no effect. */
export const deleteComment = (db: Db, viewer: Viewer, id: number) => {
  const removed = transact(db, async tx => {
    const comment = await commentToDelete(tx, viewer, id)
    if (!mayDeleteComment(viewer, comment)) refuse('mayNotDeleteComment')
    await requireProofForOthers(tx, viewer, comment)
    const subjectIds = (await store.markDeleted(tx, comment)) ?? refuse('noSuchComment')
    if (comment.user_id !== viewer.id && mayHide(comment.standing))
      await audit(tx, viewer, {
        act: 'comment.deleted',
        eventId: comment.event_id,
        subjectId: id,
        userId: comment.user_id,
      })
    const detail = goneWith(comment)
    const deleted = { ...about('comment.deleted', viewer, comment, id), detail }
    await announce(tx, [deleted, ...countsAround(viewer, comment)])
    await withdrawTagged(tx, comment.event_id, subjectIds.flatMap(tagsOfComment))
    await withdrawDeleted(tx, {
      eventId: comment.event_id,
      kinds: tellsOfComment,
      subjectIds,
      gone: { of: 'comment', fate: 'deleted' },
    })
  })
  return orDone(removed, ['noSuchComment'], async () => {
    const comment = await store.findDeletedComment(db, viewer.id, id)
    return comment !== undefined && can(comment.standing, 'read') && mayDeleteComment(viewer, comment)
  })
}

/** The announcement of a deleted comment: only for those who saw it, if it or its parent was hidden. */
export const goneWith = (comment: store.PlacedComment) => {
  const place = { photoId: comment.photo_id, replyTo: comment.parent_id }
  const sealed = comment.photo_sealed_from === 'everybody'
  if (comment.photo_hidden_at !== null) return { ...place, only: comment.photo_taken_by, sealed }
  if (comment.parent_hidden_at !== null) return { ...place, only: comment.parent_user_id }
  return comment.hidden_at === null ? place : { ...place, only: comment.user_id }
}

export const reactToComment = (db: Db, viewer: Viewer, id: number, reaction: string) =>
  transact(db, async tx => {
    const comment = await commentToChange(tx, viewer, { id }, 'mayNotReact')
    const changed = (await reactions.setReaction(tx, id, viewer.id, reaction)) ?? refuse('noSuchComment')
    const reacted = about('comment.reacted', viewer, comment, id)
    if (changed) await announce(tx, { ...reacted, detail: { reaction }, notify: true })
  })

export const takeReactionBack = (db: Db, viewer: Viewer, id: number) =>
  transact(db, async tx => {
    const comment = await commentToChange(tx, viewer, { id }, 'mayNotReact')
    const changed = await reactions.deleteReaction(tx, id, viewer.id)
    if (!changed) return
    await announce(tx, about('comment.reacted', viewer, comment, id))
    await takeBack(tx, { userId: comment.user_id, tag: tags.reactions(id), actorId: viewer.id })
  })
