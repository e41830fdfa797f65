import { hashKey, type QueryCacheNotifyEvent, type QueryClient } from '@tanstack/react-query'
import { whenIdle } from '../idle.ts'
import { ours } from '../public-path.ts'
import { session } from '../session.ts'
import { database } from '../storage/database.ts'
import { draftsOf } from '../storage/drafts.ts'
import { pushPlace } from '../storage/push-owner.ts'
import { forgetShared } from '../storage/share-target.ts'
import { onlookerOf, viewing } from '../viewing.ts'
import { picturesCache, wallCache } from './pictures-cache.ts'
import { livesByLinkMs, seenOf, showAgain, worthShowing } from './query-snapshot.ts'

/*
 * Stored data, and the channel's cursor up to which it is current: together they are a moment to continue from. A
 * change writes the queries it changed and the cursor in one transaction, so the two never diverge.
 */

const keepAfterMs = 800
/** A media link lives at least 6 hours. */
export const linksLiveMs = 5 * 60 * 60_000

/** Everything of one person: in key order, an array comes after every string. */
const allOf = (userId: number) => IDBKeyRange.bound([userId], [userId, []])

/**
 * Fills the cache with what this person saw before. Returns the cursor to continue from, unless its media links are
 * about to expire.
 */
export const restore = async (client: QueryClient, userId: number): Promise<string | undefined> => {
  try {
    const transaction = (await database()).transaction(['kept', 'seen'])
    const [reached, seen] = await Promise.all([
      transaction.objectStore('kept').get(userId),
      transaction.objectStore('seen').getAll(allOf(userId)),
    ])
    const byLink = userId < 0
    const shown = worthShowing(seen, byLink ? livesByLinkMs : undefined)
    if (byLink && shown.length === 0 && seen.length > 0) await forgetOnlooker(userId)
    for (const each of shown) showAgain(client, each)
    if (shown.length < seen.length)
      void forget(seen.filter(each => !shown.includes(each)).map(({ key }) => [userId, hashKey(key)]))
    return reached && Date.now() - reached.keptAt < linksLiveMs ? reached.cursor : undefined
  } catch {
    return undefined
  }
}

const forget = async (keys: [number, string][]) => {
  const transaction = (await database()).transaction('seen', 'readwrite')
  await Promise.all([...keys.map(key => transaction.store.delete(key)), transaction.done]).catch(() => {})
}

type Cursor = () => string | undefined

/** Stores the current queries, with the channel's cursor. */
const store = async (client: QueryClient, userId: number, hashes: readonly string[], cursor: Cursor) => {
  const open = await database()
  // The cursor is read before the state: an event applied twice changes nothing, one left out would be lost.
  const reached = { cursor: cursor(), keptAt: Date.now() }
  // A user who has left since must not find it stored after everything was removed.
  if (here() !== userId) return
  const transaction = open.transaction(['kept', 'seen'], 'readwrite')
  const seenStore = transaction.objectStore('seen')
  // One after another: each is copied as a whole when stored, and the page may respond in between.
  for (const hash of hashes) {
    const query = client.getQueryCache().get(hash)
    const seen = query && seenOf(query)
    await (seen ? seenStore.put(seen, [userId, hash]) : seenStore.delete([userId, hash]))
  }
  // Data stored by another tab is not current up to this tab's cursor: it keeps the older one until a single tab
  // has everything.
  const known = (await seenStore.getAllKeys(allOf(userId))) as [number, string][]
  const holdsAll = known.every(([, hash]) => client.getQueryCache().get(hash))
  if (holdsAll) await transaction.objectStore('kept').put(reached, userId)
  await transaction.done
}

