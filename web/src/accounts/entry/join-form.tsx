import { useWords } from '../../app/words.ts'
import { type Answer, AnswerDetails, AnswerFold, answerFieldNames } from '../../plans/answer-fields.tsx'
import { Button } from '../../ui/button.tsx'
import { useDraft } from '../../ui/draft.ts'
import { fieldError, formError } from '../../ui/failure.ts'
import { Field } from '../../ui/field.tsx'
import { formText, useForm } from '../../ui/form.ts'
import { FormProblem } from '../../ui/form-problem.tsx'
import type { OpenedLink } from './opened-link.ts'
import { PinField } from './pin-field.tsx'

const fields = ['user_first_name', 'user_last_name', 'pin', ...answerFieldNames]

type Props = {
  code: string
  opened: OpenedLink
  signedIn: boolean
  answer: Answer | undefined
  busy: boolean
  error: unknown
  come(form: FormData): void
}

/** What the link, the event and the answer ask for; sending it is joining. */
export const JoinForm = ({ code, opened, signedIn, answer, busy, error, come }: Props) => {
  const { t } = useWords()
  const draft = useDraft(`join.${code}`)
  return (
    <form ref={draft.form} onSubmit={useForm(form => come(named(form)))} className="grid grid-cols-1 gap-4">
      <FormProblem text={formError(error, fields)} />
      {!signedIn && (
        <Field
          name="user_name"
          label={t('links.yourName')}
          hint={t('invitation.free')}
          autoComplete="name"
          required
          maxLength={100}
          dir="auto"
          error={fieldError(error, 'user_first_name') ?? fieldError(error, 'user_last_name')}
        />
      )}
      {opened.link_pin_required && <PinField error={error} />}
      {answer && (
        <>
          <input type="hidden" name="event_answer" value={answer} />
          <AnswerFold>
            <div className="grid grid-cols-1 gap-4">
              <AnswerDetails error={error} />
            </div>
          </AnswerFold>
        </>
      )}
      <Button type="submit" size="large" busy={busy}>
        {t('composer.send')}
      </Button>
    </form>
  )
}

/** One field asks for the name: what follows its first word is the last name. */
const named = (form: FormData) => {
  const [first = '', ...last] = formText(form, 'user_name').trim().split(/\s+/)
  form.set('user_first_name', first)
  form.set('user_last_name', last.join(' '))
  return form
}
