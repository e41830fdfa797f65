import type { MinimalUser } from '@afterglow/contract/accounts/user'
import { can, type Standing } from '@afterglow/contract/capabilities'
import type { Comment, CommentReactedUser } from '@afterglow/contract/comments'
import type { AlbumTimeline } from '@afterglow/contract/gallery'
import type { DeletedPhoto } from '@afterglow/contract/gallery/deleted-photos'
import type { PhotosDecided } from '@afterglow/contract/gallery/moderation'
import type { Photo } from '@afterglow/contract/photo'
import type { PhotoAllowance } from '@afterglow/contract/uploads'
import type { z } from 'zod'
import { type Person, personOf } from '../accounts/persons.ts'
import { presentMinimalUser } from '../accounts/present-person.ts'
import { timeOfJson } from '../platform/database/row-json.ts'
import type { Urls } from '../platform/http/urls.ts'
import type { Viewer } from '../platform/http/viewer.ts'
import { displayUrlOf, presentBeside, presentShown } from '../platform/media/original.ts'
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
import type { CommentRow } from './comments/comments-store.ts'
import type { ReactionRow, Reactions } from './comments/reactions-store.ts'
import type { Quarter } from './lists/timeline-store.ts'
import type { AllowanceRow } from './moderation/allowances-store.ts'
import type { Outcome } from './moderation/decisions.ts'
import type { DeletedPhotoRow } from './moderation/deleted-store.ts'
import type { Seal } from './moderation/reveal-store.ts'
import type { Details } from './photo-details-sql.ts'
import type { PhotoRow } from './photo-rows-sql.ts'
import { presentFilm } from './present-film.ts'

type PhotoBeside = { mediaEpoch: number; urls: Urls; viewer: Pick<Viewer, 'id'>; standing: Standing }

export const presentAllowance = (row: AllowanceRow, photosPerGuest: number): z.output<typeof PhotoAllowance> => ({
  event_id: row.event_id,
  user_id: row.user_id,
  person_photos_max: row.photos_max,
  event_photos_max: row.photos_per_guest,
  photos_max: row.allowed ?? photosPerGuest,
  photos_count: row.photos_count,
  trusted: row.trusted,
})

/** A photo with its uploader as presented; with `extra` if its details were read. */
export const presentPhoto = (
  row: PhotoRow,
  taker: Person,
  beside: PhotoBeside,
  /** The taker as presented, where several photos show the same. */
  presented?: z.output<typeof MinimalUser>,
): z.output<typeof Photo> => {
  const { urls } = beside
  const epoch = beside.mediaEpoch + row.picture_epoch
  const [full, preview] = row.endings.split(' ')
  const link = (variant: string, ending: string | undefined) => urls.ofEvent(row.media_id, variant, epoch, ending)
  return {
    id: String(row.id),
    event_id: String(row.event_id),
    event_photo_url: row.plays ? link('video', 'mp4') : link('full', full),
    event_photo_preview_url: link('preview', preview),
    event_photo_likes_count: String(row.likes_count),
    event_photo_comments_count: String(row.comments_count),
    liked: row.liked,
    taken_by: !presented || row.approved_name ? presentTaker(row, taker, urls) : presented,
    created_at: timeOfJson(row.created_at),
    updated_at: timeOfJson(row.updated_at),
    ...(row.details && { extra: presentPhotoExtra(row, row.details, { ...beside, taker }, epoch) }),
  }
}

/** The uploader, under the name with which the photo was approved. */
const presentTaker = ({ approved_name }: Pick<PhotoRow, 'approved_name'>, taker: Person, urls: Urls) =>
  presentMinimalUser({ ...taker, ...approved_name }, urls)

