import { pathHere } from '../app/public-path.ts'
import '../ui/layers/opener.ts'
import { Sparkles } from 'lucide-react'
import { useEffect, useState } from 'react'
import { api } from '../app/net/client.ts'
import { replace } from '../app/router/history.ts'
import { navigate, useLocation } from '../app/router/router.tsx'
import { session } from '../app/session.ts'
import { useStore } from '../app/store.ts'
import { useWords } from '../app/words.ts'
import { openAgain } from './missing-code.ts'
import { keepNotices } from './notices.ts'
import { Offer } from './offer.tsx'
import { renewPush } from './push.ts'
import { landedBy, ownLink } from './push-display.ts'
import { PushOffer } from './push-offer.tsx'
import { install, newer } from './register-service-worker.ts'
import { SaveAccountOffer } from './save-account-offer.tsx'

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