/** Stores changes when the page is idle. Returns a function to stop. */
export const keep = (client: QueryClient, userId: number, cursor: Cursor) => {
  // Including what was loaded before this began; restored data is already stored.
  const loaded = client
    .getQueryCache()
    .findAll({ predicate: ({ state }) => state.dataUpdatedAt > performance.timeOrigin })
  const changed = new Set(loaded.map(({ queryHash }) => queryHash))
  let timer: ReturnType<typeof setTimeout> | undefined
  const write = async () => {
    clearTimeout(timer)
    timer = undefined
    const hashes = [...changed]
    changed.clear()
    try {
      await store(client, userId, hashes, cursor)
    } catch {
      // The store is full, or private. Its contents belong to the old cursor, so nothing of this may be left out next
      // time.
      for (const hash of hashes) changed.add(hash)
    }
  }
  const later = () => {
    timer ??= setTimeout(() => void whenIdle().then(() => (timer ? write() : undefined)), keepAfterMs)
  }
  later()
  const stop = client.getQueryCache().subscribe(event => {
    if (!changes(event)) return
    changed.add(event.query.queryHash)
    later()
  })
  const leaving = () => void (document.visibilityState === 'hidden' && timer && write())
  document.addEventListener('visibilitychange', leaving)
  return () => {
    stop()
    clearTimeout(timer)
    timer = undefined
    document.removeEventListener('visibilitychange', leaving)
  }
}

const changes = (event: QueryCacheNotifyEvent) =>
  event.type === 'removed' ||
  (event.type === 'updated' && ['success', 'invalidate', 'setState'].includes(event.action.type))

/** Removes everything that other users have seen here, and their pushes; their unsent items stay. */
export const forgetSeen = async (userId: number | undefined) => {
  if (userId === undefined) localStorage.removeItem(`${ours}.kept`)
  const settled = await Promise.allSettled([forgetRows(userId), forgetPictures(), endPushes(userId)])
  if (userId !== undefined) await forgetShared()
  const failed = settled.find(each => each.status === 'rejected')
  if (failed) throw failed.reason
}

const here = () => {
  const by = viewing.get()
  return by ? onlookerOf(by) : session.get()?.userId
}

/** Removes data seen by a link. */
export const forgetOnlooker = async (onlooker: number) => {
  localStorage.removeItem(`${ours}.kept.${-onlooker}`)
  const transaction = (await database()).transaction(['kept', 'seen'], 'readwrite')
  void transaction.objectStore('kept').delete(onlooker)
  void transaction.objectStore('seen').delete(allOf(onlooker))
  await Promise.all([transaction.done, forgetPictures()])
}

const forgetRows = async (userId: number | undefined) => {
  const transaction = (await database()).transaction(['kept', 'seen'], 'readwrite')
  const [kept, seen] = [transaction.objectStore('kept'), transaction.objectStore('seen')]
  for (const key of await kept.getAllKeys()) if (key !== userId) void kept.delete(key)
  for (const key of await seen.getAllKeys()) if (key[0] !== userId) void seen.delete(key)
  await transaction.done
}

const registration = () => navigator.serviceWorker?.getRegistration()

const forgetPictures = async () => {
  // The worker may be storing some at this moment.
  ;(await registration())?.active?.postMessage({ left: true })
  await Promise.all([picturesCache, wallCache].map(name => globalThis.caches?.delete(name)))
}

/** Pushes are for the user who asked for them; on their return they are renewed without asking again. */
const endPushes = async (userId: number | undefined) => {
  const worker = await registration()
  if (localStorage.getItem(pushPlace) === String(userId)) return
  for (const shown of (await worker?.getNotifications()) ?? []) shown.close()
  await navigator.clearAppBadge?.().catch(() => {})
  await (await worker?.pushManager?.getSubscription())?.unsubscribe()
}

/** Unsent items wait here for their author. */
export const holdsUnsent = async (): Promise<boolean> => {
  try {
    const open = await database()
    const counts = await Promise.all(unsent.map(store => open.count(store)))
    return counts.some(count => count > 0)
  } catch {
    return false
  }
}

const unsent = ['outbox', 'uploads', 'acts'] as const

/** A user leaves for good: their drafts and unsent items are removed, too. */
export const forgetUnsent = async (userId: number) => {
  for (const place of Object.keys(localStorage)) if (place.startsWith(draftsOf(userId))) localStorage.removeItem(place)
  localStorage.removeItem(pushPlace)
  try {
    await forgetShared()
    const open = await database()
    for (const store of unsent)
      for (const each of await open.getAll(store)) if (each.userId === userId) await open.delete(store, each.at)
  } catch {
    // Nothing was stored.
  }
}
