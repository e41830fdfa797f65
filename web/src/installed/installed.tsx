import '../ui/opener.ts'
import { useRouter, useRouterState } from '@tanstack/react-router'
import { Sparkles } from 'lucide-react'
import { useEffect } from 'react'
import { api } from '../app/client.ts'
import { session } from '../app/session.ts'
import { useStore } from '../app/store.ts'
import { useWords } from '../app/words.ts'
import { KeepInvitation } from './keep-invitation.tsx'
import { openAgain } from './missing-code.ts'
import { keepNotices } from './notices.ts'
import { Offer } from './offer.tsx'
import { renewPush } from './push.ts'
import { PushInvitation } from './push-invitation.tsx'
import { install, newer } from './register-service-worker.ts'
import { landedBy, ownLink } from './shown.ts'

/** What makes a page an app: its service worker, newer builds, pushes, and where their taps lead. */
export const Installed = ({ arrivedBy }: { arrivedBy: string }) => {
  const { t } = useWords()
  const { history } = useRouter()
  const userId = useStore(session)?.userId
  const change = useStore(newer)
  const atSettings = useRouterState({ select: ({ location }) => location.pathname.startsWith('/settings') })
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
  useEffect(() => {
    const id = landedBy(arrivedBy)
    if (id === undefined || userId === undefined) return
    read(id)
    if (location.hash === arrivedBy) history.replace(location.pathname + location.search)
  }, [arrivedBy, userId, history])
  useEffect(() => {
    const worker = navigator.serviceWorker
    if (!worker) return
    const hear = ({ data, ports }: MessageEvent) => {
      if (!data?.land) return
      ports[0]?.postMessage('taken')
      read(Number(data.land.id))
      history.push(ownLink(String(data.land.link)))
    }
    worker.addEventListener('message', hear)
    return () => worker.removeEventListener('message', hear)
  }, [history])
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
  // What they offer stands there too, and they would cover it.
  return userId === undefined || atSettings ? null : (
    <>
      <PushInvitation userId={userId} />
      <KeepInvitation />
    </>
  )
}

/**
 * An iPhone deletes the storage of a site not opened for seven days. Elsewhere nothing is lost by itself, and Firefox
 * would ask.
 */
const keepStorage = () => {
  if ('standalone' in navigator) void navigator.storage?.persist?.().catch(() => {})
}

/** Tapping it means that it was read. */
const read = (id: number) => {
  if (id > 0 && session.get()) void api.notifications.readNotification({ notification_id: id }).catch(() => {})
}
