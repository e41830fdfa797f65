import { useQuery } from '@tanstack/react-query'
import { currentVisit } from '../../app/router/history.ts'
import { Link } from '../../app/router/router.tsx'
import { session } from '../../app/session.ts'
import type { AskedReturn } from '../../app/storage/return-requests.ts'
import { useStore } from '../../app/store.ts'
import { useWords } from '../../app/words.ts'
import { isAhead } from '../../events/event-words.ts'
import { AnswerChoice, AnswerDetails, AnswerFold, answerFieldNames } from '../../plans/answer-fields.tsx'
import { Button, buttonClass } from '../../ui/button.tsx'
import { useDraft } from '../../ui/draft.ts'
import { fieldError, formError } from '../../ui/failure.ts'
import { Field } from '../../ui/field.tsx'
import { useForm } from '../../ui/form.ts'
import { FormProblem } from '../../ui/form-problem.tsx'
import { accountQuery } from '../queries.ts'
import { useJoining } from './join-act.ts'
import { NamesakeDialog } from './namesake-dialog.tsx'
import type { OpenedLink } from './opened-link.ts'
import { behindCode } from './page-behind.ts'
import { PinField } from './pin-field.tsx'

const fields = ['user_first_name', 'user_last_name', 'pin', ...answerFieldNames]

/** `isInside`: for somebody in the event, who becomes its photographer. */
type Props = { code: string; opened: OpenedLink; isInside: boolean; onAsked(asked: AskedReturn): void }

/** One's name, what the link and the event ask, and in. */
export const JoinForm = ({ code, opened, isInside, onAsked }: Props) => {
  const { t } = useWords()
  const signedIn = useStore(session) !== undefined
  const { data: account } = useQuery({ ...accountQuery, enabled: signedIn })
  const draft = useDraft(`join.${code}`)
  const { come, namesake, busy, error } = useJoining(code, opened, isInside, () => draft.keep(''))
  const drop = opened.link_kind === 'drop'
  return (
    <form
      ref={draft.form}
      onSubmit={useForm(come)}
      className="grid grid-cols-1 gap-4 rounded-3xl border border-line bg-card p-5 shadow-card"
    >
      <FormProblem text={formError(error, fields)} />
      {!signedIn && <NameFields error={error} />}
      {opened.link_pin_required && <PinField error={error} />}
      {!drop && isAhead(opened) && (
        <>
          <AnswerChoice />
          <AnswerFold>
            <div className="grid grid-cols-1 gap-4">
              <AnswerDetails error={error} />
            </div>
          </AnswerFold>
        </>
      )}
      <Button type="submit" size="large" busy={busy}>
        <span className="min-w-0 wrap-anywhere">
          {isInside
            ? t('links.photograph')
            : account
              ? t('links.joinAs', { name: account.user_first_name })
              : t('join.join')}
        </span>
      </Button>
      {!signedIn && !drop && <AlreadyIn code={code} />}
      {namesake && <NamesakeDialog {...{ code, onAsked }} eventId={opened.event_id} {...namesake} />}
    </form>
  )
}

const NameFields = ({ error }: { error: unknown }) => {
  const { t } = useWords()
  return (
    <>
      <Field
        name="user_first_name"
        label={t('links.yourName')}
        autoComplete="given-name"
        required
        maxLength={100}
        dir="auto"
        error={fieldError(error, 'user_first_name')}
      />
      <Field
        name="user_last_name"
        label={t('links.lastName')}
        autoComplete="family-name"
        maxLength={100}
        dir="auto"
        error={fieldError(error, 'user_last_name')}
      />
    </>
  )
}

/** People without a password are not asked for one: this is how someone signed in on another device continues here. */
const AlreadyIn = ({ code }: { code: string }) => {
  const { t } = useWords()
  const back = { next: behindCode(currentVisit(), code) }
  return (
    <details className="group text-center text-sm">
      <summary className="inline-flex min-h-11 items-center rounded-full px-3 font-semibold text-ember">
        {t('links.already')}
      </summary>
      <div className="grid gap-3 pb-1 text-start">
        <p className="text-pretty text-soft">{t('links.alreadyMore')}</p>
        <Link to="/sign-in" search={back} className={buttonClass('quiet', 'normal')}>
          {t('signIn.act')}
        </Link>
        <Link to="/transfer" search={back} className={buttonClass('quiet', 'normal')}>
          {t('ownCode.have')}
        </Link>
      </div>
    </details>
  )
}
