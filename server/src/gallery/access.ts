import { type Capability, can, type Standing } from '@afterglow/contract/capabilities'
import type { RefusalCode } from '@afterglow/contract/refusal-codes'
import { lockStanding, mayAdd } from '../events/access.ts'
import { isShownTo, type May, requireMay } from '../events/standing.ts'
import type { Db, Transaction } from '../platform/database/database.ts'
import { refuse } from '../platform/http/refusals.ts'
import type { Viewer } from '../platform/http/viewer.ts'
import type { PlacedComment } from './comments/comments-store.ts'
import * as doubles from './duplicates/duplicates-store.ts'
import { listByMoment } from './lists/moments-store.ts'
import { listMostLiked } from './lists/most-liked-store.ts'
import { countByQuarter, type Timeline } from './lists/timeline-store.ts'
import { findAllowance } from './moderation/allowances-store.ts'
import * as deleted from './moderation/deleted-store.ts'
import * as store from './store.ts'

type Photo = store.FoundPhoto

type Who = Pick<Viewer, 'id'>
type Taken = { taken_by: number; standing: Standing }
type Written = { user_id: number; parent_id: number | null; photo_taken_by: number; standing: Standing }
type Hidable = { hidden_at: Date | null; sealed_from: string | null; waits: boolean }
type Placed = PlacedComment & { standing: Standing }

export const maySeePhoto = ({ id }: Who, { standing, ...photo }: Taken & Hidable) =>
  isShownTo(
    { id, standing },
    { hiddenAt: photo.hidden_at, authorId: photo.taken_by, sealedFrom: photo.sealed_from, waits: photo.waits },
  )
/** A photo kept from the viewer does not exist for them: this is checked before their permissions. */
export const exists = <Found extends Taken & Hidable>(viewer: Who, photo: Found | undefined): photo is Found =>
  photo !== undefined && ((photo.hidden_at === null && !photo.waits) || maySeePhoto(viewer, photo))
type OfPhoto = { photo_taken_by: number; standing: Standing }
/** The viewer may hear that the photo is gone: they see the album, or it was theirs. */
export const mayHearOfPhoto = ({ id }: Who, { standing, photo_taken_by }: OfPhoto) =>
  can(standing, 'album') || photo_taken_by === id
export const mayReadComments = ({ id }: Who, { standing, photo_taken_by }: OfPhoto) =>
  can(standing, 'browse') || (photo_taken_by === id && can(standing, 'gallery'))
/** The author of a hidden comment still sees it, but not below a photo or comment that they cannot see. */
export const maySeeComment = ({ id }: Who, { standing, ...comment }: Placed) =>
  [
    {
      hiddenAt: comment.photo_hidden_at,
      authorId: comment.photo_taken_by,
      sealedFrom: comment.photo_sealed_from,
      waits: comment.photo_waits,
    },
    { hiddenAt: comment.parent_hidden_at, authorId: comment.parent_user_id, ...belowOwn(id, comment) },
    { hiddenAt: comment.hidden_at, authorId: comment.user_id, ...belowOwn(id, comment) },
  ].every(written => isShownTo({ id, standing }, written))
const belowOwn = (id: number, { photo_taken_by }: Pick<Placed, 'photo_taken_by'>) =>
  photo_taken_by === id ? ({ seenBy: 'gallery' } as const) : {}
const isKept = (comment: Placed) =>
  comment.photo_waits || [comment.photo_hidden_at, comment.parent_hidden_at, comment.hidden_at].some(at => at !== null)
export const commentExists = (viewer: Who, comment: Placed | undefined): comment is Placed =>
  comment !== undefined && (!isKept(comment) || maySeeComment(viewer, comment))
export const mayHide = (standing: Standing) => can(standing, 'moderate')

export const mayDescribePhoto = (viewer: Who, photo: Taken) => photo.taken_by === viewer.id
export const mayDeletePhoto = (viewer: Who, photo: Taken) =>
  photo.taken_by === viewer.id || can(photo.standing, 'moderate')
/** While a photo is sealed from everybody, its deletion by its uploader is shown to nobody. */
export const maySeeDeleted = (viewer: Who, photo: Taken & { taken_down: boolean; sealed_from: string | null }) =>
  photo.taken_by === viewer.id || photo.taken_down || photo.sealed_from !== 'everybody'
/** Only organizers can restore a photo that an organizer removed. */
export const mayRestorePhoto = (viewer: Who, photo: Taken & { taken_down: boolean }) =>
  can(photo.standing, 'moderate') || (mayDeletePhoto(viewer, photo) && !photo.taken_down)
/** There is only one level of replies. */
export const mayBeRepliedTo = (comment: Pick<Written, 'parent_id'>) => comment.parent_id === null
export const mayEditComment = (viewer: Who, comment: Pick<Written, 'user_id'>) => comment.user_id === viewer.id
export const mayDeleteComment = (viewer: Who, comment: Written) =>
  mayEditComment(viewer, comment) || comment.photo_taken_by === viewer.id || can(comment.standing, 'moderate')

