import { ours } from '../public-path.ts'
import { session } from '../session.ts'
import { readKept } from './storage.ts'

/* The code by which this browser joined an event: its holder may show it, such as the venue's screen. */

/** `adds`: by a link for adding photos alone. */
type Came = { userId?: number; code?: string; name?: string; adds?: boolean }

const places = `${ours}.came-by.`
const cameTo = (eventId: number | string): Came => readKept(localStorage.getItem(places + eventId)) ?? {}

export const keepCode = (eventId: number, { code, name, adds }: Required<Omit<Came, 'userId'>>) =>
  localStorage.setItem(places + eventId, JSON.stringify({ userId: session.get()?.userId, code, name, adds }))

/** Undefined for another user who signed in here later. */
export const keptCode = (eventId: number): string | undefined => {
  const { userId, code } = cameTo(eventId)
  return userId === session.get()?.userId ? code : undefined
}

/** The links by which users joined here: the way back for those without a password. */
export const keptLinks = () =>
  Object.keys(localStorage)
    .filter(place => place.startsWith(places))
    .map(place => ({ eventId: Number(place.slice(places.length)), ...cameTo(place.slice(places.length)) }))

/** The event that the current user joined with this code. */
export const enteredBy = (code: string): number | undefined =>
  keptLinks().find(link => link.code === code && link.userId === session.get()?.userId)?.eventId

export const forgetLinks = () => {
  for (const { eventId } of keptLinks()) localStorage.removeItem(places + eventId)
}
