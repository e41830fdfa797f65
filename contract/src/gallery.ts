import { z } from 'zod'
import { MinimalUser } from './accounts.ts'
import {
  altTextLengthMax,
  captionLengthMax,
  commentLengthMax,
  photosAllowedMax,
  photosChosenMax,
  photosDecidedMax,
  uploadsCheckedMax,
} from './limits.ts'
import { shownPicture } from './pictures.ts'
import { offerNot, type RefusalPage, reload } from './refusal-advice.ts'
import { noRoom, notFound, route, says, saysError } from './route.ts'
import { albumSelection } from './streams.ts'
import {
  Count,
  CountString,
  count,
  Done,
  Emoji,
  Flag,
  Id,
  IdNumber,
  IdString,
  maybe,
  OptionalId,
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

/** Said to whoever brings it again, without blame. */
export const takenDown = 'The organizers chose to leave this picture out of the album.'

// ---- resources ----

/** Values of `reason` for a video that failed, or that is waiting to be retried (`outside`). */
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

/** The state of a video. Until it is `ready`, the address of the photo or attachment is its poster image. */
export const VideoState = z.strictObject({
  state: z.enum(['waiting', 'converting', 'ready', 'failed']),
  progress: z.int().min(0).max(100).describe('Progress in percent.'),
  duration_ms: Count.nullable().describe('Duration in milliseconds.'),
  /** The large poster image, shown until the video plays. Taken from the video if the uploaded one shows nothing. */
  poster_url: Url.describe('Large poster image of a video.'),
  /** One of `videoReasons`. */
  reason: z.string().nullable(),
})

const UnchangedFile = z.strictObject({ url: Url, bytes: Count, name: z.string(), type: z.string() })

export const Photo = shape('GalleryPhoto', {
  id: IdString,
  event_id: IdString,
  /** In full size: the exact pixels that were uploaded, without metadata; a JPEG for HEIC and AVIF; the MP4 for a video. */
  event_photo_url: Url.describe('The photo in full size; for a video, the MP4.'),
  /** At most 640 px. Appending `&w=400` gives a smaller one for album tiles; old uploads have none. */
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
      caption: z.string().nullable().describe('Caption; null if there is none.'),
      alt_text: z
        .string()
        .nullable()
        .describe('Description for people who cannot see the photo; null if there is none.'),
      video: z.boolean(),
      video_state: VideoState.nullable(),
      taken_at: Timestamp.nullable().describe('When the photo was taken, according to the camera’s clock.'),
      /** Only for the person who took it; null for everyone else. */
      place: z
        .strictObject({ latitude: z.number(), longitude: z.number() })
        .nullable()
        .describe('Where the photo was taken. Present only for the person who took it.'),
      /** The video part of a Live Photo or motion photo, as an MP4 without metadata, once it is converted. */
      motion_url: Url.nullable().describe(
        'The video part of a Live Photo or motion photo, as an MP4; null if there is none, or not yet.',
      ),
      /** The unchanged RAW file that the photo is or came with, for its uploader and organizers; otherwise null. */
      raw: UnchangedFile.nullable(),
      /** The unchanged film that the photo came with, for its uploader and organizers; otherwise null. */
      live: UnchangedFile.nullable(),
      same_as: IdString.nullable().describe('An earlier photo that looks the same; null if there is none.'),
      /** Whether it is hidden from everyone except its author and the organizers. */
      hidden: z.boolean(),
      waiting: z
        .boolean()
        .describe(
          'Whether nobody has approved it yet: it is not for the wall and, where `hidden` says so, not in the album.',
        ),
      sealed: z.boolean().describe('Whether it is hidden until the event’s photos are shown to everybody.'),
      may: z.strictObject({ comment: z.boolean(), update: z.boolean(), delete: z.boolean(), hide: z.boolean() }),
      /** Only in the reply to an upload. */
      upload: z
        .strictObject({
          was_there: z.boolean().describe('Whether the gallery already had a photo with the same bytes, from anyone.'),
          /** Whether the text sent along was used: false if the photo already had some, null if none was sent. */
          caption_taken: z
            .boolean()
            .nullable()
            .describe('Whether the caption of this upload was used; null if none was sent.'),
          alt_text_taken: z
            .boolean()
            .nullable()
            .describe('Whether the alternative text of this upload was used; null if none was sent.'),
        })
        .optional(),
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
  restorable_until: Timestamp.describe('Until when it can be restored.'),
})

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

/** How many photos a person may add to an event. */
export const PhotoAllowance = shape('PhotoAllowance', {
  event_id: IdNumber,
  user_id: IdNumber,
  person_photos_max: Count.nullable().describe('Limit set by an organizer for this person; null if not set.'),
  /** The limit for every guest of the event without one of their own, or null. */
  event_photos_max: Count.nullable().describe('Limit set by an organizer for every guest; null if not set.'),
  /** The limit in effect: the person's, else the event's, else the instance's. */
  photos_max: Count,
  /** The number of photos this person has added. */
  photos_count: Count.describe('How many photos they have added.'),
})

export const AlbumLink = shape('GalleryAlbumLink', {
  download_url: Url.describe('Link to the zip file.'),
  download_expires_at: Timestamp.describe('When the link expires.'),
  download_photos_count: Count.describe('Number of photos in the zip file.'),
  /** Unchanged RAW files that come with the photos: the caller's own, or everyone's for organizers. */
  download_raws_count: Count.describe('Number of RAW files in addition to the photos.'),
  download_bytes: Count.describe('Size of the zip file in bytes.'),
})

export const AlbumTimeline = shape('GalleryTimeline', {
  timeline_photos_count: Count.describe('Total number of photos.'),
  /** Quarters of an hour, because time zones differ by them. Quarters without photos are omitted. */
  timeline_quarters: z
    .array(z.strictObject({ quarter_starts_at: Timestamp, quarter_photos_count: Count }))
    .describe('Quarters of an hour that contain photos, oldest first.'),
})

// ---- refusals ----

const noSuchPhotoToView = notFound('Event Photo not found!')
const noSuchPhoto = notFound('Photo not found!')
const noSuchComment = notFound('Comment not found!')
const notInEvent = says('User is not allowed to access this event photo')
const mayNotReadComments = says('User is not authorized to access the comments.')
const mayNotReact = says('User is not authorized to react to this comment.')
const notMember = says('The user is neither a guest nor an organizer of the event')
const notOrganizer = says('The user is not an organizer of the event')
const mayNotComment = says('User is not allowed to comment on this event photo')

/** Why each is given, and what a client should do: the pages of refusals are made of it. */
export const refusalPages = {
  mayNotUpload: {
    cause: 'The caller is not in the event, or may not add to its gallery.',
    client: 'Stop the upload and keep the file for the user. Do not retry.',
  },
  tooManyPhotos: {
    cause: 'The caller has reached the maximum number of photos per person in this gallery.',
    client: 'Stop the upload and offer to delete photos first.',
  },
  personFull: {
    cause: 'The user’s files have reached the storage limit per user.',
    client: 'Offer to delete photos or messages. Deleted items count until the following night.',
  },
  instanceFull: {
    cause: 'The server has no space left for files.',
    client: 'Keep the file and retry later; the operator has to free up space.',
  },
  noSuchPhoto: { cause: 'The photo does not exist or was deleted.', client: reload },
  notUploader: { cause: 'Only the person who added a photo may describe it.', client: offerNot },
  mayNotDeletePhoto: { cause: 'The caller is neither the uploader nor an organizer.', client: offerNot },
  mayNotRestorePhoto: {
    cause: 'The caller is neither the uploader nor an organizer, or an organizer deleted the photo.',
    client: 'Do not offer it.',
  },
  alreadyInAlbum: {
    cause: 'The picture is already in the gallery.',
    client: 'Treat it as done and reload the message or the gallery.',
  },
  takenDown: {
    cause: 'An organizer has taken the picture out of the album, where the same bytes may not come back.',
    client: 'Say so without blame and keep the file for the user. Do not retry.',
  },
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

// ---- operations ----

export const uploadPhoto = route({
  name: 'uploadPhoto',
  documented: true,
  summary:
    'Adds a photo to the gallery of an event. If the gallery already has a photo with the same bytes, from anyone, that photo is returned, and a caption sent along fills an empty one.',
  at: [['POST', 'api/gallery/upload']],
  idempotent: true,
  extra: true,
  input: z.object({
    event_id: Id,
    /** Files that were uploaded in a resumable session. */
    image_session_id: maybe(SessionId).describe('ID of the upload session that received the image.'),
    video_session_id: maybe(SessionId).describe('ID of the upload session that received the video.'),
    raw_session_id: maybe(SessionId).describe('ID of the upload session that received the RAW file.'),
    live_session_id: maybe(SessionId).describe(
      'ID of the upload session that received the video part of a Live Photo.',
    ),
    event_photo_caption: maybe(text(captionLengthMax)),
    event_photo_alt_text: maybe(text(altTextLengthMax)),
  }),
  files: {
    /** A file whose bytes are not a RAW is limited to `photoBytesMax`. */
    image: { required: { unless: 'image_session_id' }, bytesMax: 'rawBytesMax' },
    video: { holds: 'video', bytesMax: 'videoBytesMax' },
    /** Files that came with the image: its RAW, and the video part of a Live Photo. */
    raw: { bytesMax: 'rawBytesMax' },
    live: { holds: 'video', bytesMax: 'photoBytesMax' },
  },
  reply: Photo,
  refusals: {
    noSuchEvent: notFound('Event not found'),
    mayNotUpload: saysError("You're not authorized to upload an image for this event."),
    tooManyPhotos: saysError("You've exceeded the maximum number of photos allowed to be uploaded."),
    takenDown: saysError(takenDown),
    /** The key was repeated, and the photo it created has been deleted. */
    noSuchPhoto: noSuchPhotoToView,
    ...noRoom(saysError),
  },
})

export const linkAlbum = route({
  name: 'linkAlbum',
  summary:
    'Creates a link, for the caller alone, to download an album as a zip file, and returns its size. It contains all photos, or those selected, of one person, the caller’s own, or liked; in full or screen size. Interrupted downloads can be resumed with Range.',
  at: [['POST', 'api/gallery/download/{event_id}']],
  perMinute: 30,
  input: z.object({
    ...albumSelection,
    /** Only these photos, as far as they are in the album. */
    event_photo_ids: maybe(
      z.array(Id, sentence.array).min(1, sentence.required).max(photosChosenMax, sentence.countAtMost(photosChosenMax)),
    ),
  }),
  reply: AlbumLink,
  refusals: {
    noSuchEvent: notFound('Event not found!'),
    notInEvent: notMember,
  },
})

const BytesMax = z.int().positive()

export const readUploadLimits = route({
  name: 'readUploadLimits',
  summary: 'Returns the maximum file sizes. Call it before uploading.',
  at: [['GET', 'api/gallery/upload/limits']],
  input: z.object({}),
  reply: shape('UploadLimits', {
    image_bytes_max: BytesMax,
    /** For a RAW file, whether it comes with a picture or is the picture. */
    raw_bytes_max: BytesMax,
    video_bytes_max: BytesMax,
    /** For the pictures of a message, a person or an event. */
    attachment_bytes_max: BytesMax,
  }),
  refusals: {},
})

export const checkUploads = route({
  name: 'checkUploads',
  summary: 'Returns which files are already in the album, given their SHA-256 hashes. Call it before uploading.',
  at: [['POST', 'api/gallery/upload/check']],
  input: z.object({
    event_id: Id,
    sha256: z
      .array(Sha256, sentence.array)
      .min(1, sentence.required)
      .max(uploadsCheckedMax, sentence.countAtMost(uploadsCheckedMax)),
  }),
  reply: shape('CheckedUploads', {
    known: z
      .array(z.strictObject({ sha256: z.string(), event_photo_id: IdNumber, mine: z.boolean() }))
      .describe('The files that are already in the gallery.'),
  }),
  refusals: {
    noSuchEvent: notFound('Event not found!'),
    notInEvent: notMember,
  },
})

export const readAllowance = route({
  name: 'readAllowance',
  summary: 'Returns how many photos the caller may add to an event or, for organizers, how many a guest may add.',
  at: [['GET', 'api/gallery/allowance/{event_id}']],
  input: z.object({ event_id: Id, user_id: OptionalId }),
  reply: PhotoAllowance,
  refusals: {
    noSuchEvent: notFound('Event not found!'),
    notInEvent: notMember,
    notOrganizer,
    noSuchUser: notFound('User not found!'),
  },
})

export const allowPhotos = route({
  name: 'allowPhotos',
  summary:
    'Sets how many photos each guest of an event may add or, with user_id, how many one person may add; null removes the limit so that the next broader one applies. Organizers only. Photos already added stay.',
  at: [['POST', 'api/gallery/allowance/{event_id}']],
  input: z.object({
    event_id: Id,
    user_id: OptionalId,
    photos_max: maybe(count(0, photosAllowedMax)).describe(
      'How many photos they may add; null to fall back to the event’s or instance’s limit.',
    ),
  }),
  reply: PhotoAllowance,
  refusals: {
    noSuchEvent: notFound('Event not found!'),
    notOrganizer,
    noSuchUser: notFound('User not found!'),
  },
})

export const listPhotos = route({
  name: 'listPhotos',
  summary:
    'Lists the photos of an event by upload time, capture time or number of likes (ties: latest first); all photos, or those of one person.',
  at: [['GET', 'api/gallery/photos/{event_id}']],
  perMinute: 240,
  extra: true,
  input: z.object({
    event_id: Id,
    sort: maybe(z.enum(['newest', 'oldest', 'taken_newest', 'taken_oldest', 'most_liked'], sentence.selected)).describe(
      'Sort order: newest or oldest by upload time, taken_newest or taken_oldest by capture time.',
    ),
    taken_by: OptionalId,
    waiting: maybe(Flag).describe('Only photos that wait to be approved, by upload time.'),
    ...Paging,
  }),
  reply: Page(Photo),
  refusals: {
    noSuchEvent: notFound('Event not found!'),
    notInEvent: notMember,
  },
})

export const readTimeline = route({
  name: 'readTimeline',
  summary:
    'Returns the number of photos per quarter of an hour, by upload or capture time, oldest first. Together with the sort order of the list, it gives the position at which a day begins.',
  at: [['GET', 'api/gallery/timeline/{event_id}']],
  input: z.object({
    event_id: Id,
    by: maybe(z.enum(['added', 'taken'], sentence.selected)).describe(
      'Whether to group by the time photos were added or taken. Default: added.',
    ),
    taken_by: OptionalId.describe('Only photos that this user added.'),
  }),
  reply: AlbumTimeline,
  refusals: {
    noSuchEvent: notFound('Event not found!'),
    notInEvent: says('The user is neither a guest nor an organizer of the event'),
  },
})

export const readPhoto = route({
  name: 'readPhoto',
  documented: true,
  summary: 'Returns a photo.',
  at: [['GET', 'api/gallery/photo/details/{event_photo_id}']],
  perMinute: 180,
  extra: true,
  input: z.object({ event_photo_id: Id }),
  reply: Photo,
  refusals: { noSuchPhoto: noSuchPhotoToView, notInEvent },
})

export const captionPhoto = route({
  name: 'captionPhoto',
  summary:
    'Sets the caption and alternative text of a photo. null or "" removes one; an omitted field is left unchanged.',
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
  summary: 'Removes the viewer’s like.',
  at: [['DELETE', 'api/gallery/photo/like/{event_photo_id}']],
  extra: true,
  input: z.object({ event_photo_id: Id }),
  reply: Photo,
  refusals: { noSuchPhoto: noSuchPhotoToView, notInEvent },
})

export const listLikes = route({
  name: 'listLikes',
  summary: 'Lists the people who like a photo, newest first.',
  at: [['GET', 'api/gallery/photo/likes/{event_photo_id}']],
  input: z.object({ event_photo_id: Id, ...Paging }),
  reply: Page(MinimalUser),
  refusals: { noSuchPhoto: noSuchPhotoToView, notInEvent },
})

export const deletePhoto = route({
  name: 'deletePhoto',
  summary: 'Deletes a photo from the gallery. Uploader or organizers only.',
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
    'Lists photos that can be restored, most recently deleted first: all of the gallery for organizers; for guests, photos they added and deleted themselves.',
  at: [['GET', 'api/gallery/deleted/{event_id}']],
  input: z.object({ event_id: Id, ...Paging }),
  reply: Page(DeletedPhoto),
  refusals: {
    noSuchEvent: notFound('Event not found!'),
    notInEvent: notMember,
  },
})

export const restorePhoto = route({
  name: 'restorePhoto',
  summary: 'Restores a photo deleted less than 30 days ago, with its likes and comments. Uploader or organizers only.',
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
    takenDown: says(takenDown),
  },
})

export const hidePhoto = route({
  name: 'hidePhoto',
  summary:
    'Hides a photo from everyone except its uploader and the organizers, and invalidates its links. Organizers only.',
  at: [['PUT', 'api/gallery/photo/hide/{event_photo_id}']],
  extra: true,
  input: z.object({ event_photo_id: Id }),
  reply: Photo,
  refusals: { noSuchPhoto: noSuchPhotoToView, notInEvent, notOrganizer },
})

export const unhidePhoto = route({
  name: 'unhidePhoto',
  summary: 'Makes a hidden photo visible to everyone again.',
  at: [['DELETE', 'api/gallery/photo/hide/{event_photo_id}']],
  extra: true,
  input: z.object({ event_photo_id: Id }),
  reply: Photo,
  refusals: { noSuchPhoto: noSuchPhotoToView, notInEvent, notOrganizer },
})

const photosDecided = z.object({
  event_id: Id,
  event_photo_ids: z
    .array(Id, sentence.array)
    .min(1, sentence.required)
    .max(photosDecidedMax, sentence.countAtMost(photosDecidedMax)),
})
const decisionRefusals = {
  noSuchEvent: notFound('Event not found!'),
  notInEvent: notMember,
  notOrganizer,
}

export const approvePhotos = route({
  name: 'approvePhotos',
  summary:
    'Approves photos that wait, so that everybody sees them. Those that do not wait any more stay as they are. Organizers only.',
  at: [['PUT', 'api/gallery/approve/{event_id}']],
  input: photosDecided,
  reply: Done,
  refusals: decisionRefusals,
})

export const refusePhotos = route({
  name: 'refusePhotos',
  summary:
    'Refuses photos that wait: they stay hidden from everybody except their uploaders and the organizers. Those that do not wait any more stay as they are. Organizers only.',
  at: [['PUT', 'api/gallery/refuse/{event_id}']],
  input: photosDecided,
  reply: Done,
  refusals: decisionRefusals,
})

export const listComments = route({
  name: 'listComments',
  documented: true,
  summary: 'Lists the comments on a photo, newest first, without replies.',
  at: [['GET', 'api/gallery/comments/{event_photo_id}']],
  perMinute: 240,
  extra: true,
  input: z.object({ event_photo_id: Id, ...Paging }),
  reply: Page(Comment),
  refusals: { noSuchPhoto, mayNotReadComments },
})

export const listReplies = route({
  name: 'listReplies',
  documented: true,
  summary: 'Lists the replies to a comment, oldest first.',
  at: [['GET', 'api/gallery/comment/replies/{event_photo_comment_id}']],
  perMinute: 240,
  extra: true,
  input: z.object({ event_photo_comment_id: Id, ...Paging }),
  reply: Page(Comment),
  refusals: { mayNotReadComments },
})

export const saveComment = route({
  name: 'saveComment',
  words: true,
  documented: true,
  summary: 'Adds a comment (201), replies to one (201) or edits one (200).',
  at: [['POST', 'api/gallery/comment']],
  idempotent: true,
  creates201: true,
  extra: true,
  input: z
    .object({
      event_photo_id: OptionalId,
      event_photo_comment_id: OptionalId,
      event_photo_comment_reply_id: OptionalId,
      event_photo_comment: text(commentLengthMax).describe('Text of the comment.'),
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

export const deleteComment = route({
  name: 'deleteComment',
  summary: 'Deletes a comment with its replies. Author, uploader of the photo or organizers only.',
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
  summary: 'Hides a comment with its replies from everyone except its author and the organizers. Organizers only.',
  at: [['PUT', 'api/gallery/comment/hide/{event_photo_comment_id}']],
  extra: true,
  input: z.object({ event_photo_comment_id: Id }),
  reply: Comment,
  refusals: { noSuchComment, mayNotReadComments, notOrganizer },
})

export const unhideComment = route({
  name: 'unhideComment',
  summary: 'Makes a hidden comment visible to everyone again.',
  at: [['DELETE', 'api/gallery/comment/hide/{event_photo_comment_id}']],
  extra: true,
  input: z.object({ event_photo_comment_id: Id }),
  reply: Comment,
  refusals: { noSuchComment, mayNotReadComments, notOrganizer },
})

export const reactToComment = route({
  name: 'reactToComment',
  summary: 'Reacts to a comment with an emoji, replacing any previous one.',
  at: [['PUT', 'api/gallery/comment/react/{event_photo_comment_id}']],
  extra: true,
  input: z.object({ event_photo_comment_id: Id, comment_reaction: maybe(Emoji) }),
  mistaken: { message_reaction: 'comment_reaction', reaction: 'comment_reaction', emoji: 'comment_reaction' },
  reply: Comment,
  refusals: { noSuchComment, mayNotReact },
})

export const unreactToComment = route({
  name: 'unreactToComment',
  summary: 'Removes the viewer’s reaction from a comment.',
  at: [['DELETE', 'api/gallery/comment/react/{event_photo_comment_id}']],
  extra: true,
  input: z.object({ event_photo_comment_id: Id }),
  reply: Comment,
  refusals: { noSuchComment, mayNotReact },
})

export const listCommentReactions = route({
  name: 'listCommentReactions',
  documented: true,
  summary: 'Lists the people who reacted to a comment, newest first.',
  at: [['GET', 'api/gallery/comment/reactions/{comment_reaction_id}']],
  perMinute: 240,
  input: z.object({ comment_reaction_id: Id, ...Paging }),
  reply: Page(CommentReactedUser),
  refusals: { noSuchCommentReaction: notFound('Comment reaction not found!'), mayNotReact },
})
