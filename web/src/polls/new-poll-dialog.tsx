import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { api } from '../app/net/client.ts'
import { newSecret } from '../app/secret.ts'
import { useWords } from '../app/words.ts'
import { momentOf, ownZone, wallTime } from '../app/zoned.ts'
import { Button } from '../ui/button.tsx'
import { fieldError, formError } from '../ui/failure.ts'
import { Field } from '../ui/field.tsx'
import { formMaybe, formText, useForm } from '../ui/form.ts'
import { FormProblem } from '../ui/form-problem.tsx'
import { Dialog } from '../ui/layers/dialog.tsx'
import { Switch } from '../ui/switch.tsx'

const choicesMax = 12

type Made = Awaited<ReturnType<typeof api.polls.makePoll>>
type Props = { chatId: number; onMade(message: Made): void; onClose(): void }

/** Where somebody asks everybody in a chat. */
export const NewPollDialog = ({ chatId, onMade, onClose }: Props) => {
  const { t } = useWords()
  const [choices, setChoices] = useState(['', ''])
  const [several, setSeveral] = useState(false)
  const [anonymous, setAnonymous] = useState(false)
  const [idempotencyKey] = useState(newSecret)
  const filled = choices.flatMap((choice, at) => (choice.trim() ? [at] : []))
  const make = useMutation({
    mutationFn: (form: FormData) => {
      const closes = formMaybe(form, 'poll_closes_at')
      return api.polls.makePoll(
        {
          group_chat_id: chatId,
          message_content: formText(form, 'message_content'),
          poll_choices: filled.map(at => choices[at] ?? ''),
          poll_multiple: several,
          poll_anonymous: anonymous,
          poll_closes_at: closes && momentOf(closes, ownZone()).toISOString(),
        },
        { idempotencyKey },
      )
    },
    onSuccess: onMade,
  })
  const { error } = make
  const write = (at: number, text: string) => {
    const now = choices.map((choice, each) => (each === at ? text : choice))
    // There is always one more to fill.
    setChoices(now.at(-1)?.trim() && now.length < choicesMax ? [...now, ''] : now)
  }
  const names = ['message_content', 'poll_choices', ...filled.map((_, n) => `poll_choices.${n}`), 'poll_closes_at']
  return (
    <Dialog open title={t('poll.title')} onClose={onClose}>
      <form onSubmit={useForm(make.mutate)} className="grid grid-cols-1 gap-4 pt-2">
        <FormProblem text={formError(error, names)} />
        <Field
          name="message_content"
          label={t('poll.question')}
          required
          maxLength={1000}
          dir="auto"
          error={fieldError(error, 'message_content')}
        />
        {choices.map((choice, at) => (
          <Field
            // biome-ignore lint/suspicious/noArrayIndexKey: a choice is its place.
            key={at}
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
        ))}
        <Switch label={t('poll.several')} checked={several} onChange={setSeveral} />
        <Switch label={t('poll.anonymous')} checked={anonymous} onChange={setAnonymous} />
        <Field
          name="poll_closes_at"
          type="datetime-local"
          label={t('poll.closes')}
          hint={t('poll.closesHint')}
          min={wallTime(new Date(), ownZone())}
          max="9999-12-31T23:59"
          error={fieldError(error, 'poll_closes_at')}
        />
        <Button type="submit" busy={make.isPending}>
          {t('poll.send')}
        </Button>
      </form>
    </Dialog>
  )
}
