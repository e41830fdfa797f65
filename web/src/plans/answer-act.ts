import { AfterglowError } from '@afterglow/sdk/methods'
import { queryClient } from '../app/cache/query.ts'
import { api } from '../app/net/client.ts'
import { actInstead } from '../app/storage/acts.ts'
import type { Performer } from '../app/storage/pending-acts.ts'
import { t } from '../app/words.ts'
import { sayFailure } from '../ui/failure.ts'
import { doUndoably } from '../ui/undoable.ts'
import type { Answer, Answered } from './answer-fields.tsx'
import { aboutAnswer, answerKey, answersKey } from './keys.ts'

/* Answers, which wait for a network if there is none. */

export type OwnAnswer = Awaited<ReturnType<typeof api.plans.readAnswer>>
type Given = Answered & { event_id: number; event_answer: Answer }

declare module '../app/storage/pending-acts.ts' {
  interface Acts {
    answer: Given
  }
}

const show = (given: Given) =>
  queryClient.setQueryData<OwnAnswer>(answerKey(given.event_id), own => own && withAnswer(own, given))

export const keptAnswer: Performer<'answer'> = {
  show,
  async perform(given) {
    queryClient.setQueryData(answerKey(given.event_id), await api.plans.answerEvent(given))
    void queryClient.invalidateQueries({ queryKey: answersKey(given.event_id) })
  },
  undo({ event_id }, refusal) {
    void queryClient.invalidateQueries({ queryKey: answerKey(event_id) })
    // A field that is wrong waits for its author.
    if (refusal instanceof AfterglowError && Object.keys(refusal.fields).length > 0) throw refusal
    sayFailure(refusal)
  },
}

/** Answers, and shows it at once. An answer that takes another's place is sent once nobody takes it back. */
export const giveAnswer = (own: OwnAnswer, event_answer: Answer, details = detailsOf(own)) => {
  const { event_id, event_answer: before } = own
  const given = { event_id, event_answer, ...details }
  const act = ['answer', aboutAnswer(event_id), given] as const
  show(given)
  if (before === null || before === event_answer) return void actInstead(...act)
  const text = t('answer.changed', { answer: t(`answer.${event_answer}`) })
  doUndoably(act, text, () => queryClient.setQueryData(answerKey(event_id), own))
}

const detailsOf = ({ plus_ones, plus_names, answer_note }: Answered): Answered => ({
  plus_ones,
  plus_names,
  answer_note,
})

/** As it will be, as far as is known here: seats are given by the service. */
const withAnswer = (own: OwnAnswer, { event_answer, event_id: _, ...details }: Given): OwnAnswer => {
  const same = String(Object.values(detailsOf(own))) === String(Object.values(detailsOf(details)))
  if (same && own.event_answer === event_answer) return { ...own, answered_for: null }
  const party = 1 + details.plus_ones
  const held = own.answer_place === 'in' ? 1 + own.plus_ones : 0
  const fits = own.event_places === null || party <= own.event_places - own.going_count + held
  const answer_place = event_answer !== 'going' ? null : fits ? 'in' : 'line'
  const line_before = answer_place === 'line' ? (own.line_before ?? own.line_count) : null
  const now = { ...own, event_answer, ...details, answered_for: null, answer_place, line_before } satisfies OwnAnswer
  count(now, own, -1)
  count(now, now, 1)
  return now
}

const count = (counts: OwnAnswer, { event_answer, answer_place, plus_ones }: OwnAnswer, by: 1 | -1) => {
  if (answer_place === 'in') counts.going_count += by * (1 + plus_ones)
  else if (answer_place === 'line') counts.line_count += by * (1 + plus_ones)
  else if (event_answer === 'maybe' || event_answer === 'no') counts[`${event_answer}_count`] += by
}
