import { api } from '../app/net/client.ts'
import { ours } from '../app/public-path.ts'
import { begin, session } from '../app/session.ts'

/** A session that expires within this time is renewed. */
const renewBeforeMs = 20 * 24 * 60 * 60_000

/** Renews the session of people who visit often enough, so that they never need to sign in again; one tab does it. */
export const refreshWhenDue = () =>
  navigator.locks?.request(`${ours}.refresh`, { ifAvailable: true }, async lock => {
    const now = session.get()
    if (!lock || !now || Date.parse(now.expiresAt) - Date.now() > renewBeforeMs) return
    try {
      begin(await api.accounts.refreshToken())
    } catch {
      // The next visit retries.
    }
  })
