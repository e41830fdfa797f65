import { Workbox } from 'workbox-window'
import { openStore } from '../app/store.ts'

/** When a newer build lies ready: how to change to it. */
export const newer = openStore<(() => void) | undefined>(undefined)

const lookEveryMs = 60 * 60_000
/** Chromium lets a worker finish what it is at for up to five minutes before the next takes over; a tap is answered sooner. */
const takeOverMs = 4000

/** Only a built client has a service worker, and only a secure page may have one. */
export const canInstall = () => import.meta.env.PROD && 'serviceWorker' in navigator

const nameManifest = () => {
  if (!document.querySelector('[rel=manifest]'))
    document.head.append(
      Object.assign(document.createElement('link'), { rel: 'manifest', href: '/manifest.webmanifest' }),
    )
}

/** Names the manifest, installs the service worker and looks for newer builds while the page is looked at. Returns how to stop. */
export const install = (): (() => void) => {
  if (!canInstall()) return () => {}
  nameManifest()
  const worker = new Workbox('/sw.js')
  worker.addEventListener('waiting', () =>
    newer.set(() => {
      const reload = () => location.reload()
      worker.addEventListener('controlling', reload)
      worker.messageSkipWaiting()
      setTimeout(reload, takeOverMs)
    }),
  )
  // Without a network there is nothing newer.
  void worker.register().catch(() => {})
  let looked = Date.now()
  const look = () => {
    if (document.visibilityState === 'hidden' || Date.now() - looked < lookEveryMs) return
    looked = Date.now()
    void worker.update().catch(() => {})
  }
  document.addEventListener('visibilitychange', look)
  const timer = setInterval(look, lookEveryMs / 4)
  return () => {
    document.removeEventListener('visibilitychange', look)
    clearInterval(timer)
  }
}
