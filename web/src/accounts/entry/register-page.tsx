import { AfterglowError } from '@afterglow/sdk/methods'
import { useMutation } from '@tanstack/react-query'
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
import { EmailField } from '../account-fields.tsx'
import { NewPasswordField } from '../new-password-field.tsx'
import { ownAccountType } from './login-options.ts'
import { nextOf } from './next.ts'
import { ProviderButtons } from './provider-buttons.tsx'
import { another, usernameFrom } from './username.ts'

const names = ['user_first_name', 'user_last_name'] as const
const fields = [...names, 'user_email', 'user_password'] as const

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
  const draft = useDraft('register')
  const register = useRegistering(() => draft.keep(''))
  const error = (field: (typeof fields)[number]) => fieldError(register.error, field)
  return (
    <form ref={draft.form} onSubmit={useForm(register.mutate)} className="grid gap-4">
      <FormProblem text={formError(register.error, fields)} />
      <Field
        name="name"
        label={t('links.yourName')}
        autoComplete="name"
        required
        pattern=".*\S\s+\S.*"
        title={t('field.nameHint')}
        maxLength={200}
        error={names.map(error).find(Boolean)}
        dir="auto"
      />
      <EmailField error={error('user_email')} />
      <NewPasswordField label={t('field.password')} failure={register.error} />
      <Button type="submit" size="large" busy={register.isPending}>
        {t('register.act')}
      </Button>
      <ProviderButtons next={search.next} />
    </form>
  )
}

/** Everybody has a username, which is made here and can be changed in the profile. */
const useRegistering = (onDone: () => void) =>
  useMutation({
    mutationFn: (form: FormData) => {
      const password = formText(form, 'user_password')
      const [first = '', ...rest] = formText(form, 'name').trim().split(/\s+/)
      const email = formText(form, 'user_email')
      const account = {
        user_first_name: first,
        user_last_name: rest.join(' '),
        user_email: email,
        user_password: password,
        user_password_confirmation: password,
        user_login_option_type: ownAccountType,
        ...thisDevice(),
      }
      return underFreeName(usernameFrom(`${first} ${rest.join(' ')}`, email), user_username =>
        api.accounts.register({ ...account, user_username }),
      )
    },
    onSuccess: signedIn => {
      onDone()
      begin(signedIn)
    },
  })

const namesTried = 4

/** Registers under another username while somebody else has this one, or nobody may. */
const underFreeName = async <Result,>(username: string, register: (username: string) => Promise<Result>) => {
  for (let tried = 1; ; tried++)
    try {
      return await register(tried === 1 ? username : another(username))
    } catch (error) {
      const refused = error instanceof AfterglowError ? Object.keys(error.fields) : []
      if (tried === namesTried || refused.length !== 1 || refused[0] !== 'user_username') throw error
    }
}