const presentPhotoExtra = (
  row: PhotoRow,
  details: Details,
  { viewer, standing, urls, taker }: PhotoBeside & { taker: Person },
  epoch: number,
): NonNullable<z.output<typeof Photo>['extra']> => ({
  width: details.width,
  height: details.height,
  thumbhash: details.thumbhash,
  ...presentShown(details, urls, epoch, details.state !== null),
  motion_url: details.moves ? urls.ofEvent(row.media_id, 'motion', epoch, 'mp4') : null,
  ...(mayHaveRaw(viewer, { ...row, standing })
    ? { raw: presentBeside(details, 'raw', urls, epoch), live: presentBeside(details, 'live', urls, epoch) }
    : { raw: null, live: null }),
  caption: details.caption,
  alt_text: details.alt_text,
  new_words:
    details.new_words && (mayDescribePhoto(viewer, { ...row, standing }) || can(standing, 'approve'))
      ? { ...details.new_words, name: row.approved_name && `${taker.first_name} ${taker.last_name}` }
      : null,
  video: details.state !== null,
  video_state: presentFilm(details, displayUrlOf(details, urls, epoch)),
  taken_at: details.taken_at && timeOfJson(details.taken_at),
  hidden: details.hidden,
  waiting: details.waits,
  off_wall: details.off_wall,
  photographer: details.by_photographer,
  sealed: details.sealed,
  place: maySeePlace(viewer, row) ? placeOf(details) : null,
  same_as: details.same_as === null || !can(standing, 'seeWaiting') ? null : String(details.same_as),
  may: {
    comment: can(standing, row.taken_by === viewer.id ? 'upload' : 'write'),
    update: mayDescribePhoto(viewer, { ...row, standing }),
    delete: mayDeletePhoto(viewer, { ...row, standing }),
    hide: mayHide(standing),
  },
})

export const presentDeletedPhoto = (
  row: DeletedPhotoRow,
  { mediaEpoch, urls }: Pick<PhotoBeside, 'mediaEpoch' | 'urls'>,
): z.output<typeof DeletedPhoto> => ({
  id: String(row.id),
  event_id: String(row.event_id),
  event_photo_preview_url: urls.ofEvent(
    row.media_id,
    'deleted',
    mediaEpoch + row.picture_epoch,
    row.endings.split(' ')[1],
  ),
  event_photo_likes_count: String(row.likes_count),
  event_photo_comments_count: String(row.comments_count),
  taken_by: presentTaker(row, personOf(row, row.taken_by), urls),
  created_at: timeOfJson(row.created_at),
  deleted_at: row.deleted_at.toISOString(),
  restorable_until: row.restorable_until.toISOString(),
})

const placeOf = ({ latitude, longitude }: Details) =>
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
  blocked: blocked && !mayHide(standing),
  may: {
    reply: mayBeRepliedTo(row) && can(standing, photoTakenBy === viewer.id ? 'upload' : 'write'),
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

/** The result of a decision about photos. */
export const presentDecided = ({ decision, decided, waiting, states }: Outcome): z.output<typeof PhotosDecided> => ({
  done: true,
  decision_id: decision,
  photos_decided_count: decided,
  photos_waiting_count: waiting,
  photo_states: states.map(({ id, state }) => ({ event_photo_id: id, photo_state: state })),
})

export const presentSeal = (seal: Seal | undefined) => {
  const from = seal?.sealed_from
  const at = (from && seal.reveals_at?.toISOString()) || null
  return {
    event_photos_shown: from ? (at ? 'later' : 'never') : 'at_once',
    event_reveals_at: at,
    event_revealed_at: seal?.revealed_at?.toISOString() ?? null,
    event_organizers_see_photos: from !== 'everybody',
    event_asks_for_photos: seal?.asks_for_photos ?? true,
  } as const
}

export const presentTimeline = (quarters: readonly Quarter[]): z.output<typeof AlbumTimeline> => ({
  timeline_photos_count: quarters.reduce((sum, { photos }) => sum + photos, 0),
  timeline_quarters: quarters.map(({ quarter, photos }) => ({
    quarter_starts_at: new Date(quarter * 900_000).toISOString(),
    quarter_photos_count: photos,
  })),
})
