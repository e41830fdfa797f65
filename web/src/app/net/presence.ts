import type { AfterglowError } from '@afterglow/sdk/methods'
import { ours, publicPath } from '../public-path.ts'
import { session } from '../session.ts'
import { api, connection, statusOf } from './client.ts'

/** A third less than the time after which a silent app counts as inactive. */
const pingMs = 40_000

/**
 * The service accepts ten of each per minute, from all of a person's pages and browsers: opening one address after
 * another loads more. After this many at once, there is one in `everyMs`, so that two browsers stay within the limit; a
 * third may be refused, and waits for as long as it is told.
 */
const atOnce = 3
const everyMs = 22_000
const windowMs = 60_000
type PresenceState = 'here' | 'gone'
/** Stores the time until which the pings so far last, at one in `everyMs`. */
const placeOf = (word: PresenceState) => `${ours}.presence.${word}.${session.get()?.userId}`
const lastUntil = (word: PresenceState) => {
  const until = Number(localStorage.getItem(placeOf(word)))
  // A clock that was set back must not silence it.
  return until > Date.now() + windowMs + atOnce * everyMs ? Date.now() : Math.max(until, Date.now())
}
/** The time until the next one is allowed. */
const tooEarly = (word: PresenceState) => Math.max(0, lastUntil(word) - Date.now() - (atOnce - 1) * everyMs)
const said = (word: PresenceState) => localStorage.setItem(placeOf(word), String(lastUntil(word) + everyMs))
const wait = (word: PresenceState, seconds = 0) =>
  localStorage.setItem(placeOf(word), String(Date.now() + seconds * 1000 + (atOnce - 1) * everyMs))

/**
 * Reports the app as active while it is visible, and as inactive as soon as it is hidden. Calls back when it is active
 * again: notifications were not sent to it meanwhile. Returns a function to stop.
 */
export const keepPresence = (onReturn: () => void): (() => void) => {
  let timer: ReturnType<typeof setTimeout> | undefined
  const ping = () => {
    timer = setTimeout(follow, pingMs)
    said('here')
    return api.accounts.ping().catch(refused => {
      if (statusOf(refused) === 429) wait('here', (refused as AfterglowError).retryAfterSeconds)
    })
  }
  const pingLate = () => ping().then(onReturn)
  const follow = () => {
    clearTimeout(timer)
    if (document.visibilityState === 'hidden') {
      const early = tooEarly('gone')
      // Sent at once if allowed: a phone runs nothing in a hidden page.
      if (early > 0) timer = setTimeout(leave, early)
      else leave()
      return
    }
    const early = tooEarly('here')
    if (early > 0) timer = setTimeout(pingLate, early)
    else void ping()
  }
  const turn = () => {
    follow()
    if (document.visibilityState === 'visible') onReturn()
  }
  document.addEventListener('visibilitychange', turn)
  window.addEventListener('pagehide', leaveNow)
  follow()
  return () => {
    clearTimeout(timer)
    document.removeEventListener('visibilitychange', turn)
    window.removeEventListener('pagehide', leaveNow)
  }
}

/** If it is too early: a device without a channel becomes inactive by itself, a minute after its last ping. */
const leaveNow = () => {
  if (tooEarly('gone') === 0) leave()
}

/** The request outlives its page. */
const leave = () => {
  const token = connection.token()
  if (!token) return
  said('gone')
  const headers = { Authorization: `Bearer ${token}` }
  void fetch(`${publicPath}/api/realtime/disconnect`, { method: 'PUT', headers, keepalive: true }).catch(() => {})
}
