import { useMutation, useQuery } from '@tanstack/react-query'
import { useId, useRef, useState } from 'react'
import { longDayOf } from '../app/date-format.ts'
import { api } from '../app/net/client.ts'
import { type Act, acts } from '../app/storage/pending-acts.ts'
import { useStore } from '../app/store.ts'
import { useWords } from '../app/words.ts'
import type { Event } from '../events/queries.ts'
import { PersonLine } from '../people/person-line.tsx'
import { Button } from '../ui/button.tsx'
import { useDraft } from '../ui/draft.ts'
import { sayFailure } from '../ui/failure.ts'
import { useForm } from '../ui/form.ts'
import { FormProblem } from '../ui/form-problem.tsx'
import { say } from '../ui/layers/toasts.ts'
import { PendingSign } from '../ui/pending-sign.tsx'
import { Skeleton } from '../ui/skeleton.tsx'
import type { OwnAnswer } from './answer-act.ts'
import { answerQuery } from './answer-counts.tsx'
import { type Answer, AnswerDetails, AnswerFold, answerIn, answers } from './answer-fields.tsx'
import { aboutAnswer } from './keys.ts'

/** Whether one comes, with whom, and how many come. */
export const AnswerSection = ({ event }: { event: Event }) => {
  const { t } = useWords()
  const { data: own, isError } = useQuery(answerQuery(event.id))
  const refused = useStore(acts).find(
    (each): each is Act<'answer'> =>
      each.kind === 'answer' && each.told.event_id === event.id && each.refused !== undefined,
  )
  const question = useId()
  const [celebrated, setCelebrated] = useState<Answer>()
  const form = useRef<HTMLFormElement>(null)
  const draft = useDraft(`answer.${event.id}`, form)
  const answer = async (given: Answer) => {
    if (!own) return
    try {
      const { giveAnswer } = await import('./answer-act.ts')
      draft.keep('')
      giveAnswer(own, given, form.current ? answerIn(new FormData(form.current)) : undefined)
    } catch (error) {
      sayFailure(error)
    }
  }
  const current = refused?.told.event_answer ?? own?.event_answer
  const manages = event.extra.may.manage
  const said = own?.answered_for ? undefined : own?.event_answer
  const submit = useForm(() => current && void answer(current))
  if (!own) return isError ? null : <Skeleton className="h-36 rounded-2xl" />
  return (
    <section
      className={`grid grid-cols-1 gap-3 min-h-36 content-start rounded-2xl p-4 ${manages ? 'border border-line bg-card shadow-card' : 'bg-glow text-on-glow'}`}
    >
      <h2 id={question} className="flex items-center gap-2 font-semibold">
        {t('answer.question')}
        <PendingSign about={aboutAnswer(event.id)} />
      </h2>
      <fieldset aria-labelledby={question} className="flex min-w-0 flex-wrap gap-2">
        {answers.map(each => (
          <Button
            key={each}
            look={each === said ? (manages ? 'soft' : 'main') : 'quiet'}
            className={`flex-1 ${each === celebrated ? 'given' : ''}`}
            aria-pressed={each === said}
            onClick={() => {
              setCelebrated(each === 'going' ? each : undefined)
              void answer(each)
            }}
          >
            {t(`answer.${each}`)}
          </Button>
        ))}
      </fieldset>
      {own.answered_for !== null && own.event_answer && (
        <p role="status" className="text-pretty">
          {t('answer.forAnother', {
            day: longDayOf(own.answered_for, event.event_timezone),
            answer: t(`answer.${own.event_answer}`),
          })}
        </p>
      )}
      {own.line_before !== null && (
        <p role="status" className="text-pretty">
          {t('answer.inLine', { place: own.line_before + 1 })}
        </p>
      )}
      {(refused ?? (own.event_answer && own.event_answer !== 'no')) && (
        <AnswerFold open={refused !== undefined}>
          <form
            ref={draft.form}
            key={refused?.at ?? own.answered_at}
            onSubmit={submit}
            className="grid grid-cols-1 gap-3"
          >
            <FormProblem text={refused?.refused} />
            <AnswerDetails given={refused?.told ?? own} most={event.extra.event_plus_ones_max} error={undefined} />
            <Button type="submit" look="quiet" className="justify-self-start">
              {t('common.save')}
            </Button>
          </form>
        </AnswerFold>
      )}
      <Namesakes own={own} />
    </section>
  )
}

/** People of their name whom a host added: the viewer may be one of them. */
const Namesakes = ({ own: { event_id, namesakes } }: { own: OwnAnswer }) => {
  const { t } = useWords()
  const claim = useMutation({
    mutationFn: (user_id: number) => api.returns.claimPerson({ event_id, user_id }),
    onSuccess: () => say(t('answer.claimed')),
    onError: sayFailure,
  })
  return (
    !claim.isSuccess &&
    namesakes.length > 0 && (
      <ul>
        {namesakes.map(person => (
          <PersonLine key={person.id} person={person} about={t('answer.isThatYou')}>
            <Button size="small" busy={claim.isPending} onClick={() => claim.mutate(person.id)}>
              {t('answer.thatIsMe')}
            </Button>
          </PersonLine>
        ))}
      </ul>
    )
  )
}
