import '../ui/layers/opener.ts'
import { PartyPopper, Sparkles } from 'lucide-react'
import { useEffect, useState } from 'react'
import { guestStatus } from '../accounts/account-hint.tsx'
import { useAccount } from '../accounts/queries.ts'
import { api } from '../app/net/client.ts'
import { ours, pathHere } from '../app/public-path.ts'
import { replace } from '../app/router/history.ts'
import { navigate, useLocation } from '../app/router/router.tsx'
import { session } from '../app/session.ts'
import { useStore } from '../app/store.ts'
import { useWords } from '../app/words.ts'
import { useRegistration } from '../people/registration.ts'
import { isSafe } from '../uploads/upload.ts'
import { uploads } from '../uploads/upload-list.ts'
import { openAgain } from './missing-code.ts'
import { keepNotices } from './notices.ts'
import { Offer } from './offer.tsx'
import { renewPush } from './push.ts'
import { landedBy, ownLink } from './push-display.ts'
import { PushOffer } from './push-offer.tsx'
import { install, newer } from './register-service-worker.ts'

/** The app's features beyond a page: its service worker, newer builds, pushes, and where their taps lead. */
export const Installed = ({ arrivedBy }: { arrivedBy: string }) => {
  const { t } = useWords()
  const userId = useStore(session)?.userId
  const change = useStore(newer)
  const { path } = useLocation()
  /** After one answer nothing else is offered at this visit. */
  const [rested, setRested] = useState(false)
  useEffect(install, [])
  useEffect(() => {
    addEventListener('vite:preloadError', openAgain)
    return () => removeEventListener('vite:preloadError', openAgain)
  }, [])
  useEffect(() => {
    if (userId === undefined) return
    void renewPush(userId)
    keepStorage()
    return keepNotices()
  }, [userId])
  useTaps(arrivedBy, userId)
  if (change)
    return (
      <Offer
        icon={Sparkles}
        title={t('installed.newer')}
        act={t('installed.reload')}
        onAct={change}
        onDismiss={() => newer.set(undefined)}
      />
    )
  // Settings have both. A chat has no room for the account.
  if (userId === undefined || rested || path.startsWith('/settings')) return null
  const rest = () => setRested(true)
  const keep = path.endsWith('/chat') ? null : <SaveAccountOffer onAnswer={rest} />
  return <PushOffer userId={userId} onAnswer={rest} otherwise={keep} />
}

/** Opens the link of a tapped push, whether the tap opened this page or found it open. */
const useTaps = (arrivedBy: string, userId: number | undefined) => {
  useEffect(() => {
    const id = landedBy(arrivedBy)
    if (id === undefined || userId === undefined) return
    read(id)
    if (location.hash === arrivedBy) replace(pathHere() + location.search)
  }, [arrivedBy, userId])
  useEffect(() => {
    const worker = navigator.serviceWorker
    if (!worker) return
    const hear = ({ data, ports }: MessageEvent) => {
      if (!data?.land) return
      ports[0]?.postMessage('taken')
      read(Number(data.land.id))
      void navigate({ href: ownLink(String(data.land.link)) })
    }
    worker.addEventListener('message', hear)
    return () => worker.removeEventListener('message', hear)
  }, [])
}

/**
 * An iPhone deletes the storage of a site not opened for seven days. Elsewhere nothing is lost by itself, and Firefox
 * would ask.
 */
const keepStorage = () => {
  if ('standalone' in navigator) void navigator.storage?.persist?.().catch(() => {})
}

/** A tap marks it as read. */
const read = (id: number) => {
  if (id > 0 && session.get()) void api.notifications.readNotification({ notification_id: id }).catch(() => {})
}

const place = `${ours}.keep.offered`

/** Offers a guest once, when all chosen photos are added, to save the account: now there is a reason to return. */
const SaveAccountOffer = ({ onAnswer }: { onAnswer(): void }) => {
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
