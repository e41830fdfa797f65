import * as contract from '@afterglow/contract/plans'
import type { ParsedInput } from '@afterglow/contract/route'
import type { z } from 'zod'
import { presentMinimalUser } from '../accounts/present-person.ts'
import { eventFor, requireCapability, requireMember } from '../events/access.ts'
import type { Db } from '../platform/database/database.ts'
import { rangeOf } from '../platform/http/pages.ts'
import type { Serve } from '../platform/http/serve.ts'
import type { Viewer } from '../platform/http/viewer.ts'
import { goodEverywhere } from '../platform/media/file-name.ts'
import { type AnswerInput, answerEvent } from './answers.ts'
import { answersCsv } from './answers-csv.ts'
import * as store from './answers-store.ts'

type AnswerFields = Pick<ParsedInput<typeof contract.answerEvent>, 'plus_ones' | 'plus_names' | 'answer_note'>

export const answerInput = (
  answer: store.Answer,
  { plus_ones, plus_names, answer_note }: AnswerFields,
): AnswerInput => ({
  answer,
  plusOnes: plus_ones,
  plusNames: plus_names,
  note: answer_note,
})

export const answerRoutes = (serve: Serve) => {
  serve(contract.readAnswer, async ({ db, viewer, input }) => {
    requireMember(await eventFor(db, viewer, input.event_id))
    return ownAnswer(db, viewer, input.event_id)
  })

  serve(
    contract.answerEvent,
    async ({ viewer, input, once }) =>
      once(async db => {
        await answerEvent(db, viewer, input.event_id, answerInput(input.event_answer, input))
        return ownAnswer(db, viewer, input.event_id)
      }),
    {
      keep: () => true,
      replay: async ({ db, viewer, input }) => {
        requireMember(await eventFor(db, viewer, input.event_id))
        return ownAnswer(db, viewer, input.event_id)
      },
    },
  )

  serve(contract.listAnswers, async ({ db, viewer, input, urls, page }) => {
    requireCapability(await eventFor(db, viewer, input.event_id), 'manage')
    return page(await store.listAnswers(db, input.event_id, rangeOf(input)), row => ({
      user: presentMinimalUser(row, urls),
      ...presentAnswer(row.answer && (row as store.AnswerRow)),
    }))
  })

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
})

const ownAnswer = async (db: Db, viewer: Viewer, eventId: number): Promise<z.output<typeof contract.EventAnswer>> => {
  const own = await store.answerOf(db, eventId, viewer.id)
  const counts = await store.countAnswers(db, eventId, own?.line)
  return {
    event_id: eventId,
    ...presentAnswer(own),
    line_before: own && own.line !== null ? counts.before : null,
    event_places: counts.places,
    going_count: counts.taken,
    line_count: counts.line,
    maybe_count: counts.maybe,
    no_count: counts.no,
    unanswered_count: counts.unanswered,
  }
}
