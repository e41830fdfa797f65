import { z } from 'zod'
import { proveFirst } from './accounts/passwords.ts'
import { MinimalUser } from './accounts/user.ts'
import { noSuchPhoto, notOrganizer } from './gallery.ts'
import { commentLengthMax } from './limits.ts'
import { offerNot, type RefusalPage, reload } from './refusal-advice.ts'
import { notFound, route, says } from './route.ts'
import {
  Count,
  Done,
  Emoji,
  Id,
  IdNumber,
  maybe,
  OptionalId,
  Page,
  Paging,
  saidText,
  sentence,
  shape,
  Timestamp,
} from './words.ts'

/* Comments on photos, replies to them, and reactions. */

export const Comment = shape('GalleryPhotoComment', {
  id: IdNumber,
  event_photo_comment: z.string(),
  event_photo_comment_replies_count: Count.describe('Number of replies.'),
  user: MinimalUser,
  created_at: Timestamp,
  updated_at: Timestamp,
  extra: z
    .strictObject({
      event_photo_id: IdNumber,
      reply_to: IdNumber.nullable(),
      edited: z.boolean(),
      reactions: z.array(z.strictObject({ comment_reaction: z.string(), comment_reaction_count: Count })),
      my_reaction: z.string().nullable().describe('The viewer’s emoji; null if there is none.'),
      /** Whether it is hidden from everyone except its author and the organizers. */
      hidden: z.boolean(),
      /** The viewer blocks its author and is not an organizer: clients should collapse it. */
      blocked: z.boolean(),
      may: z.strictObject({ reply: z.boolean(), update: z.boolean(), delete: z.boolean(), hide: z.boolean() }),
    })
    .optional(),
})

export const CommentReactedUser = shape('GalleryCommentReactedUser', {
  id: IdNumber,
  user: MinimalUser,
  created_at: Timestamp,
  updated_at: Timestamp,
})

const noSuchComment = notFound('Comment not found!')
const mayNotReadComments = says('User is not authorized to access the comments.')
const mayNotReact = says('User is not authorized to react to this comment.')
const mayNotComment = says('User is not allowed to comment on this event photo')

/** See gallery.ts. */
export const refusalPages = {
  noSuchComment: { cause: 'The comment does not exist on this photo or was deleted.', client: reload },
  noSuchCommentReaction: { cause: 'The comment does not exist, so it has no reactions.', client: reload },
  mayNotReadComments: {
    cause: 'The caller is not in the event of the photo.',
    client: 'Remove everything about the event from the screen and from caches, and reload the list of events.',
  },
  mayNotReact: { cause: 'The caller is not in the event of the photo.', client: offerNot },
  mayNotComment: { cause: 'The caller is not in the event of the photo.', client: offerNot },
  replyToReply: {
    cause: 'Replies can only be made to comments, not to other replies.',
    client: 'Send the ID of the comment that the reply belongs to.',
  },
  mayNotDeleteComment: {
    cause: 'The caller is neither the author, the uploader of the photo nor an organizer.',
    client: offerNot,
  },
} satisfies Record<string, RefusalPage>

export const listComments = route('listComments', 'GET api/gallery/comments/{event_photo_id}', {
  documented: true,
  summary: 'Lists the comments on a photo, newest first, without replies.',
  perMinute: 240,
  extra: true,
  input: z.object({ event_photo_id: Id, ...Paging }),
  reply: Page(Comment),
  refusals: { noSuchPhoto, mayNotReadComments },
})

export const listReplies = route('listReplies', 'GET api/gallery/comment/replies/{event_photo_comment_id}', {
  documented: true,
  summary: 'Lists the replies to a comment, oldest first.',
  perMinute: 240,
  extra: true,
  input: z.object({ event_photo_comment_id: Id, ...Paging }),
  reply: Page(Comment),
  refusals: { mayNotReadComments },
})

export const saveComment = route('saveComment', 'POST api/gallery/comment', {
  words: true,
  documented: true,
  summary: 'Adds a comment (201), replies to one (201) or edits one (200).',
  idempotent: true,
  creates201: true,
  extra: true,
  input: z
    .object({
      event_photo_id: OptionalId,
      event_photo_comment_id: OptionalId,
      event_photo_comment_reply_id: OptionalId,
      event_photo_comment: saidText(commentLengthMax).describe('Text of the comment.'),
    })
    .refine(
      asked =>
        asked.event_photo_comment_id !== undefined ||
        asked.event_photo_comment_reply_id !== undefined ||
        asked.event_photo_id !== undefined,
      { path: ['event_photo_id'], error: sentence.required },
    ),
  reply: Comment,
  refusals: {
    noSuchPhoto,
    noSuchComment,
    mayNotComment,
    replyToReply: says('You can only reply to the original comment.'),
  },
})

export const deleteComment = route('deleteComment', 'DELETE api/gallery/comment/{event_photo_comment_id}', {
  summary: 'Deletes a comment with its replies. Author, uploader of the photo or organizers only.',
  input: z.object({ event_photo_comment_id: Id }),
  reply: Done,
  refusals: {
    proveFirst,
    noSuchComment,
    mayNotReadComments,
    mayNotDeleteComment: says('User is not allowed to delete this comment'),
  },
  takes: { back: null, proof: 'ofOthers', tells: 'channel', audits: 'comment.deleted' },
})

export const hideComment = route('hideComment', 'PUT api/gallery/comment/hide/{event_photo_comment_id}', {
  summary: 'Hides a comment with its replies from everyone except its author and the organizers. Organizers only.',
  extra: true,
  input: z.object({ event_photo_comment_id: Id }),
  reply: Comment,
  refusals: { noSuchComment, mayNotReadComments, notOrganizer },
  takes: { back: 'unhideComment', tells: 'channel', audits: 'comment.hidden' },
})

export const unhideComment = route('unhideComment', 'DELETE api/gallery/comment/hide/{event_photo_comment_id}', {
  summary: 'Makes a hidden comment visible to everyone again.',
  extra: true,
  input: z.object({ event_photo_comment_id: Id }),
  reply: Comment,
  refusals: { noSuchComment, mayNotReadComments, notOrganizer },
})

export const reactToComment = route('reactToComment', 'PUT api/gallery/comment/react/{event_photo_comment_id}', {
  opens: ['reaction to a comment'],
  summary: 'Reacts to a comment with an emoji, replacing any previous one.',
  extra: true,
  input: z.object({ event_photo_comment_id: Id, comment_reaction: maybe(Emoji) }),
  mistaken: { message_reaction: 'comment_reaction', reaction: 'comment_reaction', emoji: 'comment_reaction' },
  reply: Comment,
  refusals: { noSuchComment, mayNotReact },
})

export const unreactToComment = route('unreactToComment', 'DELETE api/gallery/comment/react/{event_photo_comment_id}', {
  summary: 'Removes the viewer’s reaction from a comment.',
  extra: true,
  input: z.object({ event_photo_comment_id: Id }),
  reply: Comment,
  refusals: { noSuchComment, mayNotReact },
})

export const listCommentReactions = route(
  'listCommentReactions',
  'GET api/gallery/comment/reactions/{comment_reaction_id}',
  {
    documented: true,
    summary: 'Lists the people who reacted to a comment, newest first.',
    perMinute: 240,
    input: z.object({ comment_reaction_id: Id, ...Paging }),
    reply: Page(CommentReactedUser),
    refusals: { noSuchCommentReaction: notFound('Comment reaction not found!'), mayNotReact },
  },
)
