import type * as contract from '@afterglow/contract/gallery'
import { operation } from './operation.ts'

export const uploadPhoto = operation<
  typeof contract.uploadPhoto,
  { image?: Blob; video?: Blob; raw?: Blob; live?: Blob }
>('POST', 'api/gallery/upload')
export const linkAlbum = operation<typeof contract.linkAlbum>('POST', 'api/gallery/download/{event_id}')
export const readUploadLimits = operation<typeof contract.readUploadLimits>('GET', 'api/gallery/upload/limits')
export const checkUploads = operation<typeof contract.checkUploads>('POST', 'api/gallery/upload/check')
export const readAllowance = operation<typeof contract.readAllowance>('GET', 'api/gallery/allowance/{event_id}')
export const allowPhotos = operation<typeof contract.allowPhotos>('POST', 'api/gallery/allowance/{event_id}')
export const listPhotos = operation<typeof contract.listPhotos>('GET', 'api/gallery/photos/{event_id}')
export const readTimeline = operation<typeof contract.readTimeline>('GET', 'api/gallery/timeline/{event_id}')
export const readPhoto = operation<typeof contract.readPhoto>('GET', 'api/gallery/photo/details/{event_photo_id}')
export const captionPhoto = operation<typeof contract.captionPhoto>('POST', 'api/gallery/photo/details/update')
export const likePhoto = operation<typeof contract.likePhoto>('PUT', 'api/gallery/photo/like/{event_photo_id}')
export const unlikePhoto = operation<typeof contract.unlikePhoto>('DELETE', 'api/gallery/photo/like/{event_photo_id}')
export const listLikes = operation<typeof contract.listLikes>('GET', 'api/gallery/photo/likes/{event_photo_id}')
export const deletePhoto = operation<typeof contract.deletePhoto>('DELETE', 'api/gallery/photo/{event_photo_id}')
export const listDeletedPhotos = operation<typeof contract.listDeletedPhotos>('GET', 'api/gallery/deleted/{event_id}')
export const restorePhoto = operation<typeof contract.restorePhoto>('PUT', 'api/gallery/photo/restore/{event_photo_id}')
export const hidePhoto = operation<typeof contract.hidePhoto>('PUT', 'api/gallery/photo/hide/{event_photo_id}')
export const unhidePhoto = operation<typeof contract.unhidePhoto>('DELETE', 'api/gallery/photo/hide/{event_photo_id}')
export const hideComment = operation<typeof contract.hideComment>(
  'PUT',
  'api/gallery/comment/hide/{event_photo_comment_id}',
)
export const unhideComment = operation<typeof contract.unhideComment>(
  'DELETE',
  'api/gallery/comment/hide/{event_photo_comment_id}',
)
export const listComments = operation<typeof contract.listComments>('GET', 'api/gallery/comments/{event_photo_id}')
export const listReplies = operation<typeof contract.listReplies>(
  'GET',
  'api/gallery/comment/replies/{event_photo_comment_id}',
)
export const saveComment = operation<typeof contract.saveComment>('POST', 'api/gallery/comment')
export const deleteComment = operation<typeof contract.deleteComment>(
  'DELETE',
  'api/gallery/comment/{event_photo_comment_id}',
)
export const reactToComment = operation<typeof contract.reactToComment>(
  'PUT',
  'api/gallery/comment/react/{event_photo_comment_id}',
)
export const unreactToComment = operation<typeof contract.unreactToComment>(
  'DELETE',
  'api/gallery/comment/react/{event_photo_comment_id}',
)
export const listCommentReactions = operation<typeof contract.listCommentReactions>(
  'GET',
  'api/gallery/comment/reactions/{comment_reaction_id}',
)
