import { useMutation, useQueryClient } from '@tanstack/react-query'
import { ShieldCheck } from 'lucide-react'
import { useEffect } from 'react'
import { api } from '../../app/net/client.ts'
import { navigate } from '../../app/router/router.tsx'
import { forgetReturnKey } from '../../app/storage/return-keys.ts'
import { useWords } from '../../app/words.ts'
import { useRegistration } from '../../people/registration.ts'
import { Button } from '../../ui/button.tsx'
import { fieldError, fieldFault, formError } from '../../ui/failure.ts'
import { formMaybe, formText, useForm } from '../../ui/form.ts'
import { FormProblem } from '../../ui/form-problem.tsx'
import { Intro } from '../../ui/intro.tsx'
import { say } from '../../ui/layers/toasts.ts'
import { PageHeader } from '../../ui/page-header.tsx'
import { EmailField, UsernameField } from '../account-fields.tsx'
import { NewPasswordField } from '../new-password-field.tsx'
import { type Account, accountKey } from '../queries.ts'
import { ProviderButtons } from './provider-buttons.tsx'
import { Coming } from './provider-return.tsx'
import { type CameBack, type Proof, useComeBack } from './provider-sign-in.ts'

/** Turns a guest account into a full one, with everything it has. */
export const ClaimPage = () => {
  const { t } = useWords()
  const { proof, problem } = useComeBack()
  const closed = useRegistration() === 'closed'
  return (
    <>
      <title>{`${t('claim.title')} · Afterglow`}</title>
      <PageHeader title={t('claim.title')} back={{ to: '/settings' }} />
      <div className="mx-auto grid grid-cols-1 max-w-md gap-4 px-4 py-6">
        <Intro icon={ShieldCheck}>{closed ? t('register.closed') : t('claim.about')}</Intro>
        {!closed && (proof ? <ByProvider proof={proof} /> : <ByPassword problem={problem} />)}
      </div>
    </>
  )
}

const useClaimed = () => {
  const { t } = useWords()
  const client = useQueryClient()
  return async (account: Account) => {
    client.setQueryData(accountKey, account)
    forgetReturnKey(account.id)
    say(t('claim.done'))
    await navigate({ to: '/settings', replace: true })
  }
}

const fields = ['user_email', 'user_username', 'user_password']

const ByPassword = ({ problem }: Pick<CameBack, 'problem'>) => {
  const { t } = useWords()
  const claim = useMutation({
    mutationFn: (form: FormData) =>
      api.accounts.claimAccount({
        user_email: formText(form, 'user_email'),
        user_username: formMaybe(form, 'user_username'),
        user_password: formText(form, 'user_password'),
        user_password_confirmation: formText(form, 'user_password'),
      }),
    onSuccess: useClaimed(),
  })
  const error = (field: string) => fieldError(claim.error, field)
  const cameBack = claim.isIdle && problem ? t(`provider.${problem}`) : undefined
  return (
    <form onSubmit={useForm(claim.mutate)} className="grid gap-4">
      <FormProblem text={cameBack ?? formError(claim.error, fields)} />
      <EmailField error={error('user_email')} />
      <UsernameField label={t('claim.username')} required={false} error={error('user_username')} />
      <NewPasswordField label={t('field.password')} failure={claim.error} />
      <Button type="submit" size="large" busy={claim.isPending}>
        {t('claim.act')}
      </Button>
      <ProviderButtons to="/settings/claim" />
    </form>
  )
}

/** The identity was proven; the provider may not have supplied an address, or one that is taken. */
const ByProvider = ({ proof }: { proof: Proof }) => {
  const { t } = useWords()
  const claim = useMutation({
    mutationFn: (user_email: string | undefined) => api.accounts.claimAccount({ ...proof, user_email }),
    onSuccess: useClaimed(),
  })
  const { mutate, error, isPending, isIdle, variables } = claim
  useEffect(() => mutate(undefined), [mutate])
  const onSubmit = useForm(form => mutate(formText(form, 'user_email')))
  if (isIdle || (isPending && variables === undefined)) return <Coming />
  // Nothing that can be typed here would help: another account has the identity, or the sign-in has expired.
  if (error && !fieldError(error, 'user_email'))
    return (
      <div className="grid gap-4">
        <FormProblem
          text={
            fieldError(error, 'user_login_option_unique_identifier') ? t('claim.takenIdentity') : formError(error, [])
          }
        />
        <ProviderButtons to="/settings/claim" alternative={false} />
      </div>
    )
  return (
    <form onSubmit={onSubmit} className="grid gap-4">
      <h2 className="font-display text-xl font-semibold">{t('provider.more')}</h2>
      <EmailField error={fieldFault(error, 'user_email')} />
      <Button type="submit" size="large" busy={isPending}>
        {t('claim.act')}
      </Button>
    </form>
  )
}
