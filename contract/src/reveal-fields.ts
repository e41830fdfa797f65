import { z } from 'zod'
import { Flag, Moment, maybe, sentence, Timestamp } from './words.ts'

/* When an event's photos are shown: `events.ts` adds it to an event, and the slice `gallery` reads and saves it. */

/** At once, at a time to come, or when an organizer says so. */
const PhotosShown = z.enum(['at_once', 'later', 'never'], sentence.selected)

export const revealExtra = {
  event_photos_shown: PhotosShown.describe(
    'Whether everybody sees photos at once, later (at `event_reveals_at`), or never; until then each sees their own.',
  ),
  event_reveals_at: Timestamp.nullable().describe(
    'When the photos are shown to everybody; null if nothing is planned.',
  ),
  event_revealed_at: Timestamp.nullable().describe(
    'When they were shown to everybody; null if they never waited, or still do.',
  ),
  event_asks_for_photos: z
    .boolean()
    .describe('Whether guests who added few photos are asked for more, once, on the second day after the event.'),
  event_organizers_see_photos: z.boolean().describe('Whether organizers see all photos before they are shown.'),
}

export const revealFields = {
  event_photos_shown: maybe(PhotosShown).describe(
    'Whether everybody sees photos at once, later (at event_reveals_at), or never; until then each sees their own. Unchanged if it is omitted.',
  ),
  event_reveals_at: maybe(Moment).describe(
    'When the photos are shown to everybody. A time in the past shows them now. Unchanged if it is omitted.',
  ),
  event_asks_for_photos: maybe(Flag).describe(
    'Whether guests who added few photos are asked for more, once, on the second day after the event. By default they are.',
  ),
  event_organizers_see_photos: maybe(Flag).describe(
    'Whether organizers see all photos before they are shown. Unchanged if it is omitted, at first not.',
  ),
}
