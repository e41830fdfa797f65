import { ours, publicPath } from './public-path.ts'
import { readKept } from './storage/storage.ts'
import { openStore } from './store.ts'
import { endViewingIfStill, viewing } from './viewing.ts'
import { ownZone } from './zoned.ts'

/** Who is signed in on this device. The token stays in this browser and appears in no address. */
export type Session = {
  token: string
  expiresAt: string
  userId: number
  /** Whether they have no password yet; undefined if that was not stored. */
  guest?: boolean
  /** The event whose link for adding photos alone made this account: it is not for anything else. */
  addsTo?: number
}

const place = `${ours}.session`
const devicePlace = `${ours}.device`

const read = (text: string | null): Session | undefined => {
  const kept = readKept<Session>(text)
  return kept && new Date(kept.expiresAt) > new Date() ? kept : undefined
}

const signedIn = () => (viewing.get() ? undefined : read(localStorage.getItem(place)))
export const session = openStore<Session | undefined>(signedIn())
viewing.follow(() => session.set(signedIn()))

/** What requests are sent with. */
export const bearer = () => viewing.get()?.token ?? session.get()?.token

const endedPlace = `${ours}.ended`
const endedByItself = () => localStorage.getItem(endedPlace) !== null

/** Whether the session ended by itself, which the sign-in page then says, in every tab. */
export const expired = openStore(endedByItself())

/** Of an account that has no password yet. */
export const guestStatus = 5

type SignedIn = { token: string; token_expiration: string; user: { id: number; user_status: number } }

export const begin = ({ token, token_expiration, user }: SignedIn) => {
  const before = session.get()
  const addsTo = before?.userId === user.id ? before.addsTo : undefined
  const started: Session = {
    token,
    expiresAt: token_expiration,
    userId: user.id,
    guest: user.user_status === guestStatus,
    ...(addsTo !== undefined && user.user_status === guestStatus && { addsTo }),
  }
  localStorage.removeItem(endedPlace)
  expired.set(false)
  store(started)
}

const store = (now: Session) => {
  localStorage.setItem(place, JSON.stringify(now))
  session.set(now)
}

/** Of an account that a link for adding photos alone has made. */
export const beginAdding = (made: SignedIn, addsTo: number) => {
  begin(made)
  store({ ...(session.get() as Session), addsTo })
}

/** Who came to add photos is a guest by now. */
export const noLongerOnlyAdds = () => {
  const { addsTo, ...now } = session.get() ?? {}
  if (addsTo !== undefined) store(now as Session)
}

export const end = () => {
  localStorage.removeItem(place)
  session.set(undefined)
}

/** The service no longer knows this token. A newer one, obtained meanwhile by another tab, stays. */
export const endIfStill = (token: string) => {
  if (viewing.get()) return endViewingIfStill(token)
  // Somebody who signed out themselves, with requests still in progress, is not told that the session ended.
  if (localStorage.getItem(place) === null) return follow(null)
  const now = read(localStorage.getItem(place))
  if (now && now.token !== token) return follow(localStorage.getItem(place))
  localStorage.setItem(endedPlace, 'yes')
  expired.set(true)
  end()
}

/** Changes made by another tab. */
const follow = (kept: string | null) => {
  if (viewing.get()) return
  const before = session.get()
  const now = read(kept)
  expired.set(endedByItself())
  session.set(now)
  // Whatever this page still holds in memory is another person's.
  if (before && now && before.userId !== now.userId) location.replace(`${publicPath}/`)
}

window.addEventListener('storage', ({ key, newValue }) => {
  if (key === place) follow(newValue)
})

/** A name for this browser, so that signing in again replaces its session instead of adding one. */
export const deviceId = (): string => {
  const known = localStorage.getItem(devicePlace)
  if (known) return known
  const made = `web-${crypto.getRandomValues(new Uint32Array(4)).join('-')}`
  localStorage.setItem(devicePlace, made)
  return made
}

/** What registration, sign-in and joining say about this device. */
export const thisDevice = () => ({
  device_id: deviceId(),
  user_timezone: ownZone(),
  user_device_platform: 'web',
})
