import { z } from 'zod'
import { programmeEntriesMax, programmePlaceLengthMax, programmeTitleLengthMax } from './limits.ts'
import { Moment, maybe, sentence, shape, shortText, Timestamp } from './words.ts'

/* The programme of an event: `events.ts` adds it to an event, and the slice `plans` reads and saves it. */

export const ProgrammeEntry = shape('ProgrammeEntry', {
  programme_starts_at: Timestamp,
  programme_ends_at: Timestamp.nullable(),
  programme_title: z.string(),
  programme_place: z.string().nullable(),
})

export const programmeExtra = {
  event_programme: z.array(ProgrammeEntry),
}

const Entry = z
  .object(
    {
      programme_starts_at: Moment,
      programme_ends_at: maybe(Moment),
      programme_title: shortText(programmeTitleLengthMax),
      programme_place: maybe(shortText(programmePlaceLengthMax)),
    },
    sentence.format,
  )
  .refine(entry => !entry.programme_ends_at || entry.programme_ends_at > entry.programme_starts_at, {
    path: ['programme_ends_at'],
    error: sentence.afterStart,
  })

const Entries = z.array(Entry, sentence.array).max(programmeEntriesMax, sentence.countAtMost(programmeEntriesMax))
export const programmeFields = {
  event_programme: maybe(Entries).describe(
    'What happens when, in any order. It replaces the programme before; unchanged if it is omitted, and then it moves with the beginning of the event.',
  ),
}
