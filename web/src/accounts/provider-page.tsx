import { useMutation } from '@tanstack/react-query'
import { Link, useNavigate } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { api } from '../app/client.ts'
import { begin, thisDevice } from '../app/session.ts'
import { useWords, type Word } from '../app/words.ts'
import { Button } from '../ui/button.tsx'
import { fieldError, formError } from '../ui/failing.ts'
import { Field } from '../ui/field.tsx'
import { formText, useForm } from '../ui/form.ts'
import { FormProblem } from '../ui/form-problem.tsx'
import { Spinner } from '../ui/spinner.tsx'
import { comeBack } from './provider-sign-in.ts'

const asked: Record<string, Word> = {
  user_first_name: 'field.firstName',
  user_last_name: 'field.lastName',
  user_username: 'field.username',
  user_email: 'field.email',
}

/** Where a provider sends back to: signs in, or asks for what the provider did not tell of somebody new. */
export const ProviderPage = () => {
  const { t } = useWords()
  const navigate = useNavigate()
  const [back] = useState(() => comeBack(location.hash))
  const finish = useMutation({
    mutationFn: (fields: Record<string, string>) =>
      api.providers.finishProviderSignIn({
        provider_code: back.code ?? '',
        provider_verifier: back.verifier,
        ...fields,
        ...thisDevice(),
      }),
    onSuccess: async reply => {
      begin(reply)
      await navigate({ href: back.next ?? '/events', replace: true })
    },
  })
  const { mutate } = finish
  useEffect(() => {
    // The code serves once: it must not stay in the history.
    history.replaceState(null, '', location.pathname)
    if (back.code) mutate({})
  }, [back, mutate])
  const missing = Object.keys(asked).filter(field => fieldError(finish.error, field))
  const send = (form: FormData) =>
    finish.mutate(
      Object.fromEntries(
        Object.keys(asked)
          .filter(field => form.has(field))
          .map(field => [field, formText(form, field)]),
      ),
    )
  const onSubmit = useForm(send)
  const problem = back.problem === 'denied' ? t('provider.denied') : !back.code ? t('provider.failed') : undefined

  if (!problem && !finish.isError && missing.length === 0)
    return (
      <div role="status" className="grid justify-items-center gap-3 py-10 text-ember">
        <Spinner className="size-7" />
        <p className="text-soft">{t('common.loading')}</p>
      </div>
    )
  return (
    <form onSubmit={onSubmit} className="grid gap-4">
      <title>{`${t('signIn.title')} · Afterglow`}</title>
      <h2 className="font-display text-xl font-semibold">
        {missing.length > 0 ? t('provider.more') : t('signIn.title')}
      </h2>
      <FormProblem text={problem ?? formError(finish.error, Object.keys(asked))} />
      {missing.map(field => (
        <Field
          key={field}
          name={field}
          label={t(asked[field] as Word)}
          required
          error={fieldError(finish.error, field)}
          dir="auto"
        />
      ))}
      {missing.length > 0 && (
        <Button type="submit" size="large" busy={finish.isPending}>
          {t('register.act')}
        </Button>
      )}
      <Link to="/sign-in" className="text-center font-semibold text-ember">
        {t('recovery.back')}
      </Link>
    </form>
  )
}
