import type * as comments from '@afterglow/contract/comments'
import type * as contract from '@afterglow/contract/gallery'
import type * as deletedPhotos from '@afterglow/contract/gallery/deleted-photos'
import type * as moderation from '@afterglow/contract/gallery/moderation'
import type * as uploads from '@afterglow/contract/uploads'
import { operation } from './operation.ts'

/**
 * Adds a photo to the gallery of an event. If the gallery already has a photo with the same bytes, from anyone, that
 * photo is returned, and a caption sent along fills an empty one.
 *
 * `POST api/gallery/upload`, at most 120 times a minute. Takes an `idempotencyKey`. Has `extra`.
 * @throws noSuchEvent: Event not found
 * @throws mayNotUpload: You're not authorized to upload an image for this event.
 * @throws tooManyPhotos: You've exceeded the maximum number of photos allowed to be uploaded.
 * @throws takenDown: The organizers chose to leave this picture out of the album.
 * @throws noSuchPhoto: Event Photo not found!
 * @throws personFull: You have used all the space that you have for files.
 * @throws instanceFull: This server has no more space for files.
 */
export const uploadPhoto = operation<
  typeof uploads.uploadPhoto,
  { image?: Blob; video?: Blob; raw?: Blob; live?: Blob }
>('POST', 'api/gallery/upload')
/**
 * Returns the maximum file sizes. Call it before uploading.
 *
 * `GET api/gallery/upload/limits`, at most 120 times a minute.
 */
export const readUploadLimits = operation<typeof uploads.readUploadLimits>('GET', 'api/gallery/upload/limits')
/**
 * Returns which files are already in the album, given their SHA-256 hashes. Call it before uploading.
 *
 * `POST api/gallery/upload/check`, at most 120 times a minute.
 * @throws noSuchEvent: Event not found!
 * @throws notInEvent: The user is neither a guest nor an organizer of the event
 */
export const checkUploads = operation<typeof uploads.checkUploads>('POST', 'api/gallery/upload/check')
/**
 * Returns how many photos the caller may add to an event or, for organizers, how many a guest may add.
 *
 * `GET api/gallery/allowance/{event_id}`, at most 120 times a minute.
 * @throws noSuchEvent: Event not found!
 * @throws notInEvent: The user is neither a guest nor an organizer of the event
 * @throws notOrganizer: The user is not an organizer of the event
 * @throws noSuchUser: User not found!
 */
export const readAllowance = operation<typeof uploads.readAllowance>('GET', 'api/gallery/allowance/{event_id}')
/**
 * Sets how many photos each guest of an event may add or, with user_id, how many one person may add; null removes the
 * limit so that the next broader one applies. Organizers only. Photos already added stay.
 *
 * `POST api/gallery/allowance/{event_id}`, at most 120 times a minute.
 * @throws noSuchEvent: Event not found!
 * @throws notOrganizer: The user is not an organizer of the event
 * @throws noSuchUser: User not found!
 */
export const allowPhotos = operation<typeof uploads.allowPhotos>('POST', 'api/gallery/allowance/{event_id}')
/**
 * Creates a link, for the caller alone, to download an album as a zip file, and returns its size. It contains all
 * photos, or those selected, of one person, the caller’s own, or liked; in full or screen size. Interrupted downloads
 * can be resumed with Range.
 *
 * `POST api/gallery/download/{event_id}`, at most 30 times a minute.
 * @throws noSuchEvent: Event not found!
 * @throws notInEvent: The user is neither a guest nor an organizer of the event
 */
export const linkAlbum = operation<typeof contract.linkAlbum>('POST', 'api/gallery/download/{event_id}')
/**
 * Lists the photos of an event by upload time, capture time or number of likes (ties: latest first); all photos, or
 * those of one person.
 *
 * `GET api/gallery/photos/{event_id}`, at most 240 times a minute. Has `extra`.
 * @throws noSuchEvent: Event not found!
 * @throws notInEvent: The user is neither a guest nor an organizer of the event
 */
