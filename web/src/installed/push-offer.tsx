import { useMutation } from '@tanstack/react-query'
import { BellRing } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { ours } from '../app/public-path.ts'
import { useStore } from '../app/store.ts'
import { useWords } from '../app/words.ts'
import { oneArrived } from '../chats/composer/pending-messages.ts'
import { sayProblem } from '../ui/layers/toasts.ts'
import { Offer } from './offer.tsx'
import { pushState, turnPushOn } from './push.ts'

const place = `${ours}.push.offered`

type Props = {
  userId: number
  onAnswer(): void
  /** The alternative offer, where this one is not allowed. */
  otherwise: ReactNode
}

/** Offers pushes once, after the user's first message has been sent: now they know what they would be waiting for. */
export const PushOffer = ({ userId, onAnswer, otherwise }: Props) => {
  const { t } = useWords()
  const state = useStore(pushState)
  const arrived = useStore(oneArrived)
  const [isAnswered, setAnswered] = useState(() => localStorage.getItem(place) !== null)
  const answered = () => {
    localStorage.setItem(place, 'yes')
    setAnswered(true)
    onAnswer()
  }
  const on = useMutation({
    mutationFn: () => turnPushOn(userId),
    onError: () => sayProblem(t('installed.pushFailed')),
    onSettled: answered,
  })
  if (!arrived || isAnswered || state !== 'off') return otherwise
  return (
    <Offer
      icon={BellRing}
      title={t('installed.offer')}
      act={t('installed.turnOn')}
      onAct={on.mutate}
      onDismiss={answered}
      busy={on.isPending}
    />
  )
}
