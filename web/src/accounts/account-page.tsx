import { useQuery } from '@tanstack/react-query'
import { UserRoundX } from 'lucide-react'
import { useState } from 'react'
import { useWords } from '../app/words.ts'
import { useRegistration } from '../people/registration.ts'
import { Button } from '../ui/button.tsx'
import { PageHeader } from '../ui/page-header.tsx'
import { Section } from '../ui/section.tsx'
import { Skeleton } from '../ui/skeleton.tsx'
import { AccountHint, guestStatus } from './account-hint.tsx'
import { DeleteDialog } from './delete-dialog.tsx'
import { ExportSection } from './export-section.tsx'
import { type Account, accountQuery } from './queries.ts'
import { WaysIn } from './ways-in.tsx'

/** The account: ways to sign in, data export, and deletion. */
export const AccountPage = () => {
  const { t } = useWords()
  const { data: account, isLoading } = useQuery(accountQuery)
  const closed = useRegistration() === 'closed'
  return (
    <>
      <title>{`${t('account.title')} · Afterglow`}</title>
      <PageHeader title={t('account.title')} back={{ to: '/settings' }} />
      <div className="mx-auto grid grid-cols-1 max-w-2xl gap-6 px-4 py-6">
        {isLoading ? (
          <>
            <Skeleton className="h-28 rounded-2xl" />
            <Skeleton className="h-44 rounded-2xl" />
            <Skeleton className="h-44 rounded-2xl" />
          </>
        ) : (
          <>
            {account && <AccountHint account={account} closed={closed} />}
            {account && <WaysIn account={account} />}
            <ExportSection />
            {account && <DeleteSection account={account} />}
          </>
        )}
      </div>
    </>
  )
}

/** Deleting the account, and what that means. */
const DeleteSection = ({ account }: { account: Account }) => {
  const { t } = useWords()
  const [asking, setAsking] = useState(false)
  return (
    <Section title={t('leaving.act')}>
      <div className="grid gap-4 py-4">
        <p className="text-pretty text-soft">
          {account.user_status === guestStatus ? t('leaving.aboutGuest') : t('leaving.about')}
        </p>
        <Button
          look="danger"
          className="sm:justify-self-start"
          icon={<UserRoundX className="size-5" />}
          onClick={() => setAsking(true)}
        >
          {t('leaving.act')}
        </Button>
      </div>
      {asking && <DeleteDialog account={account} onClose={() => setAsking(false)} />}
    </Section>
  )
}
