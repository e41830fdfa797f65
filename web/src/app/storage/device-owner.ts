import { queryClient } from '../cache/query.ts'
import { loaded } from '../net/network.ts'
import { address, ours } from '../public-path.ts'
import { session } from '../session.ts'
import { endViewingIfStill, keptViewings, onlookerOf, placeOf, type Viewing, viewing } from '../viewing.ts'

/*
 * Stored data belongs to one user. Once they are no longer signed in here, however and in whichever tab that ended,
 * everything is removed that could show it to the next: data they saw, its pictures, pushes. Their unsent items stay,
 * for them alone. If a page ends in the middle, the next one finishes.
 */

const place = `${ours}.owner`

const clearIfLeft = () => {
  if (viewing.get()) return
  // Browsers from before this was stored hold a user's data as well.
  const owner = localStorage.getItem(place) ?? localStorage.getItem(`${ours}.kept`)
  const userId = session.get()?.userId
  if (owner === String(userId)) return
  if (owner === null) return own(userId)
  queryClient.clear()
  void clear(userId).catch(() => {})
}

const clear = async (userId: number | undefined) => {
  const { forgetSeen } = await loaded(() => import('../cache/persisted-cache.ts'))
  await forgetSeen(userId)
  if (session.get()?.userId === userId) own(userId)
}

const own = (userId: number | undefined) => {
  if (userId === undefined) localStorage.removeItem(place)
  else localStorage.setItem(place, String(userId))
}

session.follow(clearIfLeft)
clearIfLeft()

/** A closed link shows nothing any more, not even data seen by it before. */
const forgetLink = async (ended: Viewing) => {
  const { forgetOnlooker } = await loaded(() => import('../cache/persisted-cache.ts'))
  await forgetOnlooker(onlookerOf(ended))
}

/**
 * Nobody may open the page of a link that has ended, on a device that others use: any page of this browser looks after
 * those that it keeps. Without a network only the time is known.
 */
const forgetEndedLinks = async () => {
  for (const kept of keptViewings()) {
    const isOver = new Date(kept.expiresAt) <= new Date() || (await statusOf(kept).catch(() => 0)) === 401
    if (!isOver) continue
    if (viewing.get()?.token === kept.token) endViewingIfStill(kept.token)
    else {
      localStorage.removeItem(placeOf(kept.code))
      await forgetLink(kept)
    }
  }
}

const statusOf = async ({ token, eventId }: Viewing) => {
  const headers = { Authorization: `Bearer ${token}` }
  return (await fetch(`${address}/api/event/details/${eventId}`, { headers })).status
}

const lookAfterMs = 60 * 60_000
const lookAfterLinks = () => void forgetEndedLinks().catch(() => {})
setTimeout(lookAfterLinks, 2000)
setInterval(lookAfterLinks, lookAfterMs)

let looked = viewing.get()
viewing.follow(now => {
  const before = looked
  looked = now
  if (before && now) return
  queryClient.clear()
  if (before) void forgetLink(before).catch(() => {})
})
