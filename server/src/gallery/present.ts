import {
  type AlbumTimeline,
  type Comment,
  type CommentReactedUser,
  type DeletedPhoto,
  type Photo,
  type PhotoAllowance,
  videoReasons,
} from '@afterglow/contract/gallery'
import type { z } from 'zod'
import { personOf } from '../accounts/persons.ts'
import { presentMinimalUser } from '../accounts/present-person.ts'
import type { Standing } from '../events/standing.ts'
import type { Urls } from '../platform/http/urls.ts'
import type { Viewer } from '../platform/http/viewer.ts'
import { presentRaw, presentShown } from '../platform/media/original.ts'
import {
  mayBeRepliedTo,
  mayDeleteComment,
  mayDeletePhoto,
  mayDescribePhoto,
  mayEditComment,
  mayHaveRaw,
  mayHide,
  maySeePlace,
} from './access.ts'
import type { AllowanceRow } from './allowances-store.ts'
import type { CommentRow, ReactionRow, Reactions } from './comments-store.ts'
import type { DeletedPhotoRow } from './deleted-store.ts'
import type { PhotoRow, Picture } from './store.ts'
import type { Quarter } from './timeline-store.ts'
import type { VideoState } from './videos-store.ts'

type PhotoBeside = {
  mediaEpoch: number
  urls: Urls
  /** For `extra`. */
  more: { viewer: Pick<Viewer, 'id'>; standing: Standing; picture: Picture } | undefined
}

export const presentAllowance = (row: AllowanceRow, photosPerGuest: number): z.output<typeof PhotoAllowance> => ({
  event_id: row.event_id,
  user_id: row.user_id,
  person_photos_max: row.photos_max,
  event_photos_max: row.photos_per_guest,
  photos_max: row.photos_max ?? row.photos_per_guest ?? photosPerGuest,
  photos_count: row.photos_count,
})

export const presentPhoto = (row: PhotoRow, { mediaEpoch, urls, more }: PhotoBeside): z.output<typeof Photo> => ({
  id: String(row.id),
  event_id: String(row.event_id),
  event_photo_url: urls.media(row.media_id, row.plays ? 'video' : 'full', mediaEpoch + row.picture_epoch),
  event_photo_preview_url: urls.media(row.media_id, 'preview', mediaEpoch + row.picture_epoch),
  event_photo_likes_count: String(row.likes_count),
  event_photo_comments_count: String(row.comments_count),
  liked: row.liked,
  taken_by: presentMinimalUser(personOf(row, row.taken_by), urls),
  created_at: row.created_at.toISOString(),
  updated_at: row.updated_at.toISOString(),
  ...(more && {
    extra: presentPhotoExtra(row, more, {
      ...presentShown(more.picture, urls, mediaEpoch + row.picture_epoch, more.picture.state !== null),
      motion_url: more.picture.moves ? urls.media(row.media_id, 'motion', mediaEpoch + row.picture_epoch) : null,
      raw: mayHaveRaw(more.viewer, { ...row, standing: more.standing })
        ? presentRaw(more.picture, urls, mediaEpoch + row.picture_epoch)
        : null,
    }),
  }),
})

const presentPhotoExtra = (
  row: PhotoRow,
  { viewer, standing, picture }: NonNullable<PhotoBeside['more']>,
  shown: ReturnType<typeof presentShown> & { motion_url: string | null; raw: ReturnType<typeof presentRaw> },
) => ({
  width: picture.width,
  height: picture.height,
  thumbhash: picture.thumbhash,
  ...shown,
  caption: row.caption,
  alt_text: row.alt_text,
  video: picture.state !== null,
  video_state: presentVideo(picture, shown.screen_url),
  taken_at: picture.taken_at?.toISOString() ?? null,
  hidden: row.hidden_at !== null,
  place: maySeePlace(viewer, row) ? placeOf(picture) : null,
  same_as: row.same_as === null ? null : String(row.same_as),
  may: {
    comment: true,
    update: mayDescribePhoto(viewer, { ...row, standing }),
    delete: mayDeletePhoto(viewer, { ...row, standing }),
    hide: mayHide(standing),
  },
})

