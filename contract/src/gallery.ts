import { z } from 'zod'
import { MinimalUser } from './accounts.ts'
import { altTextLengthMax, captionLengthMax, commentLengthMax, uploadsCheckedMax } from './limits.ts'
import { shownPicture } from './pictures.ts'
import { noRoom, notFound, route, says, saysError } from './route.ts'
import {
  Count,
  CountString,
  Done,
  Emoji,
  Flag,
  Id,
  IdNumber,
  IdString,
  maybe,
  Page,
  Paging,
  SessionId,
  Sha256,
  sentence,
  shape,
  Timestamp,
  text,
  Url,
} from './words.ts'

// ---- resources ----

/** What `reason` says of a video that failed, or that waits for another try (`outside`). */
export const videoReasons = {
  outside: 'The server could not convert the video now; it tries again.',
  'no-picture': 'The file has no moving picture.',
  unsupported: 'The video is of a kind that cannot be converted.',
  'too-many-streams': 'The file has too many tracks.',
  'too-long': 'The video is too long.',
  'too-many-pixels': 'The pictures of the video are too large.',
  damaged: 'The video is damaged.',
  'too-slow': 'The video takes too long to convert.',
  'gave-up': 'The video could not be converted, though it was tried several times.',
}

/** How far a video is. Until it is `ready`, `event_photo_url` shows its still. */
const VideoState = z.strictObject({
  state: z.enum(['waiting', 'converting', 'ready', 'failed']),
  /** Percent. */
  progress: z.int().min(0).max(100),
  duration_ms: Count.nullable(),
  /** The still, large: what a player shows before it plays. Cut out of the video where the one that came shows nothing. */
  poster_url: Url,
  /** One of `videoReasons`. */
  reason: z.string().nullable(),
})

export const Photo = shape('GalleryPhoto', {
  id: IdString,
  event_id: IdString,
  /** In full: the very pixels that were uploaded, without metadata, and of HEIC and AVIF a JPEG; or the MP4 when there is a film. */
  event_photo_url: Url,
  /** Within 640 px. With `&w=400` at its end a smaller one, for an album's tiles; what was uploaded before has none. */
  event_photo_preview_url: Url,
  event_photo_likes_count: CountString,
  event_photo_comments_count: CountString,
  liked: z.boolean(),
  taken_by: MinimalUser,
  created_at: Timestamp,
  updated_at: Timestamp,
  extra: z
    .strictObject({
      width: z.int().positive(),
      height: z.int().positive(),
      thumbhash: z.string(),
      ...shownPicture,
      caption: z.string().nullable(),
      alt_text: z.string().nullable(),
      video: z.boolean(),
      video_state: VideoState.nullable(),
      taken_at: Timestamp.nullable(),
      /** For the person who took it alone; null for everybody else. */
      place: z.strictObject({ latitude: z.number(), longitude: z.number() }).nullable(),
      /** An earlier photo of the album that looks the same. */
      same_as: IdString.nullable(),
      /** From all but its author and the organizers. */
      hidden: z.boolean(),
      may: z.strictObject({ comment: z.boolean(), update: z.boolean(), delete: z.boolean(), hide: z.boolean() }),
    })
    .optional(),
})

export const DeletedPhoto = shape('DeletedGalleryPhoto', {
  id: IdString,
  event_id: IdString,
  event_photo_preview_url: Url,
  event_photo_likes_count: CountString,
  event_photo_comments_count: CountString,
  taken_by: MinimalUser,
  created_at: Timestamp,
  deleted_at: Timestamp,
  restorable_until: Timestamp,
})

