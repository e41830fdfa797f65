import { useQuery } from '@tanstack/react-query'
import { useWords } from '../app/words.ts'
import { useRegistration } from '../people/registration.ts'
import { PageHeader } from '../ui/page-header.tsx'
import { Skeleton } from '../ui/skeleton.tsx'
import { AccountHint } from './account-hint.tsx'
import { DeleteSection } from './delete-section.tsx'
import { ExportSection } from './export-section.tsx'
import { accountQuery } from './queries.ts'
import { WaysIn } from './ways-in.tsx'

/** The account: ways to sign in, data export, and deletion. */
export const AccountPage = () => {
  const { t } = useWords()
  const { data: account, isLoading } = useQuery(accountQuery)
  const closed = useRegistration() === 'closed'
  return (
    <>
      <title>{`${t('account.title')} · Afterglow`}</title>
      <PageHeader title={t('account.title')} back={{ to: '/settings' }} backOnDesktop />
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
