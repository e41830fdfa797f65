import { ours } from '../public-path.ts'
import { readKept } from './storage.ts'

/*
 * Return keys let guests without a password sign in again on this device after their session ended by itself: a secret
 * for each, which only this browser has. Only signing out removes it.
 */

export type ReturnKey = {
  userId: number
  name: string
  eventId: number
  key: string
  /** The service has it. */
  known?: boolean
  /** Its replacement, stored before it is sent: the reply may be lost. */
  next?: string
}

const places = `${ours}.return.`
const placeOf = (userId: number) => places + userId

export const saveReturnKey = (kept: ReturnKey) => localStorage.setItem(placeOf(kept.userId), JSON.stringify(kept))
export const returnKeyOf = (userId: number) => readKept<ReturnKey>(localStorage.getItem(placeOf(userId)))
export const forgetReturnKey = (userId: number) => localStorage.removeItem(placeOf(userId))

/** Every guest who can return here. */
export const returnKeys = (): ReturnKey[] =>
  Object.keys(localStorage)
    .filter(place => place.startsWith(places))
    .flatMap(place => readKept<ReturnKey>(localStorage.getItem(place)) ?? [])
    .filter(({ known }) => known)
