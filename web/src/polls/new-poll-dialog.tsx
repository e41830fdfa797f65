import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { api } from '../app/net/client.ts'
import { newSecret } from '../app/secret.ts'
import { momentOf, ownZone, wallTime } from '../app/time-zones.ts'
import { useWords } from '../app/words.ts'
import { Button } from '../ui/button.tsx'
import { useDraft } from '../ui/draft.ts'
import { fieldError, formError } from '../ui/failure.ts'
import { DateTimeField, Field } from '../ui/field.tsx'
import { formMaybe, formText, useForm } from '../ui/form.ts'
import { FormProblem } from '../ui/form-problem.tsx'
import { Dialog } from '../ui/layers/dialog.tsx'
import { Switch } from '../ui/switch.tsx'

type Made = Awaited<ReturnType<typeof api.polls.makePoll>>
type Props = { chatId: number; onMade(message: Made): void; onClose(): void }

/** Creates a poll in a chat. */
export const NewPollDialog = ({ chatId, onMade, onClose }: Props) => {
  const { t } = useWords()
  const written = useChoices()
  const { choices, filled } = written
  const [several, setSeveral] = useState(false)
  const [anonymous, setAnonymous] = useState(false)
  const [idempotencyKey] = useState(newSecret)
  const draft = useDraft(`poll.${chatId}`)
  const make = useMutation({
    mutationFn: (form: FormData) => {
      const poll = {
        poll_choices: filled.map(at => choices[at] ?? ''),
        poll_multiple: several,
        poll_anonymous: anonymous,
      }
      return api.polls.makePoll({ group_chat_id: chatId, ...questionIn(form), ...poll }, { idempotencyKey })
    },
    onSuccess: made => {
      draft.keep('')
      onMade(made)
    },
  })
  const { error } = make
  const names = ['message_content', 'poll_choices', ...filled.map((_, n) => `poll_choices.${n}`), 'poll_closes_at']
  return (
    <Dialog open title={t('poll.make')} onClose={onClose}>
      <form ref={draft.form} onSubmit={useForm(make.mutate)} className="grid grid-cols-1 gap-4 pt-2">
        <FormProblem text={formError(error, names)} />
        <Field
          name="message_content"
          label={t('poll.question')}
          required
          maxLength={1000}
          dir="auto"
          error={fieldError(error, 'message_content')}
        />
        <ChoiceFields {...written} error={error} />
        <Switch name="poll_multiple" label={t('poll.several')} checked={several} onChange={setSeveral} />
        <Switch name="poll_anonymous" label={t('poll.anonymous')} checked={anonymous} onChange={setAnonymous} />
        <DateTimeField
          name="poll_closes_at"
          label={t('poll.closes')}
          hint={t('poll.closesHint')}
          min={wallTime(new Date(), ownZone())}
          error={fieldError(error, 'poll_closes_at')}
        />
        <Button type="submit" busy={make.isPending}>
          {t('poll.send')}
        </Button>
      </form>
    </Dialog>
  )
}

const questionIn = (form: FormData) => {
  const closes = formMaybe(form, 'poll_closes_at')
  return {
    message_content: formText(form, 'message_content'),
    poll_closes_at: closes && momentOf(closes, ownZone()).toISOString(),
  }
}

const choicesMax = 12

/** The choices of a new poll: always with one more to fill. */
const useChoices = () => {
  const [choices, setChoices] = useState(['', ''])
  /** The indexes of the filled ones. */
  const filled = choices.flatMap((choice, at) => (choice.trim() ? [at] : []))
  const write = (at: number, text: string) => {
    const now = choices.map((choice, each) => (each === at ? text : choice))
    setChoices(now.at(-1)?.trim() && now.length < choicesMax ? [...now, ''] : now)
  }
  return { choices, filled, write }
}

const ChoiceFields = ({ choices, filled, write, error }: ReturnType<typeof useChoices> & { error: unknown }) => {
  const { t } = useWords()
  return choices.map((choice, at) => (
    <Field
      // biome-ignore lint/suspicious/noArrayIndexKey: a choice is identified by its place.
      key={at}
      name="poll_choices"
      label={t('poll.choice', { number: at + 1 })}
      value={choice}
      onChange={({ target }) => write(at, target.value)}
      required={at < 2}
      maxLength={200}
      dir="auto"
      error={
        fieldError(error, `poll_choices.${filled.indexOf(at)}`) ??
        (at === filled.at(-1) ? fieldError(error, 'poll_choices') : undefined)
      }
    />
  ))
}
