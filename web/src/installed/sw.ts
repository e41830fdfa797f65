/// <reference lib="webworker" />
import { isKeepable, pictureKey, picturesCache, tooMany } from './pictures.ts'
import { heldFor, isOfThisBuild, isPage, type Listed, shellOf, shellPrefix } from './shell-files.ts'
import { landingAt, pushedFrom, sayingOf, shownAs, windowFor } from './shown.ts'

/* The service worker: the client's own files without a network, and notifications while nobody looks. */

declare const self: ServiceWorkerGlobalScope & { __WB_MANIFEST: Listed[] }

const shell = shellOf(self.__WB_MANIFEST)

self.addEventListener('install', event => event.waitUntil(fill()))

/** All or nothing: a build of which a part is missing is tried again at the next visit. */
const fill = async () => {
  const cache = await caches.open(shell.name)
  await Promise.all(
    [...shell.paths].map(async path => {
      const reply = await fetch(path, {
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

self.addEventListener('fetch', event => {
  const path = heldFor(event.request, self.location.origin, shell.paths)
  if (path) return event.respondWith(held(path, event.request))
  const picture = pictureKey(event.request, self.location.origin)
  if (picture) event.respondWith(seen(picture, event))
})

const held = async (path: string, request: Request) => {
  const cache = await caches.open(shell.name)
  return (await cache.match(path, { ignoreVary: true })) ?? fetch(request)
}

/** From the service, which knows who may see it; only where that cannot be reached, as it was seen last. */
const seen = async (key: string, event: FetchEvent) => {
  try {
    const reply = await fetch(event.request)
    if (isKeepable(reply)) event.waitUntil(keepPicture(key, reply.clone()))
    else if (reply.status >= 400 && reply.status < 500) event.waitUntil(forgetPicture(key))
    return reply
  } catch (error) {
    const kept = await (await caches.open(picturesCache)).match(key)
    if (!kept) throw error
    return kept
  }
}

const keepPicture = async (key: string, reply: Response) => {
  const cache = await caches.open(picturesCache)
  if (await cache.match(key)) return
  // A full disk: then it is not seen without a network.
  await cache.put(key, reply).catch(() => {})
  if (sinceCounted++ % countedEach === 0) await Promise.all(tooMany(await cache.keys()).map(old => cache.delete(old)))
}

/** To list what is kept costs more than to keep one: when an album is scrolled through, they arrive by the hundred. */
const countedEach = 30
let sinceCounted = 0

const forgetPicture = async (key: string) => (await caches.open(picturesCache)).delete(key)

/** What the open app heard over the channel. It escalates to push within seconds, so memory is enough. */
const heard = new Set<string>()

self.addEventListener('message', ({ data }) => {
  if (data?.type === 'SKIP_WAITING') void self.skipWaiting()
  if (typeof data?.heard === 'string') heard.add(data.heard)
})

self.addEventListener('push', event => event.waitUntil(show(event.data?.text())))

const show = async (text: string | undefined) => {
  const pushed = pushedFrom(text)
  const saying = sayingOf(pushed)
  const before = await self.registration.getNotifications({ tag: pushed.tag })
  const twin = before.some(({ data }) => data?.saying === saying)
  await self.registration.showNotification(pushed.title, shownAs(pushed, twin, heard.has(saying)))
  if (pushed.unread !== undefined) await self.navigator.setAppBadge?.(pushed.unread).catch(() => {})
}

self.addEventListener('notificationclick', event => {
  event.notification.close()
  event.waitUntil(land(event.notification.data))
})

const land = async (to: { id: string; link: string }) => {
  const windows = await self.clients.matchAll({ type: 'window', includeUncontrolled: true })
  const open = windowFor(windows, isPage)
  if (!open) return self.clients.openWindow(landingAt(to))
  await open.focus().catch(() => {})
  if (!(await tell(open, to))) await open.navigate(landingAt(to)).catch(() => self.clients.openWindow(landingAt(to)))
}

const answerMs = 1500
/** Whether the page in a window took it: one that is still loading or asleep does not hear. */
const tell = (open: WindowClient, land: { id: string; link: string }) =>
  new Promise<boolean>(resolve => {
    const { port1, port2 } = new MessageChannel()
    port1.onmessage = () => resolve(true)
    setTimeout(() => resolve(false), answerMs)
    open.postMessage({ land }, [port2])
  })
