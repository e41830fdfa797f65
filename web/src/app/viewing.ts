import { ours, pathHere } from './public-path.ts'
import { readKept } from './storage/storage.ts'
import { openStore } from './store.ts'

/*
 * A viewer by a link has no account: this page has an event and no user. Its address begins with the link, so an
 * account on the same device stays signed in on its other pages, and not on this one.
 */

/** The viewing session that a link gave this browser. */
export type Viewing = { code: string; token: string; expiresAt: string; eventId: number; kind: 'look' | 'screen' }

const places = `${ours}.looking.`
export const placeOf = (code: string) => places + code

/** This browser's viewing session for a link. */
export const viewingBy = (code: string): Viewing | undefined => {
  const kept = readKept<Viewing>(localStorage.getItem(places + code))
  return kept && new Date(kept.expiresAt) > new Date() ? kept : undefined
}

const codeHere = /^\/j\/([\w-]+)/.exec(pathHere())?.[1]

/** All that this browser keeps, also of links that have ended since. */
export const keptViewings = () =>
  Object.keys(localStorage)
    .filter(place => place.startsWith(places))
    .flatMap(place => readKept<Viewing>(localStorage.getItem(place)) ?? [])

/** This page's viewing session; undefined for users with an account. */
export const viewing = openStore(codeHere === undefined ? undefined : viewingBy(codeHere))

export const beginViewing = (begun: Viewing) => {
  localStorage.setItem(places + begun.code, JSON.stringify(begun))
  localStorage.removeItem(darkPlaces + begun.code)
  viewing.set(begun)
}

const darkPlaces = `${ours}.screen-off.`
/** A screen of this browser went off with this link: nobody at the venue needs more than that. */
export const wentOff = (code: string) => localStorage.getItem(darkPlaces + code) !== null

/** The service no longer knows this token. A newer one, which another tab obtained meanwhile, takes its place. */
export const endViewingIfStill = (token: string) => {
  const now = viewing.get()
  if (now?.token !== token) return
  const newer = viewingBy(now.code)
  if (newer && newer.token !== token) return viewing.set(newer)
  if (now.kind === 'screen') localStorage.setItem(darkPlaces + now.code, 'yes')
  localStorage.removeItem(places + now.code)
  viewing.set(undefined)
}

/** Another tab has found the link closed. */
window.addEventListener('storage', ({ key, newValue }) => {
  const now = viewing.get()
  if (now && key === places + now.code && newValue === null) viewing.set(undefined)
})

/** The owner of stored data for a viewer by a link: a number that no user has. */
export const onlookerOf = ({ eventId }: Viewing) => -eventId