export const listPhotos = operation<typeof contract.listPhotos>('GET', 'api/gallery/photos/{event_id}')
/**
 * Returns the number of photos per quarter of an hour, by upload or capture time, oldest first. Together with the
 * sort order of the list, it gives the position at which a day begins.
 *
 * `GET api/gallery/timeline/{event_id}`, at most 120 times a minute.
 * @throws noSuchEvent: Event not found!
 * @throws notInEvent: The user is neither a guest nor an organizer of the event
 */
export const readTimeline = operation<typeof contract.readTimeline>('GET', 'api/gallery/timeline/{event_id}')
/**
 * Returns a photo.
 *
 * `GET api/gallery/photo/details/{event_photo_id}`, at most 180 times a minute. Has `extra`.
 * @throws noSuchPhoto: Event Photo not found!
 * @throws notInEvent: User is not allowed to access this event photo
 */
export const readPhoto = operation<typeof contract.readPhoto>('GET', 'api/gallery/photo/details/{event_photo_id}')
/**
 * Sets the caption and alternative text of a photo. null or "" removes one; an omitted field is left unchanged.
 *
 * `POST api/gallery/photo/details/update`, at most 120 times a minute. Has `extra`.
 * @throws noSuchPhoto: Event Photo not found!
 * @throws notInEvent: User is not allowed to access this event photo
 * @throws notUploader: Only the person who took the photo can describe it
 */
export const captionPhoto = operation<typeof contract.captionPhoto>('POST', 'api/gallery/photo/details/update')
/**
 * Likes a photo.
 *
 * `PUT api/gallery/photo/like/{event_photo_id}`, at most 120 times a minute. Has `extra`.
 * @throws noSuchPhoto: Event Photo not found!
 * @throws notInEvent: User is not allowed to access this event photo
 */
export const likePhoto = operation<typeof contract.likePhoto>('PUT', 'api/gallery/photo/like/{event_photo_id}')
/**
 * Removes the viewer’s like.
 *
 * `DELETE api/gallery/photo/like/{event_photo_id}`, at most 120 times a minute. Has `extra`.
 * @throws noSuchPhoto: Event Photo not found!
 * @throws notInEvent: User is not allowed to access this event photo
 */
export const unlikePhoto = operation<typeof contract.unlikePhoto>('DELETE', 'api/gallery/photo/like/{event_photo_id}')
/**
 * Lists the people who like a photo, newest first.
 *
 * `GET api/gallery/photo/likes/{event_photo_id}`, at most 120 times a minute.
 * @throws noSuchPhoto: Event Photo not found!
 * @throws notInEvent: User is not allowed to access this event photo
 */
export const listLikes = operation<typeof contract.listLikes>('GET', 'api/gallery/photo/likes/{event_photo_id}')
/**
 * Deletes a photo from the gallery. Uploader or organizers only.
 *
 * `DELETE api/gallery/photo/{event_photo_id}`, at most 120 times a minute.
 * @throws noSuchPhoto: Event Photo not found!
 * @throws notInEvent: User is not allowed to access this event photo
 * @throws mayNotDeletePhoto: User is not allowed to delete this event photo
 */
export const deletePhoto = operation<typeof deletedPhotos.deletePhoto>('DELETE', 'api/gallery/photo/{event_photo_id}')
/**
 * Lists photos that can be restored, most recently deleted first: all of the gallery for organizers; for guests,
 * photos they added and deleted themselves.
 *
 * `GET api/gallery/deleted/{event_id}`, at most 120 times a minute.
 * @throws noSuchEvent: Event not found!
 * @throws notInEvent: The user is neither a guest nor an organizer of the event
 */
export const listDeletedPhotos = operation<typeof deletedPhotos.listDeletedPhotos>(
  'GET',
  'api/gallery/deleted/{event_id}',
)
/**
 * Restores a photo deleted less than 30 days ago, with its likes and comments. Uploader or organizers only.
 *
 * `PUT api/gallery/photo/restore/{event_photo_id}`, at most 120 times a minute. Has `extra`.
 * @throws noSuchPhoto: Event Photo not found!
 * @throws notInEvent: User is not allowed to access this event photo
 * @throws tooManyPhotos: You've exceeded the maximum number of photos allowed to be uploaded.
 * @throws alreadyInAlbum: The attachment is in the gallery
 * @throws takenDown: The organizers chose to leave this picture out of the album.
 */
