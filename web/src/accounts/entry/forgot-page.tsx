import { useMutation } from '@tanstack/react-query'
import { MailCheck } from 'lucide-react'
import { api } from '../../app/net/client.ts'
import { Link, useSearch } from '../../app/router/router.tsx'
import { useWords } from '../../app/words.ts'
import { Button } from '../../ui/button.tsx'
import { fieldError, formError } from '../../ui/failure.ts'
import { formText, useForm } from '../../ui/form.ts'
import { FormProblem } from '../../ui/form-problem.tsx'
import { EmailField } from '../account-fields.tsx'
import { nextOf } from './next.ts'

export const ForgotPage = () => {
  const { t } = useWords()
  const search = useSearch(nextOf)
  const ask = useMutation({
    mutationFn: (form: FormData) => api.recovery.forgotPassword({ user_email: formText(form, 'user_email') }),
  })
  const onSubmit = useForm(ask.mutate)
  if (ask.isSuccess)
    return (
      <div className="grid justify-items-center gap-3 text-center" role="status">
        <MailCheck className="size-12 text-ember" strokeWidth={1.5} />
        <h2 className="font-display text-xl font-semibold">{t('recovery.sent')}</h2>
        <p className="text-soft">{t('recovery.sentMore')}</p>
        <Link to="/reset-password" search={search} className="font-semibold text-ember">
          {t('recovery.enterCode')}
        </Link>
      </div>
    )
  return (
    <form onSubmit={onSubmit} className="grid gap-4">
      <title>{`${t('recovery.title')} · Afterglow`}</title>
      <h2 className="font-display text-xl font-semibold">{t('recovery.title')}</h2>
      <p className="text-soft">{t('recovery.about')}</p>
      <FormProblem text={formError(ask.error, ['user_email'])} />
      <EmailField error={fieldError(ask.error, 'user_email')} />
      <Button type="submit" size="large" busy={ask.isPending}>
        {t('recovery.send')}
      </Button>
      <Link
        to="/sign-in"
        search={search}
        className="flex min-h-11 items-center justify-center text-center font-semibold text-ember"
      >
        {t('recovery.back')}
      </Link>
    </form>
  )
}
