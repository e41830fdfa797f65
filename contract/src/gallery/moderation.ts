import { z } from 'zod'
import { noSuchPhotoToView, notInEvent, notMember, notOrganizer } from '../gallery.ts'
import { photosChosenMax } from '../limits.ts'
import { Photo } from '../photo.ts'
import { notFound, route } from '../route.ts'
import { Count, Done, Flag, Id, IdNumber, maybe, sentence, shape } from '../words.ts'

export const hidePhoto = route('hidePhoto', 'PUT api/gallery/photo/hide/{event_photo_id}', {
  summary:
    'Hides a photo from everyone except its uploader and the organizers, and invalidates its links. Organizers only.',
  extra: true,
  input: z.object({ event_photo_id: Id }),
  reply: Photo,
  refusals: { noSuchPhoto: noSuchPhotoToView, notInEvent, notOrganizer },
  takes: { back: 'unhidePhoto', tells: 'channel', audits: 'photo.hidden' },
})

export const unhidePhoto = route('unhidePhoto', 'DELETE api/gallery/photo/hide/{event_photo_id}', {
  summary: 'Makes a hidden photo visible to everyone again.',
  extra: true,
  input: z.object({ event_photo_id: Id }),
  reply: Photo,
  refusals: { noSuchPhoto: noSuchPhotoToView, notInEvent, notOrganizer },
})

/** The final state of photos after a decision. */
export const PhotosDecided = shape('PhotosDecided', {
  done: z.literal(true),
  decision_id: IdNumber.nullable().describe('To undo it; null if none of the photos waited any more.'),
  photos_decided_count: Count.describe('How many photos this decided about.'),
  photos_waiting_count: Count.describe('How many photos of the event still wait.'),
  photo_states: z
    .array(
      z.strictObject({
        event_photo_id: IdNumber,
        photo_state: z
          .enum(['waiting', 'shown', 'off_wall', 'hidden', 'gone'])
          .describe(
            'off_wall: in the album, but never on the wall. hidden: seen by its uploader and organizers alone.',
          ),
      }),
    )
    .describe('The photos of the request as they are now, also where another organizer decided before.'),
})

const photosDecided = z.object({
  event_id: Id,
  event_photo_ids: maybe(
    z.array(Id, sentence.array).min(1, sentence.required).max(photosChosenMax, sentence.countAtMost(photosChosenMax)),
  ).describe('Which photos. Required unless `all` is sent.'),
  all: maybe(Flag).describe('Every photo of the event that waits now, in one act.'),
})
const decisionRefusals = {
  noSuchEvent: notFound('Event not found!'),
  notInEvent: notMember,
  notOrganizer,
}

export const approvePhotos = route('approvePhotos', 'PUT api/gallery/approve/{event_id}', {
  summary:
    'Approves photos that wait, some or all of them, so that everybody sees them. Those that do not wait any more stay as they are, which the reply says. Organizers only.',
  input: photosDecided,
  reply: PhotosDecided,
  refusals: decisionRefusals,
})

export const refusePhotos = route('refusePhotos', 'PUT api/gallery/refuse/{event_id}', {
  summary:
    'Refuses photos that wait. Before the album: they stay hidden from everybody except their uploaders and the organizers. Before the wall: they are never on the wall and stay in the album. Those that do not wait any more stay as they are, which the reply says. Organizers only.',
  input: photosDecided,
  reply: PhotosDecided,
  refusals: decisionRefusals,
  takes: { back: 'approvePhotos', tells: 'channel', audits: 'photo.refused' },
})

export const undoDecision = route('undoDecision', 'DELETE api/gallery/decision/{decision_id}', {
  summary:
    'Undoes an approval or refusal within a day, whole: its photos wait again, except those deleted or decided about since. Organizers only.',
  input: z.object({ decision_id: Id }),
  reply: PhotosDecided,
  refusals: decisionRefusals,
})

export const revealPhotos = route('revealPhotos', 'PUT api/gallery/reveal/{event_id}', {
  summary: 'Shows everybody the photos that an event has kept until now. Again has no effect. Organizers only.',
  input: z.object({ event_id: Id }),
  reply: Done,
  refusals: { noSuchEvent: notFound('Event not found!'), notOrganizer },
})