export const restorePhoto = operation<typeof deletedPhotos.restorePhoto>(
  'PUT',
  'api/gallery/photo/restore/{event_photo_id}',
)
/**
 * Hides a photo from everyone except its uploader and the organizers, and invalidates its links. Organizers only.
 *
 * `PUT api/gallery/photo/hide/{event_photo_id}`, at most 120 times a minute. Has `extra`.
 * @throws noSuchPhoto: Event Photo not found!
 * @throws notInEvent: User is not allowed to access this event photo
 * @throws notOrganizer: The user is not an organizer of the event
 */
export const hidePhoto = operation<typeof moderation.hidePhoto>('PUT', 'api/gallery/photo/hide/{event_photo_id}')
/**
 * Makes a hidden photo visible to everyone again.
 *
 * `DELETE api/gallery/photo/hide/{event_photo_id}`, at most 120 times a minute. Has `extra`.
 * @throws noSuchPhoto: Event Photo not found!
 * @throws notInEvent: User is not allowed to access this event photo
 * @throws notOrganizer: The user is not an organizer of the event
 */
export const unhidePhoto = operation<typeof moderation.unhidePhoto>('DELETE', 'api/gallery/photo/hide/{event_photo_id}')
/**
 * Approves photos that wait, some or all of them, so that everybody sees them. Those that do not wait any more stay
 * as they are, which the reply says. Organizers only.
 *
 * `PUT api/gallery/approve/{event_id}`, at most 120 times a minute.
 * @throws noSuchEvent: Event not found!
 * @throws notInEvent: The user is neither a guest nor an organizer of the event
 * @throws notOrganizer: The user is not an organizer of the event
 */
export const approvePhotos = operation<typeof moderation.approvePhotos>('PUT', 'api/gallery/approve/{event_id}')
/**
 * Refuses photos that wait. Before the album: they stay hidden from everybody except their uploaders and the
 * organizers. Before the wall: they are never on the wall and stay in the album. Those that do not wait any more stay
 * as they are, which the reply says. Organizers only.
 *
 * `PUT api/gallery/refuse/{event_id}`, at most 120 times a minute.
 * @throws noSuchEvent: Event not found!
 * @throws notInEvent: The user is neither a guest nor an organizer of the event
 * @throws notOrganizer: The user is not an organizer of the event
 */
export const refusePhotos = operation<typeof moderation.refusePhotos>('PUT', 'api/gallery/refuse/{event_id}')
/**
 * Undoes an approval or refusal within a day, whole: its photos wait again, except those deleted or decided about
 * since. Organizers only.
 *
 * `DELETE api/gallery/decision/{decision_id}`, at most 120 times a minute.
 * @throws noSuchEvent: Event not found!
 * @throws notInEvent: The user is neither a guest nor an organizer of the event
 * @throws notOrganizer: The user is not an organizer of the event
 */
export const undoDecision = operation<typeof moderation.undoDecision>('DELETE', 'api/gallery/decision/{decision_id}')
/**
 * Shows everybody the photos that an event has kept until now. Again has no effect. Organizers only.
 *
 * `PUT api/gallery/reveal/{event_id}`, at most 120 times a minute.
 * @throws noSuchEvent: Event not found!
 * @throws notOrganizer: The user is not an organizer of the event
 */
export const revealPhotos = operation<typeof moderation.revealPhotos>('PUT', 'api/gallery/reveal/{event_id}')
/**
 * Hides a comment with its replies from everyone except its author and the organizers. Organizers only.
 *
 * `PUT api/gallery/comment/hide/{event_photo_comment_id}`, at most 120 times a minute. Has `extra`.
 * @throws noSuchComment: Comment not found!
 * @throws mayNotReadComments: User is not authorized to access the comments.
 * @throws notOrganizer: The user is not an organizer of the event
 */
