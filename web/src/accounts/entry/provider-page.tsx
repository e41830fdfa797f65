import { useMutation } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { api } from '../../app/net/client.ts'
import { Link, navigate } from '../../app/router/router.tsx'
import { begin, thisDevice } from '../../app/session.ts'
import { useWords, type Word } from '../../app/words.ts'
import { Button } from '../../ui/button.tsx'
import { fieldError, fieldFault, formError } from '../../ui/failure.ts'
import { Field } from '../../ui/field.tsx'
import { formText, useForm } from '../../ui/form.ts'
import { FormProblem } from '../../ui/form-problem.tsx'
import { welcomeBack } from '../deleted-account.ts'
import { Coming } from './provider-return.tsx'
import { type CameBack, useComeBack } from './provider-sign-in.ts'

const asked: Record<string, Word> = {
  user_first_name: 'field.firstName',
  user_last_name: 'field.lastName',
  user_username: 'field.username',
  user_email: 'field.email',
}

/** Where a provider sends back to: signs in, or asks for what the provider did not supply about a new user. */
export const ProviderPage = () => {
  const { t } = useWords()
  const { proof, problem: refused, next } = useComeBack()
  const { finish, missing } = useSigningIn(proof, next)
  const send = (form: FormData) =>
    finish.mutate(Object.fromEntries(missing.map(field => [field, formText(form, field)])))
  const onSubmit = useForm(send)
  const problem = refused === 'denied' ? t('provider.denied') : proof ? undefined : t('provider.failed')

  if (!problem && !finish.isError && missing.length === 0) return <Coming />
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
          error={fieldFault(finish.error, field)}
          dir="auto"
        />
      ))}
      {missing.length > 0 && (
        <Button type="submit" size="large" busy={finish.isPending}>
          {t('register.act')}
        </Button>
      )}
      <Link
        to="/sign-in"
        search={{ next }}
        className="flex min-h-11 items-center justify-center text-center font-semibold text-ember"
      >
        {t('recovery.back')}
      </Link>
    </form>
  )
}

/** Signs in as whom the provider proved. */
const useSigningIn = (proof: CameBack['proof'], next: CameBack['next']) => {
  /** The fields requested by the service; they stay visible while it checks them. */
  const [missing, setMissing] = useState<string[]>([])
  const finish = useMutation({
    mutationFn: (fields: Record<string, string>) =>
      api.providers.finishProviderSignIn({
        ...(proof ?? { provider_code: '', provider_verifier: '' }),
        ...fields,
        ...thisDevice(),
      }),
    onError: error => {
      const lacks = Object.keys(asked).filter(field => fieldError(error, field))
      if (lacks.length > 0) setMissing(lacks)
    },
    onSuccess: async reply => {
      begin(reply)
      welcomeBack(reply.user.id)
      await navigate({ href: next ?? '/', replace: true })
    },
  })
  const { mutate } = finish
  useEffect(() => {
    if (proof) mutate({})
  }, [proof, mutate])
  return { finish, missing }
}
