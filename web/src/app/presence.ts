import { api, connection } from './client.ts'

/** A third less than the time after which a silent app counts as inactive. */
const pingMs = 40_000

/** Says that the app is looked at while it is, and that it is not as soon as it is hidden. Returns how to stop. */
export const keepPresence = (onReturn: () => void): (() => void) => {
  let timer: ReturnType<typeof setInterval> | undefined
  const ping = () => void api.accounts.ping().catch(() => {})
  const follow = () => {
    clearInterval(timer)
    if (document.visibilityState === 'hidden') return leave()
    ping()
    timer = setInterval(ping, pingMs)
  }
  const turn = () => {
    follow()
    if (document.visibilityState === 'visible') onReturn()
  }
  document.addEventListener('visibilitychange', turn)
  window.addEventListener('pagehide', leave)
  follow()
  return () => {
    clearInterval(timer)
    document.removeEventListener('visibilitychange', turn)
    window.removeEventListener('pagehide', leave)
  }
}

/** Outlives the page that sends it. */
const leave = () => {
  const token = connection.token()
  if (!token) return
  const headers = { Authorization: `Bearer ${token}` }
  void fetch('/api/realtime/disconnect', { method: 'PUT', headers, keepalive: true }).catch(() => {})
}
