import { useMutation } from '@tanstack/react-query'
import { api } from '../../app/net/client.ts'
import { navigate, useSearch } from '../../app/router/router.tsx'
import { end } from '../../app/session.ts'
import { useWords } from '../../app/words.ts'
import { Button } from '../../ui/button.tsx'
import { fieldError, formError } from '../../ui/failure.ts'
import { Field } from '../../ui/field.tsx'
import { formText, useForm } from '../../ui/form.ts'
import { FormProblem } from '../../ui/form-problem.tsx'
import { say } from '../../ui/layers/toasts.ts'
import { NewPasswordField } from '../new-password-field.tsx'
import { useMailedCode } from './mailed-code.ts'
import { nextOf } from './next.ts'

export const ResetPage = () => {
  const { t } = useWords()
  const code = useMailedCode()
  const search = useSearch(nextOf)
  const reset = useMutation({
    mutationFn: (form: FormData) =>
      api.recovery.resetPassword({
        reset_code: code || formText(form, 'reset_code'),
        user_password: formText(form, 'user_password'),
        user_password_confirmation: formText(form, 'user_password'),
      }),
    onSuccess: async () => {
      say(t('password.changed'))
      // Every session has ended, including this browser's.
      end()
      await navigate({ to: '/sign-in', search })
    },
  })
  return (
    <form onSubmit={useForm(reset.mutate)} className="grid gap-4">
      <title>{`${t('recovery.newPassword')} · Afterglow`}</title>
      <h2 className="font-display text-xl font-semibold">{t('recovery.newPassword')}</h2>
      <FormProblem text={formError(reset.error, ['user_password', ...(code ? [] : ['reset_code'])])} />
      {!code && (
        <Field
          name="reset_code"
          label={t('recovery.code')}
          required
          autoComplete="one-time-code"
          error={fieldError(reset.error, 'reset_code')}
        />
      )}
      <NewPasswordField label={t('password.new')} failure={reset.error} />
      <Button type="submit" size="large" busy={reset.isPending}>
        {t('common.save')}
      </Button>
    </form>
  )
}
