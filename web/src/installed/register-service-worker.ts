import { Workbox } from 'workbox-window'
import { publicPath } from '../app/public-path.ts'
import { openStore } from '../app/store.ts'

/** Switches to a newer build, once one is ready. */
export const newer = openStore<(() => void) | undefined>(undefined)

const lookEveryMs = 60 * 60_000
/**
 * Chromium lets a worker finish its work for up to five minutes before the next takes over; a tap is answered sooner.
 */
const takeOverMs = 4000

/** Only a built client has a service worker, and only a secure page may have one. */
export const canInstall = () => import.meta.env.PROD && 'serviceWorker' in navigator

const nameManifest = () => {
  if (!document.querySelector('[rel=manifest]'))
    document.head.append(
      Object.assign(document.createElement('link'), { rel: 'manifest', href: `${publicPath}/manifest.webmanifest` }),
    )
}

/**
 * Adds the manifest, installs the service worker and checks for newer builds while the page is visible. Returns a
 * function to stop.
 */
export const install = (): (() => void) => {
  if (!canInstall()) return () => {}
  nameManifest()
  const worker = new Workbox(`${publicPath}/sw.js`)
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
