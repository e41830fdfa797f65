/* The fragment of a mailed link must not be logged: across a sign-in it is stored here rather than in an address. */

import { ours } from '../public-path.ts'
import { readKept } from './storage.ts'

const place = `${ours}.carried`
type Carried = { path: string; hash: string }

export const carry = (carried: Carried) => {
  if (carried.hash) sessionStorage.setItem(place, JSON.stringify(carried))
}

/** The fragment stored for this page. */
export const carriedTo = (path: string): string => {
  const carried = readKept<Carried>(sessionStorage.getItem(place))
  return carried?.path === path ? carried.hash : ''
}

export const arrived = () => sessionStorage.removeItem(place)
