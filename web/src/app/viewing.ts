import { ours, pathHere } from './public-path.ts'
import { readKept } from './storage/storage.ts'
import { openStore } from './store.ts'

/*
 * Whoever looks by a link is nobody: this page has an event and no user. Its address begins with the link, so an account
 * that is signed in on the same device is in its other pages, as before, and not in this one.
 */

/** What a link gave this browser to look by. */
export type Viewing = { code: string; token: string; expiresAt: string; eventId: number; kind: 'look' | 'screen' }

const places = `${ours}.looking.`

/** What this browser already has for a link. */
export const viewingBy = (code: string): Viewing | undefined => {
  const kept = readKept<Viewing>(localStorage.getItem(places + code))
  return kept && new Date(kept.expiresAt) > new Date() ? kept : undefined
}

const codeHere = /^\/j\/([\w-]+)/.exec(pathHere())?.[1]

/** What this page looks by; undefined for everybody who is somebody. */
export const viewing = openStore(codeHere === undefined ? undefined : viewingBy(codeHere))

export const beginViewing = (begun: Viewing) => {
  localStorage.setItem(places + begun.code, JSON.stringify(begun))
  localStorage.removeItem(darkPlaces + begun.code)
  viewing.set(begun)
}

const darkPlaces = `${ours}.screen-off.`
/** Whether a screen of this browser went off with this link: nobody at the venue needs more than that. */
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

/** Whose stored data that is: a number that no user has stands for whoever looks at an event. */
export const onlookerOf = ({ eventId }: Viewing) => -eventId
