import { useMutation, useQueryClient } from '@tanstack/react-query'
import { KeyRound } from 'lucide-react'
import { useEffect } from 'react'
import { api } from '../app/net/client.ts'
import { Link } from '../app/router/router.tsx'
import { useWords } from '../app/words.ts'
import { buttonClass } from '../ui/button.tsx'
import { fieldError } from '../ui/failure.ts'
import { say, sayProblem } from '../ui/layers/toasts.ts'
import { Section } from '../ui/section.tsx'
import { guestStatus } from './account-hint.tsx'
import { ownAccountType } from './entry/login-options.ts'
import { type Proof, useComeBack } from './entry/provider-sign-in.ts'
import { Linked, Unlinked, Way } from './login-option.tsx'
import { sayOtherFailure } from './proof-needed.ts'
import { Prove } from './prove.tsx'
import { type Account, accountKey, type Provider, useProviders } from './queries.ts'

/** Ways to sign in: the password, linked providers, and those that can be linked. The last one stays. */
export const WaysIn = ({ account }: { account: Account }) => {
  const { t } = useWords()
  const providers = useProviders()
  const linking = useLinking(providers)
  const options = account.user_login_options
  const linked = new Set(options.map(option => option.user_login_option_type))
  // A guest has to complete the account first; the hint above says so.
  if (account.user_status === guestStatus) return null
  const others = providers.filter(({ user_login_option_type: type }) => !linked.has(type))
  return (
    <Section title={t('account.ways')}>
      <Prove of={linking} />
      <ul className="-mx-4 divide-y divide-line">
        {!linked.has(ownAccountType) && (
          <Way icon={KeyRound} name={t('field.password')} about={t('account.noPassword')}>
            <Link to="/settings/password" className={buttonClass('bare', 'small')}>
              {t('account.setPassword')}
            </Link>
          </Way>
        )}
        {options.map(option => (
          <Linked key={option.user_login_option_type} option={option} only={options.length === 1} account={account} />
        ))}
        {others.map(provider => (
          <Unlinked key={provider.user_login_option_type} provider={provider} />
        ))}
      </ul>
    </Section>
  )
}

/** Handles a provider's answer that returned to this page. */
const useLinking = (providers: readonly Provider[]) => {
  const { t } = useWords()
  const client = useQueryClient()
  const { proof, problem, type } = useComeBack()
  const name = providers.find(({ user_login_option_type }) => user_login_option_type === type)?.user_login_option_name
  const linking = useMutation({
    mutationFn: (by: Proof) => api.providers.linkLoginOption({ user_login_option_type: type ?? 0, ...by }),
    onSuccess: account => {
      client.setQueryData(accountKey, account)
      say(t('account.linked', { name: name ?? '' }))
    },
    onError: error =>
      fieldError(error, 'user_login_option_unique_identifier')
        ? sayProblem(t('account.taken'))
        : sayOtherFailure(error),
  })
  const { mutate } = linking
  const ready = name !== undefined
  useEffect(() => {
    if (proof && ready) mutate(proof)
  }, [proof, ready, mutate])
  useEffect(() => {
    if (problem) sayProblem(t(`provider.${problem}`))
  }, [problem, t])
  return linking
}
