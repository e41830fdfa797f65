import { useMutation } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { whenIdle } from '../../app/idle.ts'
import { api, statusOf } from '../../app/net/client.ts'
import { loaded } from '../../app/net/network.ts'
import { ours } from '../../app/public-path.ts'
import { Link, useSearch } from '../../app/router/router.tsx'
import { begin, expired, thisDevice } from '../../app/session.ts'
import { useStore } from '../../app/store.ts'
import { useWords } from '../../app/words.ts'
import { useRegistration } from '../../people/registration.ts'
import { Button } from '../../ui/button.tsx'
import { reasonOf } from '../../ui/failure.ts'
import { Field } from '../../ui/field.tsx'
import { formText, useForm } from '../../ui/form.ts'
import { FormProblem } from '../../ui/form-problem.tsx'
import { welcomeBack } from '../deleted-account.ts'
import { LeavingNotice } from '../deleted-account-notice.tsx'
import { GoOn } from './go-on.tsx'
import { KeptLinks } from './kept-links.tsx'
import { ownAccountType } from './login-options.ts'
import { nextOf } from './next.ts'
import { ProviderButtons } from './provider-buttons.tsx'

/** Whether anything of somebody who was signed in here before waits for their return. */
const useUnsent = () => {
  const [unsent, setUnsent] = useState(false)
  useEffect(() => {
    // Nobody has been signed in here yet.
    if (localStorage.getItem(`${ours}.device`) === null) return
    void whenIdle().then(async () => {
      const { holdsUnsent } = await loaded(() => import('../../app/cache/persisted-cache.ts'))
      setUnsent(await holdsUnsent())
    })
  }, [])
  return unsent
}

const useSigningIn = () =>
  useMutation({
    mutationFn: (form: FormData) =>
      api.accounts.authenticate({
        user_login_option_type: ownAccountType,
        user_login_id: formText(form, 'login'),
        user_password: formText(form, 'password'),
        ...thisDevice(),
      }),
    onSuccess: reply => {
      begin(reply)
      welcomeBack(reply.user.id)
    },
  })

export const SignInPage = () => {
  const { t } = useWords()
  const search = useSearch(nextOf)
  const ended = useStore(expired)
  const unsent = useUnsent()
  const signIn = useSigningIn()
  const onSubmit = useForm(signIn.mutate)
  const problem = signIn.error && (statusOf(signIn.error) === 401 ? t('signIn.wrong') : reasonOf(signIn.error))
  return (
    <form onSubmit={onSubmit} className="grid grid-cols-1 gap-4">
      <title>{`${t('signIn.title')} · Afterglow`}</title>
      <h2 className="font-display text-xl font-semibold">{t('signIn.title')}</h2>
      <LeavingNotice />
      <GoOn />
      <KeptLinks />
      {ended && !problem && <p className="rounded-xl bg-glow px-4 py-3 text-sm text-on-glow">{t('signIn.expired')}</p>}
      {unsent && !problem && <p className="rounded-xl bg-glow px-4 py-3 text-sm text-on-glow">{t('signIn.unsent')}</p>}
      <FormProblem text={problem ?? undefined} />
      <Field name="login" label={t('signIn.login')} autoComplete="username" autoCapitalize="none" required dir="auto" />
      <Field name="password" type="password" label={t('field.password')} autoComplete="current-password" required />
      <Button type="submit" size="large" busy={signIn.isPending}>
        {t('signIn.act')}
      </Button>
      <Link
        to="/forgot-password"
        search={search}
        className="flex min-h-11 items-center justify-self-center text-center text-sm font-medium text-soft underline-offset-4 hover:underline"
      >
        {t('recovery.forgot')}
      </Link>
      <ProviderButtons next={search.next} />
      <p className="text-center text-sm text-pretty text-soft">{t('signIn.guest')}</p>
      <Link
        to="/transfer"
        search={search}
        className="flex min-h-11 items-center justify-self-center font-semibold text-ember underline-offset-4 hover:underline"
      >
        {t('ownCode.have')}
      </Link>
      <ToRegister />
    </form>
  )
}

/** The way of those who have no account, or why there is none. */
const ToRegister = () => {
  const { t } = useWords()
  const search = useSearch(nextOf)
  const registration = useRegistration()
  if (registration !== 'open')
    return <p className="text-center text-pretty text-soft">{t(`register.${registration}`)}</p>
  return (
    <p className="text-center text-soft">
      {t('signIn.new')}{' '}
      <Link to="/register" search={search} className="font-semibold text-ember underline-offset-4 hover:underline">
        {t('register.act')}
      </Link>
    </p>
  )
}
