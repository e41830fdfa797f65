import { z } from 'zod'
import { noSuchPhotoToView, notMember, notOrganizer, takenDown } from './gallery.ts'
import { altTextLengthMax, captionLengthMax, photosAllowedMax, uploadsCheckedMax } from './limits.ts'
import { Photo } from './photo.ts'
import type { RefusalPage } from './refusal-advice.ts'
import { noRoom, notFound, route, saysError } from './route.ts'
import {
  Count,
  count,
  Flag,
  Id,
  IdNumber,
  linesText,
  maybe,
  OptionalId,
  SessionId,
  Sha256,
  sentence,
  shape,
} from './words.ts'

/* How photos come into a gallery, and how many somebody may add. */

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
  trusted: z
    .boolean()
    .describe('Whether their photos do not wait to be approved: they are trusted, or come by a photographer’s link.'),
})

/** See gallery.ts. */
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
  takenDown: {
    cause: 'An organizer has taken the picture out of the album, where the same bytes may not come back.',
    client: 'Say so without blame and keep the file for the user. Do not retry.',
  },
} satisfies Record<string, RefusalPage>

export const uploadPhoto = route('uploadPhoto', 'POST api/gallery/upload', {
  documented: true,
  summary:
    'Adds a photo to the gallery of an event. If the gallery already has a photo with the same bytes, from anyone, that photo is returned, and a caption sent along fills an empty one.',
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
    event_photo_caption: maybe(linesText(captionLengthMax)),
    event_photo_alt_text: maybe(linesText(altTextLengthMax)),
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

const BytesMax = z.int().positive()

export const readUploadLimits = route('readUploadLimits', 'GET api/gallery/upload/limits', {
  summary: 'Returns the maximum file sizes. Call it before uploading.',
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

export const checkUploads = route('checkUploads', 'POST api/gallery/upload/check', {
  summary: 'Returns which files are already in the album, given their SHA-256 hashes. Call it before uploading.',
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

export const readAllowance = route('readAllowance', 'GET api/gallery/allowance/{event_id}', {
  summary: 'Returns how many photos the caller may add to an event or, for organizers, how many a guest may add.',
  input: z.object({ event_id: Id, user_id: OptionalId }),
  reply: PhotoAllowance,
  refusals: {
    noSuchEvent: notFound('Event not found!'),
    notInEvent: notMember,
    notOrganizer,
    noSuchUser: notFound('User not found!'),
  },
})

export const allowPhotos = route('allowPhotos', 'POST api/gallery/allowance/{event_id}', {
  summary:
    'Sets how many photos each guest of an event may add or, with user_id, how many one person may add; null removes the limit so that the next broader one applies. Organizers only. Photos already added stay.',
  input: z.object({
    event_id: Id,
    user_id: OptionalId,
    photos_max: count(0, photosAllowedMax)
      .nullish()
      .describe('How many photos they may add; null to fall back to the event’s or instance’s limit.'),
    trusted: maybe(Flag).describe('Of one person: whether their photos do not wait to be approved.'),
  }),
  reply: PhotoAllowance,
  refusals: {
    noSuchEvent: notFound('Event not found!'),
    notOrganizer,
    noSuchUser: notFound('User not found!'),
  },
  takes: { back: 'allowPhotos', tells: 'nextVisit' },
})
