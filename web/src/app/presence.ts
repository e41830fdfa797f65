import { api, connection } from './client.ts'
import { session } from './session.ts'

/** A third less than the time after which a silent app counts as inactive. */
const pingMs = 40_000

/**
 * The service accepts ten of each per minute, from all of a person's pages: opening one address after another loads
 * more.
 */
const atMostEveryMs = 7_000
type Said = 'here' | 'gone'
const placeOf = (word: Said) => `afterglow.presence.${word}.${session.get()?.userId}`
/** The minimum time between two. */
const tooEarly = (word: Said) => {
  const next = Number(localStorage.getItem(placeOf(word))) + atMostEveryMs - Date.now()
  // A clock that was set back must not silence it.
  return next > atMostEveryMs ? 0 : Math.max(0, next)
}
const said = (word: Said) => localStorage.setItem(placeOf(word), String(Date.now()))

/**
 * Reports the app as active while it is visible, and as inactive as soon as it is hidden. Returns a function to stop.
 */
export const keepPresence = (onReturn: () => void): (() => void) => {
  let timer: ReturnType<typeof setTimeout> | undefined
  const ping = () => {
    timer = setTimeout(ping, pingMs)
    said('here')
    void api.accounts.ping().catch(() => {})
  }
  const follow = () => {
    clearTimeout(timer)
    if (document.visibilityState === 'hidden') {
      const early = tooEarly('gone')
      // At once if allowed: a phone runs nothing in a hidden page.
      if (early > 0) timer = setTimeout(leave, early)
      else leave()
      return
    }
    const early = tooEarly('here')
    if (early > 0) timer = setTimeout(ping, early)
    else ping()
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

/** If it is too early: a device whose channel is gone becomes inactive by itself, a minute after its last ping. */
const leaveNow = () => {
  if (tooEarly('gone') === 0) leave()
}

/** Outlives the page that sends it. */
const leave = () => {
  const token = connection.token()
  if (!token) return
  said('gone')
  const headers = { Authorization: `Bearer ${token}` }
  void fetch('/api/realtime/disconnect', { method: 'PUT', headers, keepalive: true }).catch(() => {})
}