/** The location of a photo may reveal where somebody lives. */
export const maySeePlace = (viewer: Who, photo: Pick<Taken, 'taken_by'>) => photo.taken_by === viewer.id

/** A camera also writes location and camera data into a RAW; organizers get it for printing. */
export const mayHaveRaw = (viewer: Who, photo: Pick<Taken, 'taken_by'> & { standing: Standing }) =>
  photo.taken_by === viewer.id || can(photo.standing, 'haveOriginals')

/** Members of a cancelled event can still like and comment; only new photos are no longer accepted. */
const admitted = <Row extends { standing: Standing }, What extends Capability = 'read'>(
  row: Row,
  outside: RefusalCode,
  what: What = 'read' as What,
): Row & May<What> => requireMay(row, what, outside)

/** Permission to see one person's photos, or everybody's: guests who may add photos see their own. */
const toSee = (viewer: Who, takenBy: number | null | undefined) => (takenBy === viewer.id ? 'gallery' : 'album')

/** The same to like and comment: on their own photos, also guests who only add photos. */
export const toTakePart = (viewer: Who, takenBy: number) => (takenBy === viewer.id ? 'gallery' : 'read')

/** Refuses notOrganizer. */
export const moderated = <Proved extends { standing: Standing }>(row: Proved): Proved & May<'moderate'> =>
  requireMay(row, 'moderate', 'notOrganizer')

/** The gallery of an event that the viewer is in. Refuses noSuchEvent, `outside`. */
export const galleryFor = async (
  db: Db,
  viewer: Viewer,
  eventId: number,
  outside: RefusalCode = 'notInEvent',
  what: Capability = 'read',
) => admitted((await store.findGallery(db, viewer.id, eventId)) ?? refuse('noSuchEvent'), outside, what)

/**
 * A page of a gallery, and the gallery. Refuses noSuchEvent, notInEvent. Viewers without access get no rows, and the
 * same statement determines their standing; the gallery's own door says why there are none.
 */
export const photosFor = async (db: Db, viewer: Viewer, list: store.PhotoList, range: store.Range) =>
  (await store.listPhotos(db, viewer.id, { ...list, needs: toSee(viewer, list.takenBy) }, range)) ?? {
    gallery: await galleryFor(db, viewer, list.eventId, 'notInEvent', toSee(viewer, list.takenBy)),
    page: { rows: [], takers: [] },
  }

/** The same ordered by capture time. Refuses noSuchEvent, notInEvent. */
export const photosByMomentFor = async (db: Db, viewer: Viewer, list: store.PhotoList, range: store.Range) => {
  const gallery = await galleryFor(db, viewer, list.eventId, 'notInEvent', toSee(viewer, list.takenBy))
  return {
    gallery,
    page: await listByMoment(db, viewer.id, { ...list, standing: gallery.standing }, range),
  }
}

/**
 * How many photos a guest may add, for the guest or for an organizer. Refuses noSuchEvent, notInEvent, notOrganizer,
 * noSuchUser.
 */
export const allowanceFor = async (db: Db, viewer: Viewer, eventId: number, userId: number) => {
  const gallery = await galleryFor(db, viewer, eventId, 'notInEvent', 'upload')
  if (userId !== viewer.id) requireMay(gallery, 'manage', 'notOrganizer')
  return (await findAllowance(db, userId, eventId)) ?? refuse('noSuchUser')
}

/** The same ordered by likes. Refuses noSuchEvent, notInEvent. */
export const photosByLikesFor = async (db: Db, viewer: Viewer, list: store.PhotoList, range: store.Range) => {
  const gallery = await galleryFor(db, viewer, list.eventId, 'notInEvent', toSee(viewer, list.takenBy))
  return { gallery, page: await listMostLiked(db, viewer.id, { ...list, standing: gallery.standing }, range) }
}

/** How many photos of each quarter of an hour the viewer sees. Refuses noSuchEvent, notInEvent. */
export const timelineFor = async (db: Db, viewer: Viewer, asked: Omit<Timeline, 'standing'>) => {
  const gallery = await galleryFor(db, viewer, asked.eventId, 'notInEvent', toSee(viewer, asked.takenBy))
  return countByQuarter(db, viewer.id, { ...asked, standing: gallery.standing })
}

/** A gallery whose waiting photos the viewer decides about, until the transaction ends. */
export const galleryToApproveIn = async (tx: Transaction, viewer: Viewer, eventId: number) => {
  const gallery = (await store.findGallery(tx, viewer.id, eventId)) ?? refuse('noSuchEvent')
  return requireMay(await held(tx, viewer, gallery, 'notInEvent'), 'approve', 'notOrganizer')
}

const mayUploadTo = <Found extends store.Gallery>(found: Found | undefined): Found & May<'gallery'> => {
  const gallery = admitted(found ?? refuse('noSuchEvent'), 'mayNotUpload', 'gallery')
  return mayAdd(gallery, 'upload') ? gallery : refuse('mayNotUpload')
}

/** A gallery that the viewer may currently add to. Refuses noSuchEvent, mayNotUpload. */
export const galleryToAddTo = async (db: Db, viewer: Viewer, eventId: number) =>
  mayUploadTo(await store.findGallery(db, viewer.id, eventId))

