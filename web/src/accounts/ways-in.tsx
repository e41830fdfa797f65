import { useMutation, useQueryClient } from '@tanstack/react-query'
import { KeyRound, type LucideIcon, Plug, Unplug } from 'lucide-react'
import { type ReactNode, useEffect, useState } from 'react'
import { api } from '../app/net/client.ts'
import { Link } from '../app/router/router.tsx'
import { useWords } from '../app/words.ts'
import { Button, buttonClass } from '../ui/button.tsx'
import { fieldError, sayFailure } from '../ui/failure.ts'
import { Confirm } from '../ui/layers/confirm.tsx'
import { say, sayProblem } from '../ui/layers/toasts.ts'
import { Section } from '../ui/section.tsx'
import { guestStatus } from './account-hint.tsx'
import { ownAccountType } from './entry/login-options.ts'
import { beginWithProvider, type Proof, useComeBack } from './entry/provider-sign-in.ts'
import { sayOtherFailure } from './proof-needed.ts'
import { Prove } from './prove.tsx'
import { type Account, accountKey, type Provider, useProviders } from './queries.ts'

type Option = Account['user_login_options'][number]

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

const Way = ({
  icon: Icon,
  name,
  about,
  children,
}: {
  icon: LucideIcon
  name: string
  about?: string | undefined
  children?: ReactNode
}) => (
  <li className="flex min-h-16 items-center gap-3 px-4 py-2">
    <Icon className="size-5 shrink-0 text-soft" aria-hidden="true" />
    <div className="min-w-0 flex-1">
      <p className="font-medium">
        <bdi>{name}</bdi>
      </p>
      {about && <p className="text-sm text-soft wrap-anywhere">{about}</p>}
    </div>
    {children}
  </li>
)

const Linked = ({ option, only, account }: { option: Option; only: boolean; account: Account }) => {
  const { t } = useWords()
  const client = useQueryClient()
  const [asking, setAsking] = useState(false)
  const { user_login_option_type: type, user_login_option_name: label } = option
  const own = type === ownAccountType
  const name = own ? t('field.password') : label
  const unlink = useMutation({
    mutationFn: () => api.providers.unlinkLoginOption({ user_login_option_type: type }),
    onSuccess: updated => {
      client.setQueryData(accountKey, updated)
      say(t('account.unlinked', { name }))
    },
    onError: sayOtherFailure,
  })
  const about = only ? t('account.onlyWay') : own ? account.user_email : t('account.connected')
  return (
    <Way icon={own ? KeyRound : Plug} name={name} about={about}>
      {!only && (
        <Button
          look="bare"
          size="small"
          busy={unlink.isPending}
          aria-label={t('account.unlinkWho', { name })}
          onClick={() => setAsking(true)}
        >
          {t('account.unlink')}
        </Button>
      )}
      <Prove of={unlink} />
      <Confirm
        open={asking}
        onClose={() => setAsking(false)}
        title={t('account.unlinkTitle', { name })}
        about={t('account.unlinkAbout')}
        act={t('account.unlink')}
        onAct={() => unlink.mutate()}
      />
    </Way>
  )
}

const Unlinked = ({ provider }: { provider: Provider }) => {
  const { t } = useWords()
  const { user_login_option_type: type, user_login_option_name: name } = provider
  const link = useMutation({
    mutationFn: () => beginWithProvider(type, { to: '/settings/account' }),
    onError: sayFailure,
  })
  return (
    <Way icon={Unplug} name={name} about={t('account.notConnected')}>
      <Button
        look="bare"
        size="small"
        busy={link.isPending}
        aria-label={t('account.linkWho', { name })}
        onClick={() => link.mutate()}
      >
        {t('account.link')}
      </Button>
    </Way>
  )
}
