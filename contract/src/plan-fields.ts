import { z } from 'zod'
import { answerNoteLengthMax, placesMax, plusNamesLengthMax, plusOnesMax } from './limits.ts'
import { Count, count, maybe, sentence, shortText } from './words.ts'

/*
 * The plans' fields of an event and of joining one: `events.ts` and `links/opened-links.ts` add them to theirs, and the
 * slice `plans` reads and saves them.
 */

/** Audiences of other people's photos. Guests who have not answered yet see them. */
export const albumFor = ['everybody', 'coming'] as const

export const planExtra = {
  /** Null if it has room for all. */
  event_places: Count.nullable(),
  event_plus_ones_max: Count.describe('How many others each answer may bring at most.'),
  album_for: z.enum(albumFor).describe('For whom the album is: `everybody` in the event, or those who are `coming`.'),
}

export const planFields = {
  event_places: maybe(count(0, placesMax)).describe(
    'For how many people there is room, plus-ones included; 0: for all. Unchanged if it is omitted.',
  ),
  event_plus_ones_max: maybe(count(0, plusOnesMax)).describe(
    'How many others each answer may bring at most. By default 20. Unchanged if it is omitted.',
  ),
  event_album_for: maybe(z.enum(albumFor, sentence.selected)).describe(
    'For whom the album is: `everybody` in the event, or those who are `coming`; then those who say no or maybe see only their own photos. Unchanged if it is omitted.',
  ),
}

export const answers = ['going', 'maybe', 'no'] as const

/** One name a line is as good as names with commas. */
const PlusNames = z
  .string(sentence.string)
  .transform(names => names.replaceAll(/\s*[\n\r\u2028\u2029]\s*/g, ', '))
  .pipe(shortText(plusNamesLengthMax))
  .meta({ type: 'string', minLength: 1, maxLength: plusNamesLengthMax })

/** The rest of an answer, besides coming or not. */
export const answerFields = {
  plus_ones: maybe(count(0, plusOnesMax)),
  plus_names: maybe(PlusNames),
  answer_note: maybe(shortText(answerNoteLengthMax)),
}

/** Joining by a link with an answer. */
export const joinFields = { event_answer: maybe(z.enum(answers, sentence.selected)), ...answerFields }
