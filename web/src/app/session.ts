import { ours, publicPath } from './public-path.ts'
import { readKept } from './storage/storage.ts'
import { openStore } from './store.ts'
import { ownZone } from './time-zones.ts'
import { endViewingIfStill, viewing } from './viewing.ts'

/** The user who is signed in on this device. The token stays in this browser and appears in no address. */
export type Session = {
  token: string
  expiresAt: string
  userId: number
  /** They have no password yet; undefined if that was not stored. */
  guest?: boolean
  /** The event whose link for adding photos created this account: it serves for nothing else. */
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

/** The bearer token of requests. */
export const bearer = () => viewing.get()?.token ?? session.get()?.token

const endedPlace = `${ours}.ended`
const endedByItself = () => localStorage.getItem(endedPlace) !== null

/** True after the session ended by itself, which the sign-in page then says, in every tab. */
export const expired = openStore(endedByItself())

/** The status of an account without a password. */
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

/** Signs in to an account that a link for adding photos has created. */
export const beginAdding = (made: SignedIn, addsTo: number) => {
  begin(made)
  store({ ...(session.get() as Session), addsTo })
}

/** A user who came to add photos is now a guest. */
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
  // A user who signed out, with requests still in progress, is not told that the session ended.
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
  // The page's memory still belongs to the previous user.
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

/** The description of this device for registration, sign-in and joining. */
export const thisDevice = () => ({
  device_id: deviceId(),
  user_timezone: ownZone(),
  user_device_platform: 'web',
})
