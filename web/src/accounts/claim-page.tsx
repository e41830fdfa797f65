import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { api } from '../app/client.ts'
import { useWords } from '../app/words.ts'
import { Button } from '../ui/button.tsx'
import { fieldError, formError } from '../ui/failing.ts'
import { Field } from '../ui/field.tsx'
import { formMaybe, formText, useForm } from '../ui/form.ts'
import { FormProblem } from '../ui/form-problem.tsx'
import { PageHeader } from '../ui/page-header.tsx'
import { say } from '../ui/toasts.ts'
import { NewPasswordField } from './new-password-field.tsx'
import { accountKey } from './queries.ts'

const fields = ['user_email', 'user_username', 'user_password']

/** Makes a guest's account one to come back to, with everything it has. */
export const ClaimPage = () => {
  const { t } = useWords()
  const navigate = useNavigate()
  const client = useQueryClient()
  const claim = useMutation({
    mutationFn: (form: FormData) =>
      api.accounts.claimAccount({
        user_email: formText(form, 'user_email'),
        user_username: formMaybe(form, 'user_username'),
        user_password: formText(form, 'user_password'),
        user_password_confirmation: formText(form, 'user_password'),
      }),
    onSuccess: async account => {
      client.setQueryData(accountKey, account)
      say(t('claim.done'))
      await navigate({ to: '/settings', replace: true })
    },
  })
  const error = (field: string) => fieldError(claim.error, field)
  return (
    <>
      <title>{`${t('claim.title')} · Afterglow`}</title>
      <PageHeader title={t('claim.title')} back={{ to: '/settings' }} backOnDesktop />
      <form onSubmit={useForm(claim.mutate)} className="mx-auto grid max-w-md gap-4 px-4 py-6">
        <p className="text-soft">{t('claim.about')}</p>
        <FormProblem text={formError(claim.error, fields)} />
        <Field
          name="user_email"
          type="email"
          label={t('field.email')}
          autoComplete="email"
          required
          error={error('user_email')}
        />
        <Field
          name="user_username"
          label={t('field.username')}
          hint={t('field.usernameHint')}
          autoComplete="username"
          autoCapitalize="none"
          spellCheck={false}
          error={error('user_username')}
        />
        <NewPasswordField label={t('field.password')} failure={claim.error} />
        <Button type="submit" size="large" busy={claim.isPending}>
          {t('claim.act')}
        </Button>
      </form>
    </>
  )
}
