import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { type RefObject, useRef } from 'react'
import { api } from '../app/net/client.ts'
import { useWords } from '../app/words.ts'
import type { Event } from '../events/queries.ts'
import { Button } from '../ui/button.tsx'
import { formError, sayFailure } from '../ui/failure.ts'
import { useForm } from '../ui/form.ts'
import { FormProblem } from '../ui/form-problem.tsx'
import { Skeleton } from '../ui/skeleton.tsx'
import { type Answer, AnswerDetails, AnswerFold, answerFieldNames, answerIn, answers } from './answer-fields.tsx'
import { AnswerList } from './answer-list.tsx'
import { answerKey, answersKey } from './keys.ts'

/** Whether one comes, with whom, and how many come. */
export const AnswerSection = ({ event }: { event: Event }) => {
  const { t } = useWords()
  const form = useRef<HTMLFormElement>(null)
  const { own, isError, save } = useOwnAnswer(event.id, form)
  const submit = useForm(() => own?.event_answer && save.mutate(own.event_answer))
  if (!own) return isError ? null : <Skeleton className="h-52 rounded-2xl" />
  const chosen = save.isPending ? save.variables : own.event_answer
  return (
    <section className="grid grid-cols-1 gap-3 min-h-52 content-start rounded-2xl border border-line bg-card p-4 shadow-card">
      <h2 className="font-semibold">{t('answer.question')}</h2>
      <div className="flex flex-wrap gap-2">
        {answers.map(answer => (
          <Button
            key={answer}
            look={answer === chosen ? 'soft' : 'quiet'}
            className="flex-1"
            aria-pressed={answer === chosen}
            onClick={() => save.mutate(answer)}
          >
            {t(`answer.${answer}`)}
          </Button>
        ))}
      </div>
      {own.line_before !== null && (
        <p role="status" className="text-pretty">
          {t('answer.inLine', { place: own.line_before + 1 })}
        </p>
      )}
      <Counts own={own} unanswered={event.extra.may.manage} />
      {own.event_answer && own.event_answer !== 'no' && (
        <AnswerFold>
          <form ref={form} key={own.answered_at} onSubmit={submit} className="grid grid-cols-1 gap-3">
            <FormProblem text={formError(save.error, answerFieldNames)} />
            <AnswerDetails given={own} error={save.error} />
            <Button type="submit" look="quiet" busy={save.isPending} className="justify-self-start">
              {t('common.save')}
            </Button>
          </form>
        </AnswerFold>
      )}
      {event.extra.may.manage && <AnswerList eventId={event.id} />}
    </section>
  )
}

type OwnAnswer = Awaited<ReturnType<typeof api.plans.readAnswer>>

/** How many come, and of whom nobody knows. */
const Counts = ({ own, unanswered }: { own: OwnAnswer; unanswered: boolean }) => {
  const { t } = useWords()
  return (
    <p className="flex flex-wrap gap-x-4 gap-y-1 text-sm text-soft">
      <span>
        {t('answer.coming', { people: own.going_count })}
        {own.event_places !== null && ` / ${own.event_places}`}
      </span>
      {own.maybe_count > 0 && <span>{`${t('answer.maybe')}: ${own.maybe_count}`}</span>}
      {own.line_count > 0 && <span>{`${t('answer.line')}: ${own.line_count}`}</span>}
      {unanswered && <span>{`${t('answer.none')}: ${own.unanswered_count}`}</span>}
    </p>
  )
}

/** Saved with what its form says by then, if it is shown. */
const useOwnAnswer = (event_id: number, form: RefObject<HTMLFormElement | null>) => {
  const client = useQueryClient()
  const key = answerKey(event_id)
  const { data: own, isError } = useQuery({
    queryKey: key,
    queryFn: () => api.plans.readAnswer({ event_id }),
    staleTime: 0,
  })
  const save = useMutation({
    mutationFn: (event_answer: Answer) =>
      api.plans.answerEvent({
        event_id,
        event_answer,
        ...(form.current && answerIn(new FormData(form.current))),
      }),
    onSuccess: saved => {
      client.setQueryData(key, saved)
      return client.invalidateQueries({ queryKey: answersKey(event_id) })
    },
    onError: error => {
      if (!formError(error, []) || !form.current) sayFailure(error)
    },
  })
  return { own, isError, save }
}