export const Comment = shape('GalleryPhotoComment', {
  id: IdNumber,
  event_photo_comment: z.string(),
  event_photo_comment_replies_count: Count,
  user: MinimalUser,
  created_at: Timestamp,
  updated_at: Timestamp,
  extra: z
    .strictObject({
      event_photo_id: IdNumber,
      reply_to: IdNumber.nullable(),
      edited: z.boolean(),
      reactions: z.array(z.strictObject({ comment_reaction: z.string(), comment_reaction_count: Count })),
      my_reaction: z.string().nullable(),
      /** From all but its author and the organizers. */
      hidden: z.boolean(),
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

export const AlbumLink = shape('GalleryAlbumLink', {
  download_url: Url,
  download_expires_at: Timestamp,
  download_photos_count: Count,
  download_bytes: Count,
})

// ---- refusals ----

const noSuchPhotoToView = notFound('Event Photo not found!')
const noSuchPhoto = notFound('Photo not found!')
const noSuchComment = notFound('Comment not found!')
const notInEvent = says('User is not allowed to access this event photo')
const mayNotReadComments = says('User is not authorized to access the comments.')
const mayNotReact = says('User is not authorized to react to this comment.')
const notOrganizer = says('The user is not an organizer of the event')
const mayNotComment = says('User is not allowed to comment on this event photo')

// ---- operations ----

export const uploadPhoto = route({
  name: 'uploadPhoto',
  summary: 'Puts a photo into the gallery of an event; the same bytes again answer with the photo that is there.',
  at: [['POST', 'api/gallery/upload']],
  idempotent: true,
  extra: true,
  input: z.object({
    event_id: Id,
    /** Files that came by a session of a resumable upload. */
    image_session_id: maybe(SessionId),
    video_session_id: maybe(SessionId),
    event_photo_caption: maybe(text(captionLengthMax)),
    event_photo_alt_text: maybe(text(altTextLengthMax)),
  }),
  files: {
    image: { required: { unless: 'image_session_id' }, bytesMax: 'photoBytesMax' },
    video: { holds: 'video', bytesMax: 'videoBytesMax' },
  },
  reply: Photo,
  refusals: {
    noSuchEvent: notFound('Event not found'),
    mayNotUpload: saysError("You're not authorized to upload an image for this event."),
    tooManyPhotos: saysError("You've exceeded the maximum number of photos allowed to be uploaded."),
    /** Of a repeated key: the photo that it made is deleted. */
    noSuchPhoto: noSuchPhotoToView,
    ...noRoom(saysError),
  },
})

export const linkAlbum = route({
  name: 'linkAlbum',
  summary:
    "A link to the album as a zip, for the caller alone: one's own photos as uploaded, those of others as they are shown. A broken download goes on by ranges.",
  at: [['POST', 'api/gallery/download/{event_id}']],
  perMinute: 30,
  input: z.object({ event_id: Id, taken_by: maybe(Id), mine: maybe(Flag) }),
  reply: AlbumLink,
  refusals: {
    noSuchEvent: notFound('Event not found!'),
    notInEvent: says('The user is neither a guest nor an organizer of the event'),
  },
})

const BytesMax = z.int().positive()

export const readUploadLimits = route({
  name: 'readUploadLimits',
  summary: 'How many bytes a file may have: asked before uploading one.',
  at: [['GET', 'api/gallery/upload/limits']],
  input: z.object({}),
  reply: shape('UploadLimits', {
    image_bytes_max: BytesMax,
    video_bytes_max: BytesMax,
    /** Of a message's pictures, and of the picture of a person or an event. */
    attachment_bytes_max: BytesMax,
  }),
  refusals: {},
})

export const checkUploads = route({
  name: 'checkUploads',
  summary: 'Which files are in the album already, by the SHA-256 of their bytes: asked before uploading them.',
  at: [['POST', 'api/gallery/upload/check']],
  input: z.object({
    event_id: Id,
    sha256: z
      .array(Sha256, sentence.array)
      .min(1, sentence.required)
      .max(uploadsCheckedMax, sentence.countAtMost(uploadsCheckedMax)),
  }),
  reply: shape('CheckedUploads', {
    known: z.array(z.strictObject({ sha256: z.string(), event_photo_id: IdNumber, mine: z.boolean() })),
  }),
  refusals: {
    noSuchEvent: notFound('Event not found!'),
    notInEvent: says('The user is neither a guest nor an organizer of the event'),
  },
})

export const listPhotos = route({
  name: 'listPhotos',
  summary: 'The gallery of an event by when its photos were added or taken, or that of one person.',
  at: [['GET', 'api/gallery/photos/{event_id}']],
  perMinute: 240,
  extra: true,
  input: z.object({
    event_id: Id,
    sort: maybe(z.enum(['newest', 'oldest', 'taken_newest', 'taken_oldest'], sentence.selected)),
    taken_by: maybe(Id),
    ...Paging,
  }),
  reply: Page(Photo),
  refusals: {
    noSuchEvent: notFound('Event not found!'),
    notInEvent: says('The user is neither a guest nor an organizer of the event'),
  },
})

export const readPhoto = route({
  name: 'readPhoto',
  summary: 'One photo.',
  at: [['GET', 'api/gallery/photo/details/{event_photo_id}']],
  perMinute: 180,
  extra: true,
  input: z.object({ event_photo_id: Id }),
  reply: Photo,
  refusals: { noSuchPhoto: noSuchPhotoToView, notInEvent },
})

export const captionPhoto = route({
  name: 'captionPhoto',
  summary: 'Sets the caption and the alternative text of a photo; null or "" takes one away, absent leaves it.',
  at: [['POST', 'api/gallery/photo/details/update']],
  extra: true,
  input: z.object({
    event_photo_id: Id,
    event_photo_caption: text(captionLengthMax).nullish(),
    event_photo_alt_text: text(altTextLengthMax).nullish(),
  }),
  reply: Photo,
  refusals: {
    noSuchPhoto: noSuchPhotoToView,
    notInEvent,
    notUploader: says('Only the person who took the photo can describe it'),
  },
})

export const likePhoto = route({
  name: 'likePhoto',
  summary: 'Likes a photo.',
  at: [['PUT', 'api/gallery/photo/like/{event_photo_id}']],
  extra: true,
  input: z.object({ event_photo_id: Id }),
  reply: Photo,
  refusals: { noSuchPhoto: noSuchPhotoToView, notInEvent },
})

export const unlikePhoto = route({
  name: 'unlikePhoto',
  summary: 'Takes a like back.',
  at: [['DELETE', 'api/gallery/photo/like/{event_photo_id}']],
  extra: true,
  input: z.object({ event_photo_id: Id }),
  reply: Photo,
  refusals: { noSuchPhoto: noSuchPhotoToView, notInEvent },
})

export const listLikes = route({
  name: 'listLikes',
  summary: 'Who likes a photo, newest first.',
  at: [['GET', 'api/gallery/photo/likes/{event_photo_id}']],
  input: z.object({ event_photo_id: Id, ...Paging }),
  reply: Page(MinimalUser),
  refusals: { noSuchPhoto: noSuchPhotoToView, notInEvent },
})

export const deletePhoto = route({
  name: 'deletePhoto',
  summary: 'Takes a photo out of the gallery; by its uploader or an organizer.',
  at: [['DELETE', 'api/gallery/photo/{event_photo_id}']],
  input: z.object({ event_photo_id: Id }),
  reply: Done,
  refusals: {
    noSuchPhoto: noSuchPhotoToView,
    notInEvent,
    mayNotDeletePhoto: says('User is not allowed to delete this event photo'),
  },
})

export const listDeletedPhotos = route({
  name: 'listDeletedPhotos',
  summary:
    'What can be restored, latest deleted first: of the whole gallery for organizers, for guests what they took and deleted themselves.',
  at: [['GET', 'api/gallery/deleted/{event_id}']],
  input: z.object({ event_id: Id, ...Paging }),
  reply: Page(DeletedPhoto),
  refusals: {
    noSuchEvent: notFound('Event not found!'),
    notInEvent: says('The user is neither a guest nor an organizer of the event'),
  },
})

export const restorePhoto = route({
  name: 'restorePhoto',
  summary:
    'Puts a photo back that was deleted less than 30 days ago, with its likes and comments; by its uploader or an organizer.',
  at: [['PUT', 'api/gallery/photo/restore/{event_photo_id}']],
  extra: true,
  input: z.object({ event_photo_id: Id }),
  reply: Photo,
  refusals: {
    noSuchPhoto: noSuchPhotoToView,
    notInEvent,
    mayNotRestorePhoto: says('User is not allowed to restore this event photo'),
    tooManyPhotos: says("You've exceeded the maximum number of photos allowed to be uploaded."),
    alreadyInAlbum: says('The attachment is in the gallery'),
  },
})

export const hidePhoto = route({
  name: 'hidePhoto',
  summary: 'Hides a photo from all but its uploader and the organizers; its links die. By an organizer.',
  at: [['PUT', 'api/gallery/photo/hide/{event_photo_id}']],
  extra: true,
  input: z.object({ event_photo_id: Id }),
  reply: Photo,
  refusals: { noSuchPhoto: noSuchPhotoToView, notInEvent, notOrganizer },
})

export const unhidePhoto = route({
  name: 'unhidePhoto',
  summary: 'Shows a hidden photo to everybody again.',
  at: [['DELETE', 'api/gallery/photo/hide/{event_photo_id}']],
  extra: true,
  input: z.object({ event_photo_id: Id }),
  reply: Photo,
  refusals: { noSuchPhoto: noSuchPhotoToView, notInEvent, notOrganizer },
})

export const listComments = route({
  name: 'listComments',
  summary: 'The comments of a photo, newest first, without replies.',
  at: [['GET', 'api/gallery/comments/{event_photo_id}']],
  perMinute: 240,
  extra: true,
  input: z.object({ event_photo_id: Id, ...Paging }),
  reply: Page(Comment),
  refusals: { noSuchPhoto, mayNotReadComments },
})

export const listReplies = route({
  name: 'listReplies',
  summary: 'The replies to a comment, oldest first.',
  at: [['GET', 'api/gallery/comment/replies/{event_photo_comment_id}']],
  perMinute: 240,
  extra: true,
  input: z.object({ event_photo_comment_id: Id, ...Paging }),
  reply: Page(Comment),
  refusals: { mayNotReadComments },
})

export const saveComment = route({
  name: 'saveComment',
  summary: 'Adds a comment (201), replies to one (201) or updates one (200).',
  at: [['POST', 'api/gallery/comment']],
  idempotent: true,
  creates201: true,
  extra: true,
  input: z
    .object({
      event_photo_id: maybe(Id),
      event_photo_comment_id: maybe(Id),
      event_photo_comment_reply_id: maybe(Id),
      event_photo_comment: text(commentLengthMax),
    })
    .refine(asked => asked.event_photo_comment_id !== undefined || asked.event_photo_id !== undefined, {
      path: ['event_photo_id'],
      error: sentence.required,
    }),
  reply: Comment,
  refusals: {
    noSuchPhoto,
    noSuchComment,
    mayNotComment,
    replyToReply: says('You can only reply to the original comment.'),
  },
})

export const deleteComment = route({
  name: 'deleteComment',
  summary: "Removes a comment with its replies; by its author, the photo's uploader or an organizer.",
  at: [['DELETE', 'api/gallery/comment/{event_photo_comment_id}']],
  input: z.object({ event_photo_comment_id: Id }),
  reply: Done,
  refusals: {
    noSuchComment,
    mayNotReadComments,
    mayNotDeleteComment: says('User is not allowed to delete this comment'),
  },
})

export const hideComment = route({
  name: 'hideComment',
  summary: 'Hides a comment with its replies from all but its author and the organizers; by an organizer.',
  at: [['PUT', 'api/gallery/comment/hide/{event_photo_comment_id}']],
  extra: true,
  input: z.object({ event_photo_comment_id: Id }),
  reply: Comment,
  refusals: { noSuchComment, mayNotReadComments, notOrganizer },
})

export const unhideComment = route({
  name: 'unhideComment',
  summary: 'Shows a hidden comment to everybody again.',
  at: [['DELETE', 'api/gallery/comment/hide/{event_photo_comment_id}']],
  extra: true,
  input: z.object({ event_photo_comment_id: Id }),
  reply: Comment,
  refusals: { noSuchComment, mayNotReadComments, notOrganizer },
})

export const reactToComment = route({
  name: 'reactToComment',
  summary: 'Reacts to a comment with one emoji; another one replaces it.',
  at: [['PUT', 'api/gallery/comment/react/{event_photo_comment_id}']],
  extra: true,
  input: z.object({ event_photo_comment_id: Id, comment_reaction: maybe(Emoji) }),
  reply: Comment,
  refusals: { noSuchComment, mayNotReact },
})

export const unreactToComment = route({
  name: 'unreactToComment',
  summary: 'Takes the reaction to a comment back.',
  at: [['DELETE', 'api/gallery/comment/react/{event_photo_comment_id}']],
  extra: true,
  input: z.object({ event_photo_comment_id: Id }),
  reply: Comment,
  refusals: { noSuchComment, mayNotReact },
})

export const listCommentReactions = route({
  name: 'listCommentReactions',
  summary: 'Who reacted to a comment, newest first.',
  at: [['GET', 'api/gallery/comment/reactions/{comment_reaction_id}']],
  perMinute: 240,
  input: z.object({ comment_reaction_id: Id, ...Paging }),
  reply: Page(CommentReactedUser),
  refusals: { noSuchCommentReaction: notFound('Comment reaction not found!'), mayNotReact },
})
