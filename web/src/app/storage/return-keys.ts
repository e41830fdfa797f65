import { ours } from '../public-path.ts'
import { readKept } from './storage.ts'

/*
 * How guests without a password come back on this device once their session ended by itself: a secret for each, which
 * only this browser has. Only signing out takes it away.
 */

export type ReturnKey = {
  userId: number
  name: string
  eventId: number
  key: string
  /** The service has it. */
  known?: boolean
  /** What replaces it, stored before it is sent: the reply may be lost. */
  next?: string
}

const places = `${ours}.return.`
const placeOf = (userId: number) => places + userId

export const saveReturnKey = (kept: ReturnKey) => localStorage.setItem(placeOf(kept.userId), JSON.stringify(kept))
export const returnKeyOf = (userId: number) => readKept<ReturnKey>(localStorage.getItem(placeOf(userId)))
export const forgetReturnKey = (userId: number) => localStorage.removeItem(placeOf(userId))

/** Everybody who can come back here. */
export const returnKeys = (): ReturnKey[] =>
  Object.keys(localStorage)
    .filter(place => place.startsWith(places))
    .flatMap(place => readKept<ReturnKey>(localStorage.getItem(place)) ?? [])
    .filter(({ known }) => known)
