/* Generated from the contract by `npm run documents`. */
import type * as comments from '@afterglow/contract/comments'
import type * as gallery from '@afterglow/contract/gallery'
import type * as galleryDeletedPhotos from '@afterglow/contract/gallery/deleted-photos'
import type * as galleryModeration from '@afterglow/contract/gallery/moderation'
import type * as uploads from '@afterglow/contract/uploads'
import { operation } from '../operation.ts'

export const allowPhotos = operation<typeof uploads.allowPhotos>('POST', 'api/gallery/allowance/{event_id}')
export const approvePhotos = operation<typeof galleryModeration.approvePhotos>('PUT', 'api/gallery/approve/{event_id}')
export const captionPhoto = operation<typeof gallery.captionPhoto>('POST', 'api/gallery/photo/details/update')
export const checkUploads = operation<typeof uploads.checkUploads>('POST', 'api/gallery/upload/check')
export const deleteComment = operation<typeof comments.deleteComment>('DELETE', 'api/gallery/comment/{event_photo_comment_id}')
export const deletePhoto = operation<typeof galleryDeletedPhotos.deletePhoto>('DELETE', 'api/gallery/photo/{event_photo_id}')
export const hideComment = operation<typeof comments.hideComment>('PUT', 'api/gallery/comment/hide/{event_photo_comment_id}')
export const hidePhoto = operation<typeof galleryModeration.hidePhoto>('PUT', 'api/gallery/photo/hide/{event_photo_id}')
export const likePhoto = operation<typeof gallery.likePhoto>('PUT', 'api/gallery/photo/like/{event_photo_id}')
export const linkAlbum = operation<typeof gallery.linkAlbum>('POST', 'api/gallery/download/{event_id}')
export const listCommentReactions = operation<typeof comments.listCommentReactions>('GET', 'api/gallery/comment/reactions/{comment_reaction_id}')
export const listComments = operation<typeof comments.listComments>('GET', 'api/gallery/comments/{event_photo_id}')
export const listDeletedPhotos = operation<typeof galleryDeletedPhotos.listDeletedPhotos>('GET', 'api/gallery/deleted/{event_id}')
export const listLikes = operation<typeof gallery.listLikes>('GET', 'api/gallery/photo/likes/{event_photo_id}')
export const listPhotos = operation<typeof gallery.listPhotos>('GET', 'api/gallery/photos/{event_id}')
export const listReplies = operation<typeof comments.listReplies>('GET', 'api/gallery/comment/replies/{event_photo_comment_id}')
export const reactToComment = operation<typeof comments.reactToComment>('PUT', 'api/gallery/comment/react/{event_photo_comment_id}')
export const readAllowance = operation<typeof uploads.readAllowance>('GET', 'api/gallery/allowance/{event_id}')
export const readPhoto = operation<typeof gallery.readPhoto>('GET', 'api/gallery/photo/details/{event_photo_id}')
export const readTimeline = operation<typeof gallery.readTimeline>('GET', 'api/gallery/timeline/{event_id}')
export const readUploadLimits = operation<typeof uploads.readUploadLimits>('GET', 'api/gallery/upload/limits')
export const refusePhotos = operation<typeof galleryModeration.refusePhotos>('PUT', 'api/gallery/refuse/{event_id}')
export const restorePhoto = operation<typeof galleryDeletedPhotos.restorePhoto>('PUT', 'api/gallery/photo/restore/{event_photo_id}')
export const revealPhotos = operation<typeof galleryModeration.revealPhotos>('PUT', 'api/gallery/reveal/{event_id}')
export const saveComment = operation<typeof comments.saveComment>('POST', 'api/gallery/comment')
export const undoDecision = operation<typeof galleryModeration.undoDecision>('DELETE', 'api/gallery/decision/{decision_id}')
export const unhideComment = operation<typeof comments.unhideComment>('DELETE', 'api/gallery/comment/hide/{event_photo_comment_id}')
export const unhidePhoto = operation<typeof galleryModeration.unhidePhoto>('DELETE', 'api/gallery/photo/hide/{event_photo_id}')
export const unlikePhoto = operation<typeof gallery.unlikePhoto>('DELETE', 'api/gallery/photo/like/{event_photo_id}')
export const unreactToComment = operation<typeof comments.unreactToComment>('DELETE', 'api/gallery/comment/react/{event_photo_comment_id}')
export const uploadPhoto = operation<typeof uploads.uploadPhoto, { image?: Blob; video?: Blob; raw?: Blob; live?: Blob }>('POST', 'api/gallery/upload')
