import { z } from 'zod'
import { noSuchPhotoToView, notInEvent, notMember, notOrganizer } from '../gallery.ts'
import { photosDecidedMax } from '../limits.ts'
import { Photo } from '../photo.ts'
import { notFound, route } from '../route.ts'
import { Done, Id, sentence } from '../words.ts'

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
