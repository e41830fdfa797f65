import { useMutation } from '@tanstack/react-query'
import { BellRing } from 'lucide-react'
import { useEffect, useState } from 'react'
import { useStore } from '../app/store.ts'
import { useWords } from '../app/words.ts'
import type { Waiting } from '../chats/waiting.ts'
import { waiting } from '../chats/waiting.ts'
import { sayProblem } from '../ui/toasts.ts'
import { Offer } from './offer.tsx'
import { pushState, turnPushOn } from './push.ts'

const place = 'afterglow.push.offered'

/** Offers pushes once, after somebody's first message has gone out: then they know what they would wait for. */
export const PushInvitation = ({ userId }: { userId: number }) => {
  const { t } = useWords()
  const state = useStore(pushState)
  const [offered, setOffered] = useState(false)
  useEffect(() => {
    if (localStorage.getItem(place)) return
    let before: readonly Waiting[] = waiting.get()
    return waiting.follow(now => {
      const gone = before.filter(({ at }) => !now.some(each => each.at === at))
      // Only one that was on its way has gone out; others were discarded.
      if (gone.some(({ sentAfter, refused }) => sentAfter !== undefined && !refused)) setOffered(true)
      before = now
    })
  }, [])
  const answered = () => {
    localStorage.setItem(place, 'yes')
    setOffered(false)
  }
  const on = useMutation({
    mutationFn: () => turnPushOn(userId),
    onError: () => sayProblem(t('installed.pushFailed')),
    onSettled: answered,
  })
  if (!offered || state !== 'off') return null
  return (
    <Offer
      icon={BellRing}
      title={t('installed.offer')}
      act={t('installed.turnOn')}
      onAct={on.mutate}
      onDismiss={answered}
      busy={on.isPending}
    >
      {t('installed.offerMore')}
    </Offer>
  )
}
