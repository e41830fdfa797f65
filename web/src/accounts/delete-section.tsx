import { UserRoundX } from 'lucide-react'
import { useState } from 'react'
import { useWords } from '../app/words.ts'
import { Button } from '../ui/button.tsx'
import { Section } from '../ui/section.tsx'
import { guestStatus } from './account-hint.tsx'
import { DeleteDialog } from './delete-dialog.tsx'
import type { Account } from './queries.ts'

/** Deleting the account, and what that means. */
export const DeleteSection = ({ account }: { account: Account }) => {
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
