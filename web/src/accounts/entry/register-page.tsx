import { useMutation } from '@tanstack/react-query'
import { type FormEvent, useRef } from 'react'
import { api } from '../../app/net/client.ts'
import { Link, useSearch } from '../../app/router/router.tsx'
import { begin, thisDevice } from '../../app/session.ts'
import { useWords } from '../../app/words.ts'
import { useRegistration } from '../../people/registration.ts'
import { Button } from '../../ui/button.tsx'
import { useDraft } from '../../ui/draft.ts'
import { fieldError, formError } from '../../ui/failure.ts'
import { Field } from '../../ui/field.tsx'
import { formText, useForm } from '../../ui/form.ts'
import { FormProblem } from '../../ui/form-problem.tsx'
import { EmailField, UsernameField } from '../account-fields.tsx'
import { NewPasswordField } from '../new-password-field.tsx'
import { ownAccountType } from './login-options.ts'
import { nextOf } from './next.ts'
import { ProviderButtons } from './provider-buttons.tsx'
import { usernameFrom } from './username.ts'

const fields = ['user_first_name', 'user_last_name', 'user_username', 'user_email', 'user_password'] as const

export const RegisterPage = () => {
  const { t } = useWords()
  const search = useSearch(nextOf)
  const registration = useRegistration()
  return (
    <div className="grid gap-4">
      <title>{`${t('register.title')} · Afterglow`}</title>
      <h2 className="font-display text-xl font-semibold">{t('register.title')}</h2>
      {registration === 'open' ? (
        <RegisterForm />
      ) : (
        <p className="text-pretty text-soft">{t(`register.${registration}`)}</p>
      )}
      <p className="text-center text-soft">
        {t('register.known')}{' '}
        <Link to="/sign-in" search={search} className="font-semibold text-ember underline-offset-4 hover:underline">
          {t('signIn.act')}
        </Link>
      </p>
    </div>
  )
}

const RegisterForm = () => {
  const { t } = useWords()
  const search = useSearch(nextOf)
  const { suggest, choose } = useSuggestedUsername()
  const draft = useDraft('register')
  const register = useRegistering(() => draft.keep(''))
  const error = (field: (typeof fields)[number]) => fieldError(register.error, field)
  return (
    <form ref={draft.form} onSubmit={useForm(register.mutate)} className="grid gap-4">
      <FormProblem text={formError(register.error, fields)} />
      <div className="grid gap-4 sm:grid-cols-2">
        <Field
          name="user_first_name"
          label={t('field.firstName')}
          autoComplete="given-name"
          required
          maxLength={100}
          error={error('user_first_name')}
          dir="auto"
          onInput={suggest}
        />
        <Field
          name="user_last_name"
          label={t('field.lastName')}
          autoComplete="family-name"
          required
          maxLength={100}
          error={error('user_last_name')}
          dir="auto"
          onInput={suggest}
        />
      </div>
      <UsernameField onInput={choose} error={error('user_username')} />
      <EmailField error={error('user_email')} />
      <NewPasswordField label={t('field.password')} failure={register.error} />
      <Button type="submit" size="large" busy={register.isPending}>
        {t('register.act')}
      </Button>
      <ProviderButtons next={search.next} />
    </form>
  )
}

const useRegistering = (onDone: () => void) =>
  useMutation({
    mutationFn: (form: FormData) => {
      const password = formText(form, 'user_password')
      return api.accounts.register({
        user_first_name: formText(form, 'user_first_name'),
        user_last_name: formText(form, 'user_last_name'),
        user_username: formText(form, 'user_username'),
        user_email: formText(form, 'user_email'),
        user_password: password,
        user_password_confirmation: password,
        user_login_option_type: ownAccountType,
        ...thisDevice(),
      })
    },
    onSuccess: signedIn => {
      onDone()
      begin(signedIn)
    },
  })

/**
 * Made of the names while they are typed, so that nothing appears under somebody's fingers, until they choose one
 * themselves.
 */
const useSuggestedUsername = () => {
  const chosen = useRef(false)
  const choose = (event: FormEvent<HTMLInputElement>) => {
    chosen.current = event.currentTarget.value !== ''
  }
  const suggest = ({ currentTarget: { form } }: FormEvent<HTMLInputElement>) => {
    if (chosen.current) return
    const named = (name: string) => form?.elements.namedItem(name) as HTMLInputElement | null
    const username = named('user_username')
    if (username)
      username.value = usernameFrom(named('user_first_name')?.value ?? '', named('user_last_name')?.value ?? '')
  }
  return { suggest, choose }
}