export const hideComment = operation<typeof comments.hideComment>(
  'PUT',
  'api/gallery/comment/hide/{event_photo_comment_id}',
)
/**
 * Makes a hidden comment visible to everyone again.
 *
 * `DELETE api/gallery/comment/hide/{event_photo_comment_id}`, at most 120 times a minute. Has `extra`.
 * @throws noSuchComment: Comment not found!
 * @throws mayNotReadComments: User is not authorized to access the comments.
 * @throws notOrganizer: The user is not an organizer of the event
 */
export const unhideComment = operation<typeof comments.unhideComment>(
  'DELETE',
  'api/gallery/comment/hide/{event_photo_comment_id}',
)
/**
 * Lists the comments on a photo, newest first, without replies.
 *
 * `GET api/gallery/comments/{event_photo_id}`, at most 240 times a minute. Has `extra`.
 * @throws noSuchPhoto: Photo not found!
 * @throws mayNotReadComments: User is not authorized to access the comments.
 */
export const listComments = operation<typeof comments.listComments>('GET', 'api/gallery/comments/{event_photo_id}')
/**
 * Lists the replies to a comment, oldest first.
 *
 * `GET api/gallery/comment/replies/{event_photo_comment_id}`, at most 240 times a minute. Has `extra`.
 * @throws mayNotReadComments: User is not authorized to access the comments.
 */
export const listReplies = operation<typeof comments.listReplies>(
  'GET',
  'api/gallery/comment/replies/{event_photo_comment_id}',
)
/**
 * Adds a comment (201), replies to one (201) or edits one (200).
 *
 * `POST api/gallery/comment`, at most 120 times a minute. Takes an `idempotencyKey`. Has `extra`.
 * @throws noSuchPhoto: Photo not found!
 * @throws noSuchComment: Comment not found!
 * @throws mayNotComment: User is not allowed to comment on this event photo
 * @throws replyToReply: You can only reply to the original comment.
 */
export const saveComment = operation<typeof comments.saveComment>('POST', 'api/gallery/comment')
/**
 * Deletes a comment with its replies. Author, uploader of the photo or organizers only.
 *
 * `DELETE api/gallery/comment/{event_photo_comment_id}`, at most 120 times a minute.
 * @throws proveFirst: Please confirm that it is you: by your password, or by signing in again.
 * @throws noSuchComment: Comment not found!
 * @throws mayNotReadComments: User is not authorized to access the comments.
 * @throws mayNotDeleteComment: User is not allowed to delete this comment
 */
export const deleteComment = operation<typeof comments.deleteComment>(
  'DELETE',
  'api/gallery/comment/{event_photo_comment_id}',
)
/**
 * Reacts to a comment with an emoji, replacing any previous one.
 *
 * `PUT api/gallery/comment/react/{event_photo_comment_id}`, at most 120 times a minute. Has `extra`.
 * @throws noSuchComment: Comment not found!
 * @throws mayNotReact: User is not authorized to react to this comment.
 */
export const reactToComment = operation<typeof comments.reactToComment>(
  'PUT',
  'api/gallery/comment/react/{event_photo_comment_id}',
)
/**
 * Removes the viewer’s reaction from a comment.
 *
 * `DELETE api/gallery/comment/react/{event_photo_comment_id}`, at most 120 times a minute. Has `extra`.
 * @throws noSuchComment: Comment not found!
 * @throws mayNotReact: User is not authorized to react to this comment.
 */
export const unreactToComment = operation<typeof comments.unreactToComment>(
  'DELETE',
  'api/gallery/comment/react/{event_photo_comment_id}',
)
/**
 * Lists the people who reacted to a comment, newest first.
 *
 * `GET api/gallery/comment/reactions/{comment_reaction_id}`, at most 240 times a minute.
 * @throws noSuchCommentReaction: Comment reaction not found!
 * @throws mayNotReact: User is not authorized to react to this comment.
 */
export const listCommentReactions = operation<typeof comments.listCommentReactions>(
  'GET',
  'api/gallery/comment/reactions/{comment_reaction_id}',
)