/** Refuses tooManyPhotos, unless their uploader's quota has room for this many more. */
export const demandPlaces = (gallery: store.Gallery, more: number, photosMax: number) => {
  if (gallery.photos_count + more > (gallery.photos_max ?? photosMax)) refuse('tooManyPhotos')
}

/** `placesHeld`, as SQL: how many places of the quota the viewer's other open uploads reserve. */
type UploadedBytes = Parameters<typeof doubles.findGalleryForBytes>[2]

/**
 * Proves that the viewer may currently add this file to a gallery. Returns an existing photo with the same bytes, which
 * needs no place. Refuses noSuchEvent, mayNotUpload, takenDown, tooManyPhotos.
 */
export const galleryToUploadTo = async (
  db: Db,
  viewer: Viewer,
  arrived: UploadedBytes,
  photosMax: number,
): Promise<number | undefined> => {
  const gallery = mayUploadTo(await doubles.findGalleryForBytes(db, viewer.id, arrived))
  if (gallery.before !== null) return gallery.before
  if (gallery.down && !mayHide(gallery.standing)) refuse('takenDown')
  demandPlaces(gallery, gallery.places_held + 1, photosMax)
  return undefined
}

/** Finds the photos that the viewer's event already has of these files. Refuses noSuchEvent, notInEvent. */
export const photosOfSumsFor = async (db: Db, viewer: Viewer, eventId: number, sums: readonly string[]) => {
  const { standing } = await galleryFor(db, viewer, eventId, 'notInEvent', 'upload')
  return doubles.photosOfSums(db, { id: viewer.id, standing }, eventId, sums)
}

export const stands = async (db: Db, viewer: Viewer, id: number) =>
  (await store.findPhoto(db, viewer.id, id)) !== undefined

/** A photo of an event in which the viewer may do this. Refuses noSuchPhoto, `outside`. */
export const photoFor = async (
  db: Db,
  viewer: Viewer,
  id: number,
  outside: RefusalCode = 'notInEvent',
  what: Capability = 'read',
) => seenPhoto(viewer, admitted(await knownPhoto(db, viewer, id), outside, what))

/** Refuses noSuchPhoto. */
export const knownPhoto = async (db: Db, viewer: Viewer, id: number): Promise<Photo> => {
  const photo = await store.findPhoto(db, viewer.id, id)
  return exists(viewer, photo) ? photo : refuse('noSuchPhoto')
}

export const seenPhoto = <Proved extends Photo>(viewer: Viewer, photo: Proved): Proved =>
  maySeePhoto(viewer, photo) ? photo : refuse('noSuchPhoto')

/** The same for a write: the viewer stays in the event until the transaction ends. The photo itself is not locked. */
export const photoToChange = async (
  tx: Transaction,
  viewer: Viewer,
  id: number,
  outside: RefusalCode = 'notInEvent',
  what: Capability = 'read',
) => seenPhoto(viewer, await held(tx, viewer, await knownPhoto(tx, viewer, id), outside, what))

/** A photo that the viewer may like and comment on. Refuses noSuchPhoto, `outside`. */
export const photoToTakePartIn = async (db: Db, viewer: Viewer, id: number, outside: RefusalCode = 'notInEvent') => {
  const photo = await knownPhoto(db, viewer, id)
  return seenPhoto(viewer, admitted(photo, outside, toTakePart(viewer, photo.taken_by)))
}

/** The same for a write: the viewer stays in the event until the transaction ends. */
export const photoToAnswer = async (
  tx: Transaction,
  viewer: Viewer,
  id: number,
  outside: RefusalCode = 'notInEvent',
) => {
  const photo = await knownPhoto(tx, viewer, id)
  return seenPhoto(viewer, await held(tx, viewer, photo, outside, toTakePart(viewer, photo.taken_by)))
}

/** Only its uploader and moderators are told that a deleted photo is kept. Refuses noSuchPhoto. */
const knownDeleted = async (db: Db, viewer: Viewer, id: number) => {
  const photo = (await deleted.findDeletedPhoto(db, viewer.id, id)) ?? refuse('noSuchPhoto')
  return mayDeletePhoto(viewer, photo) ? photo : refuse('noSuchPhoto')
}

/** A photo deleted less than 30 days ago, in an event that the viewer is in. Refuses noSuchPhoto, notInEvent. */
export const deletedPhotoFor = async (db: Db, viewer: Viewer, id: number) =>
  admitted(await knownDeleted(db, viewer, id), 'notInEvent')

/** The same for a write: the viewer stays in the event until the transaction ends. */
export const deletedPhotoToChange = async (tx: Transaction, viewer: Viewer, id: number) =>
  held(tx, viewer, await knownDeleted(tx, viewer, id), 'notInEvent')

/** Reads the standing again under its lock: the row may predate a removal. */
export const held = async <Row extends { event_id: number; standing: Standing }>(
  tx: Transaction,
  viewer: Viewer,
  row: Row,
  outside: RefusalCode,
  what: Capability = 'read',
) => admitted({ ...row, standing: await lockStanding(tx, viewer, row.event_id) }, outside, what)
