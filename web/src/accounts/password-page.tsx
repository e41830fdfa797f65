import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { api } from '../app/net/client.ts'
import { navigate } from '../app/router/router.tsx'
import { useWords } from '../app/words.ts'
import { useRegistration } from '../people/registration.ts'
import { Button } from '../ui/button.tsx'
import { formError, sayFailure } from '../ui/failure.ts'
import { formText, useForm } from '../ui/form.ts'
import { FormProblem } from '../ui/form-problem.tsx'
import { say } from '../ui/layers/toasts.ts'
import { PageHeader } from '../ui/page-header.tsx'
import { Skeleton } from '../ui/skeleton.tsx'
import { Switch } from '../ui/switch.tsx'
import { CurrentPasswordField } from './account-fields.tsx'
import { AccountHint, guestStatus } from './account-hint.tsx'
import { ownAccountType } from './entry/login-options.ts'
import { NewPasswordField } from './new-password-field.tsx'
import { type Account, useAccount } from './queries.ts'

export const PasswordPage = () => {
  const { t } = useWords()
  const account = useAccount()
  const closed = useRegistration() === 'closed'
  const has = account?.user_login_options.some(option => option.user_login_option_type === ownAccountType)
  return (
    <>
      <title>{`${t('password.title')} · Afterglow`}</title>
      <PageHeader title={t('password.title')} back={{ to: '/settings' }} />
      <div className="mx-auto max-w-md px-4 py-6">
        {!account ? (
          <Skeleton className="h-72" />
        ) : account.user_status === guestStatus ? (
          <AccountHint account={account} closed={closed} />
        ) : has ? (
          <Change />
        ) : (
          <FirstPassword account={account} />
        )}
      </div>
    </>
  )
}

const Change = () => {
  const { t } = useWords()
  const [keepsCalendar, setKeepsCalendar] = useState(false)
  const change = useMutation({
    mutationFn: (form: FormData) =>
      api.accounts.updatePassword({
        current_password: formText(form, 'current_password'),
        user_password: formText(form, 'user_password'),
        user_password_confirmation: formText(form, 'user_password'),
        keep_calendar: keepsCalendar,
      }),
    onSuccess: () => {
      say(t('password.changed'))
      void navigate({ to: '/settings' })
    },
  })
  return (
    <form onSubmit={useForm(change.mutate)} className="grid gap-4">
      <p className="text-soft">{t('password.about')}</p>
      <FormProblem text={formError(change.error, ['user_password'])} />
      <CurrentPasswordField name="current_password" />
      <NewPasswordField label={t('password.new')} failure={change.error} />
      <Switch label={t('password.keepCalendar')} checked={keepsCalendar} onChange={setKeepsCalendar} />
      <Button type="submit" size="large" busy={change.isPending}>
        {t('common.save')}
      </Button>
    </form>
  )
}

/** Users who only have a provider set a password as if they forgot it: with a code that proves the mailbox. */
const FirstPassword = ({ account }: { account: Account }) => {
  const { t } = useWords()
  const ask = useMutation({
    mutationFn: () => api.recovery.forgotPassword({ user_email: account.user_email }),
    onSuccess: () => navigate({ to: '/reset-password' }),
    onError: sayFailure,
  })
  return (
    <div className="grid gap-4">
      <p className="text-pretty text-soft">{t('password.none', { email: account.user_email })}</p>
      <Button size="large" busy={ask.isPending} onClick={() => ask.mutate()}>
        {t('recovery.send')}
      </Button>
    </div>
  )
}
