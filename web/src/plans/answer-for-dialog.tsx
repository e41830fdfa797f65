import { useMutation, useQueryClient } from '@tanstack/react-query'
import { api } from '../app/net/client.ts'
import { useWords } from '../app/words.ts'
import type { Event } from '../events/queries.ts'
import { nameOf } from '../people/names.ts'
import { Button } from '../ui/button.tsx'
import { fieldError, formError } from '../ui/failure.ts'
import { Choice, Field } from '../ui/field.tsx'
import { formMaybe, formText, useForm } from '../ui/form.ts'
import { FormProblem } from '../ui/form-problem.tsx'
import { Dialog } from '../ui/layers/dialog.tsx'
import { say } from '../ui/layers/toasts.ts'
import { type Answer, AnswerDetails, answerFieldNames, answerIn, answers } from './answer-fields.tsx'
import { answerKey, answersKey } from './keys.ts'

export type GuestAnswer = Awaited<ReturnType<typeof api.plans.listAnswers>>['data'][number]

type Props = {
  event: Event
  /** Whose answer it is; without it, somebody is added. */
  guest?: GuestAnswer | undefined
  onClose(): void
}

/** A host enters or changes somebody's answer, or adds somebody who has no device. */
export const AnswerForDialog = ({ event, guest, onClose }: Props) => {
  const { t } = useWords()
  const save = useAnswerFor({ event, guest, onClose })
  const wrong = (field: string) => fieldError(save.error, field)
  const named = !guest || guest.person_added
  const names = named ? ['user_first_name', 'user_last_name'] : []
  return (
    <Dialog
      open
      onClose={onClose}
      title={guest ? nameOf(guest.user) : t('answer.add')}
      about={guest ? undefined : t('answer.addAbout')}
    >
      <form onSubmit={useForm(save.mutate)} className="grid gap-4 py-2">
        <FormProblem text={formError(save.error, [...names, ...answerFieldNames])} />
        {named && (
          <>
            <Field
              name="user_first_name"
              label={t('field.firstName')}
              defaultValue={guest?.user.user_first_name}
              maxLength={100}
              dir="auto"
              required
              error={wrong('user_first_name')}
            />
            <Field
              name="user_last_name"
              label={t('field.lastName')}
              defaultValue={guest?.user.user_last_name ?? ''}
              maxLength={100}
              dir="auto"
              error={wrong('user_last_name')}
            />
          </>
        )}
        <Choice
          name="event_answer"
          label={t('answer.theirs')}
          defaultValue={guest?.event_answer ?? 'going'}
          error={wrong('event_answer')}
        >
          {answers.map(each => (
            <option key={each} value={each}>
              {t(`answer.${each}`)}
            </option>
          ))}
        </Choice>
        <AnswerDetails given={guest} most={event.extra.event_plus_ones_max} error={save.error} />
        <Button type="submit" busy={save.isPending}>
          {t('common.save')}
        </Button>
      </form>
      {guest?.answer_place === 'line' && <MoveUp event={event} guest={guest} onClose={onClose} />}
    </Dialog>
  )
}

/** To the front of the waitlist, for a reason. */
const MoveUp = ({ event: { id: event_id }, guest: { user }, onClose }: Props & { guest: GuestAnswer }) => {
  const { t } = useWords()
  const { error, isPending, mutate } = useAnswersAct(event_id, onClose, (form: FormData) =>
    api.plans.moveUp({ event_id, user_id: user.id, move_reason: formText(form, 'move_reason') }),
  )
  return (
    <form onSubmit={useForm(mutate)} className="grid gap-4 border-t border-line pt-4">
      <FormProblem text={formError(error, ['move_reason'])} />
      <Field
        name="move_reason"
        label={t('answer.moveReason')}
        maxLength={200}
        dir="auto"
        required
        error={fieldError(error, 'move_reason')}
      />
      <Button type="submit" look="quiet" busy={isPending}>
        {t('answer.moveUp')}
      </Button>
    </form>
  )
}

const useAnswerFor = ({ event: { id: event_id }, guest, onClose }: Props) =>
  useAnswersAct(event_id, onClose, (form: FormData) => {
    const given = { event_id, event_answer: formText(form, 'event_answer') as Answer, ...answerIn(form) }
    const answered_at = guest?.answered_at ?? new Date(0).toISOString()
    const theirs = { ...given, ...(guest && { user_id: guest.user.id, answered_at }) }
    if (guest && !guest.person_added) return api.plans.answerEvent(theirs)
    const user_first_name = formText(form, 'user_first_name')
    return api.plans.addPerson({ ...theirs, user_first_name, user_last_name: formMaybe(form, 'user_last_name') })
  })

const useAnswersAct = (eventId: number, onClose: () => void, mutationFn: (form: FormData) => Promise<unknown>) => {
  const { t } = useWords()
  const client = useQueryClient()
  return useMutation({
    mutationFn,
    onSuccess: () => {
      say(t('common.saved'))
      onClose()
    },
    onSettled: () =>
      Promise.all([answerKey, answersKey].map(keyOf => client.invalidateQueries({ queryKey: keyOf(eventId) }))),
  })
}
