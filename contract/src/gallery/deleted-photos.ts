import { z } from 'zod'
import { MinimalUser } from '../accounts/user.ts'
import { noSuchPhotoToView, notInEvent, notMember, takenDown } from '../gallery.ts'
import { Photo } from '../photo.ts'
import { offerNot, type RefusalPage } from '../refusal-advice.ts'
import { notFound, route, says } from '../route.ts'
import { CountString, Done, Id, IdString, Page, Paging, shape, Timestamp, Url } from '../words.ts'

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

/** Why each is given, and what a client should do: the pages of refusals are made of it. */
export const refusalPages = {
  mayNotDeletePhoto: { cause: 'The caller is neither the uploader nor an organizer.', client: offerNot },
} satisfies Record<string, RefusalPage>

export const deletePhoto = route('deletePhoto', 'DELETE api/gallery/photo/{event_photo_id}', {
  summary: 'Deletes a photo from the gallery. Uploader or organizers only.',
  input: z.object({ event_photo_id: Id }),
  reply: Done,
  refusals: {
    noSuchPhoto: noSuchPhotoToView,
    notInEvent,
    mayNotDeletePhoto: says('User is not allowed to delete this event photo'),
  },
  takes: { back: 'restorePhoto', backHours: 30 * 24, tells: 'channel', audits: 'photo.deleted' },
})

export const listDeletedPhotos = route('listDeletedPhotos', 'GET api/gallery/deleted/{event_id}', {
  summary:
    'Lists photos that can be restored, most recently deleted first: all of the gallery for organizers; for guests, photos they added and deleted themselves.',
  input: z.object({ event_id: Id, ...Paging }),
  reply: Page(DeletedPhoto),
  refusals: {
    noSuchEvent: notFound('Event not found!'),
    notInEvent: notMember,
  },
})

export const restorePhoto = route('restorePhoto', 'PUT api/gallery/photo/restore/{event_photo_id}', {
  summary: 'Restores a photo deleted less than 30 days ago, with its likes and comments. Uploader or organizers only.',
  extra: true,
  input: z.object({ event_photo_id: Id }),
  reply: Photo,
  refusals: {
    noSuchPhoto: noSuchPhotoToView,
    notInEvent,
    tooManyPhotos: says("You've exceeded the maximum number of photos allowed to be uploaded."),
    alreadyInAlbum: says('The attachment is in the gallery'),
    takenDown: says(takenDown),
  },
})
