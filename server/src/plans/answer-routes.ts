import * as contract from '@afterglow/contract/plans'
import type { ParsedInput } from '@afterglow/contract/route'
import type { z } from 'zod'
import type { Person } from '../accounts/persons.ts'
import { personsById } from '../accounts/persons-sql.ts'
import { presentMinimalUser } from '../accounts/present-person.ts'
import { eventFor, requireCapability, requireMember } from '../events/access.ts'
import { addedNamesakes } from '../events/returns/claims.ts'
import type { Db } from '../platform/database/database.ts'
import { rangeOf } from '../platform/http/pages.ts'
import { refuse } from '../platform/http/refusals.ts'
import type { Serve } from '../platform/http/serve.ts'
import type { Urls } from '../platform/http/urls.ts'
import type { Viewer } from '../platform/http/viewer.ts'
import { goodEverywhere } from '../platform/media/file-name.ts'
import { type AnswerInput, answerEvent, moveUp, remindGuests, savePerson } from './answers.ts'
import { answersCsv } from './answers-csv.ts'
import * as store from './answers-store.ts'

type AnswerFields = Pick<ParsedInput<typeof contract.answerEvent>, 'plus_ones' | 'plus_names' | 'answer_note'> & {
  answered_at?: Date | undefined
}

export const answerInput = (
  answer: store.Answer,
  { plus_ones, plus_names, answer_note, answered_at }: AnswerFields,
): AnswerInput => ({
  answer,
  plusOnes: plus_ones,
  plusNames: plus_names,
  note: answer_note,
  seenAt: answered_at,
})

export const answerRoutes = (serve: Serve) => {
  serve(contract.readAnswer, async ({ db, viewer, input, urls }) => {
    requireMember(await eventFor(db, viewer, input.event_id))
    return answerOf(db, viewer, { eventId: input.event_id, userId: viewer.id }, urls)
  })

  serve(
    contract.answerEvent,
    async ({ viewer, input, once, urls }) =>
      once(async db => {
        const { event_id: eventId, user_id: userId = viewer.id } = input
        await answerEvent(db, viewer, eventId, userId, answerInput(input.event_answer, input))
        return answerOf(db, viewer, { eventId, userId }, urls)
      }),
    {
      keep: () => true,
      replay: async ({ db, viewer, input, urls }) => {
        const { event_id: eventId, user_id: userId = viewer.id } = input
        requireCapability(await eventFor(db, viewer, eventId), userId === viewer.id ? 'read' : 'manage')
        return answerOf(db, viewer, { eventId, userId }, urls)
      },
    },
  )

  serve(
    contract.addPerson,
    async ({ viewer, input, once, urls }) =>
      once(async db => {
        const { event_id: eventId, event_answer: given } = input
        const person = { id: input.user_id, firstName: input.user_first_name, lastName: input.user_last_name ?? '' }
        const userId = await savePerson(db, viewer, eventId, person, given && answerInput(given, input))
        return answerInList(db, { eventId, userId }, urls)
      }),
    {
      keep: ({ user }) => user.id,
      replay: async ({ db, viewer, input, urls }, userId: number) => {
        requireCapability(await eventFor(db, viewer, input.event_id), 'manage')
        return answerInList(db, { eventId: input.event_id, userId }, urls)
      },
    },
  )

  serve(contract.moveUp, async ({ db, viewer, input, urls }) => {
    const { event_id: eventId, user_id: userId } = input
    await moveUp(db, viewer, eventId, userId, input.move_reason)
    return answerOf(db, viewer, { eventId, userId }, urls)
  })

  serve(contract.listAnswers, async ({ db, viewer, input, urls, page }) => {
    requireCapability(await eventFor(db, viewer, input.event_id), 'manage')
    return page(await store.listAnswers(db, input.event_id, rangeOf(input)), row => presentListed(row, urls))
  })

  serve(contract.remindGuests, async ({ db, viewer, input }) => ({
    reminded_count: await remindGuests(db, viewer, input.event_id),
  }))

  serve(contract.exportAnswers, async ({ db, viewer, input, language, speaks }) => {
    const event = requireCapability(await eventFor(db, viewer, input.event_id), 'manage')
    speaks(language)
    return {
      csv_name: `${goodEverywhere(event.name) || 'event'}.csv`,
      csv_text: answersCsv(await store.listAnswers(db, input.event_id), language, event.timezone),
    }
  })
}

const presentAnswer = (row: store.AnswerRow | undefined) => ({
  event_answer: row?.answer ?? null,
  plus_ones: row?.plus ?? 0,
  plus_names: row?.plus_names ?? null,
  answer_note: row?.note ?? null,
  answer_place: row?.answer === 'going' ? (row.seated ? ('in' as const) : ('line' as const)) : null,
  answered_at: row?.answered_at.toISOString() ?? null,
  answered_for: row?.former_start?.toISOString() ?? null,
})

const presentListed = (row: store.GuestAnswerRow, urls: Urls) => ({
  user: presentMinimalUser(row, urls),
  ...presentAnswer(row.answer && (row as store.AnswerRow)),
  person_added: row.added,
})

type Answerer = { eventId: number; userId: number }

const answerInList = async (db: Db, { eventId, userId }: Answerer, urls: Urls) => {
  const [row] = await store.listAnswers(db, eventId, undefined, userId)
  return presentListed(row ?? refuse('noSuchEvent'), urls)
}

const answerOf = async (
  db: Db,
  viewer: Viewer,
  { eventId, userId }: Answerer,
  urls: Urls,
): Promise<z.output<typeof contract.EventAnswer>> => {
  const given = await store.answerOf(db, eventId, userId)
  const counts = await store.countAnswers(db, eventId, given?.line)
  const namesakes = userId === viewer.id ? await addedNamesakes(db, eventId, userId) : []
  const persons = await personsById(db, namesakes)
  return {
    event_id: eventId,
    ...presentAnswer(given),
    line_before: given && given.line !== null ? counts.before : null,
    event_places: counts.places,
    going_count: counts.taken,
    line_count: counts.line,
    maybe_count: counts.maybe,
    no_count: counts.no,
    unanswered_count: counts.unanswered,
    unconfirmed_count: counts.unconfirmed,
    namesakes: namesakes.map(id => presentMinimalUser(persons.get(id) as Person, urls)),
  }
}
