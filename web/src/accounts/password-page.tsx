import { useMutation } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { api } from '../app/client.ts'
import { useWords } from '../app/words.ts'
import { Button } from '../ui/button.tsx'
import { formError } from '../ui/failing.ts'
import { Field } from '../ui/field.tsx'
import { formText, useForm } from '../ui/form.ts'
import { FormProblem } from '../ui/form-problem.tsx'
import { PageHeader } from '../ui/page-header.tsx'
import { say } from '../ui/toasts.ts'
import { NewPasswordField } from './new-password-field.tsx'

export const PasswordPage = () => {
  const { t } = useWords()
  const navigate = useNavigate()
  const change = useMutation({
    mutationFn: (form: FormData) =>
      api.accounts.updatePassword({
        current_password: formText(form, 'current_password'),
        user_password: formText(form, 'user_password'),
        user_password_confirmation: formText(form, 'user_password'),
      }),
    onSuccess: () => {
      say(t('password.changed'))
      void navigate({ to: '/settings' })
    },
  })
  return (
    <>
      <title>{`${t('password.title')} · Afterglow`}</title>
      <PageHeader title={t('password.title')} back={{ to: '/settings' }} backOnDesktop />
      <form onSubmit={useForm(change.mutate)} className="mx-auto grid max-w-md gap-4 px-4 py-6">
        <p className="text-soft">{t('password.about')}</p>
        <FormProblem text={formError(change.error, ['user_password'])} />
        <Field
          name="current_password"
          type="password"
          label={t('password.current')}
          autoComplete="current-password"
          required
        />
        <NewPasswordField label={t('password.new')} failure={change.error} />
        <Button type="submit" size="large" busy={change.isPending}>
          {t('common.save')}
        </Button>
      </form>
    </>
  )
}
