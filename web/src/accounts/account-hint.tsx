import { ChevronRight, MailWarning, UserRoundCheck } from 'lucide-react'
import { Link } from '../app/router/router.tsx'
import { guestStatus } from '../app/session.ts'
import { useWords } from '../app/words.ts'
import type { Account } from './queries.ts'

const unverified = 2

export { guestStatus }

/** What an account still lacks, and where to add it: where registration is closed, a guest account stays one. */
export const AccountHint = ({ account, closed }: { account: Account; closed: boolean }) => {
  const { t } = useWords()
  const hints = {
    [unverified]: { to: '/verify-email', icon: MailWarning, words: t('verify.hint') },
    [guestStatus]: { to: '/settings/claim', icon: UserRoundCheck, words: t('claim.hint') },
  } as const
  const hint =
    account.user_status === guestStatus && !closed
      ? hints[guestStatus]
      : account.user_status === unverified
        ? hints[unverified]
        : undefined
  if (!hint) return null
  const { to, icon: Icon, words } = hint
  return (
    <Link to={to} className="flex items-center gap-3 rounded-2xl bg-glow px-4 py-3 font-semibold text-on-glow">
      <Icon className="size-5 shrink-0" />
      <span className="flex-1">{words}</span>
      <ChevronRight className="size-5 rtl:-scale-x-100" />
    </Link>
  )
}
