import { PartyPopper } from 'lucide-react'
import { useState } from 'react'
import { guestStatus } from '../accounts/account-hint.tsx'
import { useAccount } from '../accounts/queries.ts'
import { ours } from '../app/public-path.ts'
import { navigate } from '../app/router/router.tsx'
import { useStore } from '../app/store.ts'
import { useWords } from '../app/words.ts'
import { useRegistration } from '../people/registration.ts'
import { isSafe } from '../uploads/upload.ts'
import { uploads } from '../uploads/upload-list.ts'
import { Offer } from './offer.tsx'

const place = `${ours}.keep.offered`

/** Offers a guest once, when all chosen photos are added, to save the account: now there is a reason to return. */
export const SaveAccountOffer = ({ onAnswer }: { onAnswer(): void }) => {
  const all = useStore(uploads)
  const [isAnswered, setAnswered] = useState(() => localStorage.getItem(place) !== null)
  const answered = () => {
    localStorage.setItem(place, 'yes')
    setAnswered(true)
    onAnswer()
  }
  return isAnswered || all.length === 0 || !all.every(isSafe) ? null : <Asked onAnswer={answered} />
}

const Asked = ({ onAnswer }: { onAnswer(): void }) => {
  const { t } = useWords()
  const guest = useAccount()?.user_status === guestStatus
  const closed = useRegistration() === 'closed'
  if (!guest || closed) return null
  return (
    <Offer
      icon={PartyPopper}
      title={t('claim.offer')}
      act={t('claim.offerAct')}
      onAct={() => {
        onAnswer()
        void navigate({ to: '/settings/claim' })
      }}
      onDismiss={onAnswer}
    />
  )
}
