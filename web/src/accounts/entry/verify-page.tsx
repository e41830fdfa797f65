import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { api } from '../../app/net/client.ts'
import { navigate } from '../../app/router/router.tsx'
import { useWords } from '../../app/words.ts'
import { Button } from '../../ui/button.tsx'
import { fieldError, formError, sayFailure } from '../../ui/failure.ts'
import { Field } from '../../ui/field.tsx'
import { formText, useForm } from '../../ui/form.ts'
import { FormProblem } from '../../ui/form-problem.tsx'
import { say } from '../../ui/layers/toasts.ts'
import { PageHeader } from '../../ui/page-header.tsx'
import { accountKey, useAccount } from '../queries.ts'
import { useMailedCode } from './mailed-code.ts'

/** Verifies an e-mail address with the code mailed to it; automatically by the mailed link. */
export const VerifyPage = () => {
  const { t } = useWords()
  const client = useQueryClient()
  const account = useAccount()
  const code = useMailedCode()
  const verify = useMutation({
    mutationFn: (verification_code: string) => api.recovery.verifyEmail({ verification_code }),
    onSuccess: async account => {
      client.setQueryData(accountKey, account)
      say(t('verify.done'))
      await navigate({ to: '/settings', replace: true })
    },
  })
  const again = useMutation({
    mutationFn: () => api.recovery.resendVerification(),
    onSuccess: () => say(t('recovery.sent')),
    onError: sayFailure,
  })
  const { mutate } = verify
  useEffect(() => {
    if (code) mutate(code)
  }, [code, mutate])
  return (
    <>
      <title>{`${t('verify.title')} · Afterglow`}</title>
      <PageHeader title={t('verify.title')} back={{ to: '/settings' }} />
      <form
        onSubmit={useForm(form => verify.mutate(formText(form, 'code')))}
        className="mx-auto grid grid-cols-1 max-w-md gap-4 px-4 py-6"
      >
        <p className="text-pretty text-soft">{t('verify.about', { email: account?.user_email ?? '…' })}</p>
        <FormProblem text={formError(verify.error, ['verification_code'])} />
        <Field
          name="code"
          label={t('recovery.code')}
          defaultValue={code}
          required
          autoComplete="one-time-code"
          error={fieldError(verify.error, 'verification_code')}
        />
        <Button type="submit" size="large" busy={verify.isPending}>
          {t('verify.act')}
        </Button>
        <Button look="bare" busy={again.isPending} onClick={() => again.mutate()}>
          {t('verify.again')}
        </Button>
      </form>
    </>
  )
}
