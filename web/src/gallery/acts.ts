import { applyChanges } from '../app/cache/change.ts'
import { type Listed, rowsOf } from '../app/cache/pages.ts'
import { queryClient } from '../app/cache/query.ts'
import { api } from '../app/net/client.ts'
import { session } from '../app/session.ts'
import { act, actInstead } from '../app/storage/acts.ts'
import type { Performer } from '../app/storage/pending-acts.ts'
import { sayFailure } from '../ui/failure.ts'
import { commentsKey, photoKey, photosKey, repliesKey } from './keys.ts'
import type { Comment, Photo } from './queries.ts'
import { onGalleryEvent } from './reducer.ts'

/* Acts in an album that wait for a network if there is none. */

declare module '../app/storage/pending-acts.ts' {
  interface Acts {
    like: { photoId: string; eventId: string; liked: boolean }
    comment: PendingComment
    commentReaction: { commentId: number; photoId: number; replyTo: number | null; emoji: string | null }
  }
}

export type PendingComment = {
  photoId: string
  eventId: number
  text: string
  replyTo?: number
  /** How many comments with this text its author had there: once there is one more, it has arrived. */
  before: number
}

const me = () => session.get()?.userId ?? 0
const showPhoto = (photo: Photo) =>
  applyChanges(queryClient, onGalleryEvent({ kind: 'photo.liked', payload: photo }, me()))
const showComment = (comment: Comment) =>
  applyChanges(queryClient, onGalleryEvent({ kind: 'comment.reacted', payload: comment }, me()))

const shownCopies = (id: string, eventId: string): Photo[] => {
  const lists = queryClient.getQueriesData<Listed<Photo>>({ queryKey: photosKey(Number(eventId)) })
  const alone = queryClient.getQueryData<Photo>(photoKey(id))
  const listed = lists.flatMap(([, list]) => rowsOf(list, photo => photo.id)).filter(photo => photo.id === id)
  return alone ? [alone, ...listed] : listed
}
const listOf = (photoId: number, replyTo: number | null) =>
  replyTo === null ? commentsKey(String(photoId)) : repliesKey(replyTo)

export const like: Performer<'like'> = {
  show({ photoId, eventId, liked }) {
    const photo = shownCopies(photoId, eventId).find(photo => photo.liked !== liked)
    if (photo) showPhoto(withLike(photo, liked))
  },
  perform: async ({ photoId: event_photo_id, liked }) =>
    showPhoto(await (liked ? api.gallery.likePhoto({ event_photo_id }) : api.gallery.unlikePhoto({ event_photo_id }))),
  undo({ photoId, eventId }, refusal) {
    void queryClient.invalidateQueries({ queryKey: photoKey(photoId) })
    void queryClient.invalidateQueries({ queryKey: photosKey(Number(eventId)) })
    sayFailure(refusal)
  },
}

export const commentReaction: Performer<'commentReaction'> = {
  show({ commentId, photoId, replyTo, emoji }) {
    const listed = queryClient.getQueryData<Listed<Comment>>(listOf(photoId, replyTo))
    const comment = rowsOf(listed, ({ id }) => id).find(({ id }) => id === commentId)
    if (comment && comment.extra.my_reaction !== emoji) showComment(withReaction(comment, emoji))
  },
  perform: async ({ commentId: event_photo_comment_id, emoji }) =>
    showComment(
      await (emoji === null
        ? api.gallery.unreactToComment({ event_photo_comment_id })
        : api.gallery.reactToComment({ event_photo_comment_id, comment_reaction: emoji })),
    ),
  undo({ photoId, replyTo }, refusal) {
    void queryClient.invalidateQueries({ queryKey: listOf(photoId, replyTo) })
    sayFailure(refusal)
  },
}

export const comment: Performer<'comment'> = {
  async perform({ photoId, text, replyTo }, idempotencyKey) {
    const input = {
      event_photo_id: Number(photoId),
      event_photo_comment: text,
      ...(replyTo !== undefined && { event_photo_comment_reply_id: replyTo }),
    }
    const comment = await api.gallery.saveComment(input, { idempotencyKey })
    applyChanges(queryClient, onGalleryEvent({ kind: 'comment.created', payload: comment }, me()))
  },
}

const withLike = (photo: Photo, liked: boolean): Photo => {
  const event_photo_likes_count = String(Number(photo.event_photo_likes_count) + (liked ? 1 : -1))
  return { ...photo, liked, event_photo_likes_count }
}

export const likeOrNot = (photo: Photo) => {
  const liked = !photo.liked
  showPhoto(withLike(photo, liked))
  void actInstead('like', aboutLike(photo.id), { photoId: photo.id, eventId: photo.event_id, liked })
}
export const aboutLike = (photoId: string) => `like ${photoId}`

/** Sets the viewer's reaction: a person has one, and a new one replaces it; repeating it removes it. Shown at once. */
export const reactToComment = (comment: Comment, chosen: string) => {
  const { my_reaction: mine, event_photo_id, reply_to } = comment.extra
  const emoji = chosen === mine ? null : chosen
  showComment(withReaction(comment, emoji))
  void actInstead('commentReaction', aboutReaction(comment.id), {
    commentId: comment.id,
    photoId: event_photo_id,
    replyTo: reply_to,
    emoji,
  })
}
export const aboutReaction = (commentId: number) => `reaction ${commentId}`

const withReaction = (comment: Comment, emoji: string | null): Comment => {
  const { my_reaction: mine, reactions } = comment.extra
  const counts = new Map(reactions.map(each => [each.comment_reaction, each.comment_reaction_count]))
  if (mine !== null) counts.set(mine, (counts.get(mine) ?? 1) - 1)
  if (emoji !== null) counts.set(emoji, (counts.get(emoji) ?? 0) + 1)
  const shown = [...counts].filter(([, number]) => number > 0)
  return {
    ...comment,
    extra: {
      ...comment.extra,
      my_reaction: emoji,
      reactions: shown.map(([comment_reaction, comment_reaction_count]) => ({
        comment_reaction,
        comment_reaction_count,
      })),
    },
  }
}

export const postComment = (told: PendingComment) => act('comment', aboutComments(told.photoId), told)
export const aboutComments = (photoId: string) => `comments ${photoId}`