const reasons: Record<string, string> = videoReasons

const presentVideo = ({ state, progress, duration_ms, fault }: Picture, stillUrl: string) =>
  state === null
    ? null
    : {
        state: state as VideoState,
        progress: progress ?? 0,
        duration_ms,
        poster_url: stillUrl,
        reason: fault === null ? null : (reasons[fault] ?? videoReasons['gave-up']),
      }

export const presentDeletedPhoto = (
  row: DeletedPhotoRow,
  { mediaEpoch, urls }: Omit<PhotoBeside, 'more'>,
): z.output<typeof DeletedPhoto> => ({
  id: String(row.id),
  event_id: String(row.event_id),
  event_photo_preview_url: urls.media(row.media_id, 'deleted', mediaEpoch + row.picture_epoch),
  event_photo_likes_count: String(row.likes_count),
  event_photo_comments_count: String(row.comments_count),
  taken_by: presentMinimalUser(personOf(row, row.taken_by), urls),
  created_at: row.created_at.toISOString(),
  deleted_at: row.deleted_at.toISOString(),
  restorable_until: row.restorable_until.toISOString(),
})

const placeOf = ({ latitude, longitude }: Picture) =>
  latitude === null || longitude === null ? null : { latitude, longitude }

type CommentBeside = {
  urls: Urls
  /** For `extra`. */
  more:
    | { viewer: Pick<Viewer, 'id'>; standing: Standing; photoTakenBy: number; reactions: Reactions; blocked: boolean }
    | undefined
}

export const presentComment = (row: CommentRow, { urls, more }: CommentBeside): z.output<typeof Comment> => ({
  id: row.id,
  event_photo_comment: row.text,
  event_photo_comment_replies_count: row.replies_count,
  user: presentMinimalUser(personOf(row, row.user_id), urls),
  created_at: row.created_at.toISOString(),
  updated_at: row.updated_at.toISOString(),
  ...(more && { extra: presentCommentExtra(row, more) }),
})

const presentCommentExtra = (
  row: CommentRow,
  { viewer, standing, photoTakenBy, reactions, blocked }: NonNullable<CommentBeside['more']>,
) => ({
  event_photo_id: row.photo_id,
  reply_to: row.parent_id,
  edited: row.edited_at !== null,
  reactions: reactions.map(({ reaction, count }) => ({ comment_reaction: reaction, comment_reaction_count: count })),
  my_reaction: reactions.find(({ mine }) => mine)?.reaction ?? null,
  hidden: row.hidden_at !== null,
  blocked: blocked && standing !== 'organizer',
  may: {
    reply: mayBeRepliedTo(row),
    update: mayEditComment(viewer, row),
    delete: mayDeleteComment(viewer, { ...row, photo_taken_by: photoTakenBy, standing }),
    hide: mayHide(standing),
  },
})

export const presentReaction = (row: ReactionRow, urls: Urls): z.output<typeof CommentReactedUser> => ({
  id: row.id,
  user: presentMinimalUser(personOf(row, row.user_id), urls),
  created_at: row.created_at.toISOString(),
  updated_at: row.updated_at.toISOString(),
})

export const presentKnown = ({ sha256, id, mine }: { sha256: string; id: number; mine: boolean }) => ({
  sha256,
  event_photo_id: id,
  mine,
})

export const presentTimeline = (quarters: readonly Quarter[]): z.output<typeof AlbumTimeline> => ({
  timeline_photos_count: quarters.reduce((sum, { photos }) => sum + photos, 0),
  timeline_quarters: quarters.map(({ quarter, photos }) => ({
    quarter_starts_at: new Date(quarter * 900_000).toISOString(),
    quarter_photos_count: photos,
  })),
})
