/// <reference lib="webworker" />

import '../app/polyfills.ts'
import { pictureKey, picturesCache } from '../app/cache/pictures-cache.ts'
import { address, pathBelow, publicPath } from '../app/public-path.ts'
import { keepShared, sharePath } from '../app/storage/share-target.ts'
import { openOfflinePictures } from './offline-pictures.ts'
import { landingAt, pushedFrom, sayingOf, shownAs, windowFor } from './push-display.ts'
import { heldFor, isOfThisBuild, isPage, type Listed, shellOf, shellPrefix } from './shell-files.ts'

/* The service worker: the client's own files offline, and notifications while the app is closed. */

declare const self: ServiceWorkerGlobalScope & { __WB_MANIFEST: Listed[] }

const shell = shellOf(self.__WB_MANIFEST)

self.addEventListener('install', event => event.waitUntil(fill()))

/** All or nothing: a build with a missing file is tried again at the next visit. */
const fill = async () => {
  const cache = await caches.open(shell.name)
  await Promise.all(
    [...shell.paths].map(async path => {
      const reply = await fetch(publicPath + path, {
        headers: path === '/' ? { Accept: 'text/html' } : {},
        cache: path.startsWith('/assets/') ? 'default' : 'no-cache',
      })
      const complete = reply.ok && (path !== '/' || isOfThisBuild(await reply.clone().text(), shell.paths))
      if (!complete) throw new Error(`${path} is not of this build`)
      await cache.put(path, reply)
    }),
  )
}

self.addEventListener('activate', event => event.waitUntil(takeOver()))

const takeOver = async () => {
  const names = await caches.keys()
  const before = names.filter(name => name.startsWith(shellPrefix) && name !== shell.name)
  await Promise.all(before.map(name => caches.delete(name)))
  await self.clients.claim()
}

const pictures = openOfflinePictures({
  open: () => caches.open(picturesCache),
  load: url => fetch(url, { cache: 'force-cache' }),
})

self.addEventListener('fetch', event => {
  if (event.request.method === 'POST' && pathBelow(address, event.request.url) === sharePath)
    return event.respondWith(keepShared(event.request))
  const path = heldFor(event.request, address, shell.paths)
  if (path) return event.respondWith(held(path, event.request))
  const picture = pictureKey(event.request, address)
  if (!picture) return
  event.waitUntil(pictures.saw(picture, event.request.url))
  // If there is nothing to fall back on, the browser makes the request itself: with every photo passing through here, 4
  // to 17 % of the frames were late while scrolling an album, without it 0.1 %.
  if (pictures.mayHave(picture)) event.respondWith(seen(picture, event))
})

const held = async (path: string, request: Request) => {
  const cache = await caches.open(shell.name)
  return (await cache.match(path, { ignoreVary: true })) ?? fetch(request)
}

/** From the service, which knows who may see it; only if that is unreachable, the stored copy. */
const seen = async (key: string, event: FetchEvent) => {
  try {
    const reply = await fetch(event.request)
    if (reply.status >= 400 && reply.status < 500) event.waitUntil(pictures.forget(key))
    return reply
  } catch (error) {
    const kept = await pictures.find(key)
    if (!kept) throw error
    return kept
  }
}

/**
 * Notifications that the open app received over the channel. They escalate to a push within seconds, so memory is
 * enough.
 */
const heard = new Set<string>()

self.addEventListener('message', event => {
  const { data } = event
  if (data?.type === 'SKIP_WAITING') void self.skipWaiting()
  if (typeof data?.heard === 'string') heard.add(data.heard)
  if (data?.left) {
    pictures.forgetAll()
    event.waitUntil(caches.delete(picturesCache))
  }
})

self.addEventListener('push', event => event.waitUntil(show(event.data?.text())))

const show = async (text: string | undefined) => {
  const pushed = pushedFrom(text)
  const saying = sayingOf(pushed)
  const before = await self.registration.getNotifications({ tag: pushed.tag })
  const twin = before.some(({ data }) => data?.saying === saying)
  await self.registration.showNotification(pushed.title, shownAs(pushed, twin, heard.has(saying)))
  for (const shown of await self.registration.getNotifications())
    if (shown.data?.id !== pushed.id && pushed.read.includes(shown.data?.id)) shown.close()
  if (pushed.unread !== undefined) await self.navigator.setAppBadge?.(pushed.unread).catch(() => {})
}

self.addEventListener('notificationclick', event => {
  event.notification.close()
  event.waitUntil(land(event.notification.data))
})

const land = async (to: { id: string; link: string }) => {
  const windows = await self.clients.matchAll({ type: 'window', includeUncontrolled: true })
  const open = windowFor(windows, isPage, address)
  if (!open) return self.clients.openWindow(landingAt(to))
  await open.focus().catch(() => {})
  if (!(await tell(open, to))) await open.navigate(landingAt(to)).catch(() => self.clients.openWindow(landingAt(to)))
}

const answerMs = 1500
/** True if the page in a window accepted it: a page that is still loading or asleep does not answer. */
const tell = (open: WindowClient, land: { id: string; link: string }) =>
  new Promise<boolean>(resolve => {
    const { port1, port2 } = new MessageChannel()
    port1.onmessage = () => resolve(true)
    setTimeout(() => resolve(false), answerMs)
    open.postMessage({ land }, [port2])
  })
