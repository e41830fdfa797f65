import { z } from 'zod'
import { MinimalUser } from './accounts/user.ts'
import { altTextLengthMax, captionLengthMax, photosChosenMax } from './limits.ts'
import { Photo } from './photo.ts'
import { offerNot, type RefusalPage, reload } from './refusal-advice.ts'
import { notFound, route, says } from './route.ts'
import { albumNotForYou, albumSelection } from './streams.ts'
import {
  Count,
  Flag,
  Id,
  linesText,
  maybe,
  OptionalId,
  Page,
  Paging,
  sentence,
  shape,
  Timestamp,
  Url,
} from './words.ts'

/** For a second upload of the same photo, without blame. */
export const takenDown = 'The organizers chose to leave this picture out of the album.'

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

export const noSuchPhotoToView = notFound('Event Photo not found!')
export const noSuchPhoto = notFound('Photo not found!')
export const notInEvent = says('User is not allowed to access this event photo')
export const notMember = says('The user is neither a guest nor an organizer of the event')
export const notOrganizer = says('The user is not an organizer of the event')

/** Why each is given, and what a client should do: the pages of refusals are made of it. */
export const refusalPages = {
  noSuchPhoto: { cause: 'The photo does not exist or was deleted.', client: reload },
  albumNotForYou: {
    cause: 'The album is for those who come, and the caller has answered no or maybe.',
    client: 'Show their own photos (`taken_by`), and that the others are there once they come.',
  },
  notUploader: { cause: 'Only the person who added a photo may describe it.', client: offerNot },
  alreadyInAlbum: {
    cause: 'The picture is already in the gallery.',
    client: 'Treat it as done and reload the message or the gallery.',
  },
} satisfies Record<string, RefusalPage>

export const linkAlbum = route('linkAlbum', 'POST api/gallery/download/{event_id}', {
  opens: ['address of the album'],
  summary:
    'Creates a link, for the caller alone, to download an album as a zip file, and returns its size. It contains all photos, or those selected, of one person, the caller’s own, or liked; in full or screen size. Interrupted downloads can be resumed with Range.',
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
    albumNotForYou,
  },
})

export const listPhotos = route('listPhotos', 'GET api/gallery/photos/{event_id}', {
  summary:
    'Lists the photos of an event by upload time, capture time or number of likes (ties: latest first); all photos, or those of one person.',
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
    albumNotForYou,
  },
})

export const readTimeline = route('readTimeline', 'GET api/gallery/timeline/{event_id}', {
  summary:
    'Returns the number of photos per quarter of an hour, by upload or capture time, oldest first. Together with the sort order of the list, it gives the position at which a day begins.',
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
    albumNotForYou,
  },
})

export const readPhoto = route('readPhoto', 'GET api/gallery/photo/details/{event_photo_id}', {
  documented: true,
  summary: 'Returns a photo.',
  perMinute: 180,
  extra: true,
  input: z.object({ event_photo_id: Id }),
  reply: Photo,
  refusals: { noSuchPhoto: noSuchPhotoToView, notInEvent },
})

export const captionPhoto = route('captionPhoto', 'POST api/gallery/photo/details/update', {
  summary:
    'Sets the caption and alternative text of a photo. null or "" removes one; an omitted field is left unchanged. Where photos are approved, the words of an approved photo wait alone, as `new_words`.',
  extra: true,
  input: z.object({
    event_photo_id: Id,
    event_photo_caption: linesText(captionLengthMax).nullish(),
    event_photo_alt_text: linesText(altTextLengthMax).nullish(),
  }),
  reply: Photo,
  refusals: {
    noSuchPhoto: noSuchPhotoToView,
    notInEvent,
    notUploader: says('Only the person who took the photo can describe it'),
  },
})

export const likePhoto = route('likePhoto', 'PUT api/gallery/photo/like/{event_photo_id}', {
  opens: ['like'],
  summary: 'Likes a photo.',
  extra: true,
  input: z.object({ event_photo_id: Id }),
  reply: Photo,
  refusals: { noSuchPhoto: noSuchPhotoToView, notInEvent },
})

export const unlikePhoto = route('unlikePhoto', 'DELETE api/gallery/photo/like/{event_photo_id}', {
  summary: 'Removes the viewer’s like.',
  extra: true,
  input: z.object({ event_photo_id: Id }),
  reply: Photo,
  refusals: { noSuchPhoto: noSuchPhotoToView, notInEvent },
})

export const listLikes = route('listLikes', 'GET api/gallery/photo/likes/{event_photo_id}', {
  summary: 'Lists the people who like a photo, newest first.',
  input: z.object({ event_photo_id: Id, ...Paging }),
  reply: Page(MinimalUser),
  refusals: { noSuchPhoto: noSuchPhotoToView, notInEvent },
})
