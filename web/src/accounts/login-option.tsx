import { useMutation, useQueryClient } from '@tanstack/react-query'
import { KeyRound, type LucideIcon, Plug, Unplug } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { api } from '../app/net/client.ts'
import { useWords } from '../app/words.ts'
import { Button } from '../ui/button.tsx'
import { sayFailure } from '../ui/failure.ts'
import { Confirm } from '../ui/layers/confirm.tsx'
import { say } from '../ui/layers/toasts.ts'
import { ownAccountType } from './entry/login-options.ts'
import { beginWithProvider } from './entry/provider-sign-in.ts'
import { sayOtherFailure } from './proof-needed.ts'
import { Prove } from './prove.tsx'
import { type Account, accountKey, type Provider } from './queries.ts'

type Option = Account['user_login_options'][number]

/** One way to sign in. */
export const Way = ({
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
    <Icon className="size-5 shrink-0 text-soft" />
    <div className="min-w-0 flex-1">
      <p className="font-medium">
        <bdi>{name}</bdi>
      </p>
      {about && <p className="text-sm text-soft wrap-anywhere">{about}</p>}
    </div>
    {children}
  </li>
)

export const Linked = ({ option, only, account }: { option: Option; only: boolean; account: Account }) => {
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

export const Unlinked = ({ provider }: { provider: Provider }) => {
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
