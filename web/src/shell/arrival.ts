import { nextOf } from '../accounts/entry/next.ts'
import { queryClient } from '../app/cache/query.ts'
import type { Visit } from '../app/router/history.ts'
import type { Page } from '../app/router/page-code.ts'
import type { Table } from '../app/router/page-finder.ts'
import { hrefOf, searchIn } from '../app/router/router.tsx'
import { session } from '../app/session.ts'
import { keptLinks } from '../app/storage/join-code.ts'
import { carry } from '../app/storage/mailed-hash.ts'
import { viewing } from '../app/viewing.ts'
import { eventQuery } from '../events/queries.ts'
import { ownPhotos } from '../gallery/own-photos.ts'
import { missing, pages, pagesByLink, pagesSignedOut, shell } from './page-table.ts'

/** The pages that exist for this account. */
export const pagesNow = (): Table => {
  const by = viewing.get()
  return by ? pagesByLink[by.kind] : session.get() ? pages : pagesSignedOut
}

/** Pages before signing in, which signed-in people skip. */
const entrances = [pages['/'], pages['/sign-in'], pages['/register']]

/** All that there is for somebody who only adds photos; without "by" an album is everybody's. */
const adding = [pages['/events/:eventId/photos'], pages['/events/:eventId/photos/:photoId'], pages['/settings/claim']]
const isAdding = ({ path, search }: Visit, page: Page) =>
  adding.includes(page) && (!path.includes('/photos') || searchIn(search).by !== undefined)

/** Where a visitor is led instead: to the link whose short code was typed, to sign in and back, or past that. */
export const redirect = (visit: Visit, page: Page): string | undefined => {
  const { path, search, hash } = visit
  const by = viewing.get()
  if (by) return page === missing ? `/events/${by.eventId}` : undefined
  const typed = page === missing ? shortCodeAt(path) : undefined
  if (typed) return hrefOf({ to: '/j/:code', params: typed }) + typed.place + search + hash
  const now = session.get()
  const isIn = now !== undefined
  if (now?.addsTo !== undefined && (page[0] === shell || entrances.includes(page)) && !isAdding(visit, page))
    return ownPhotos(now.addsTo, now.userId)
  if (isIn && entrances.includes(page)) return nextOf(searchIn(search)).next ?? '/events?home=1'
  if (isIn || page[0] !== shell) return undefined
  // Nobody has a password who only added photos: their link says whether it is closed.
  const added = keptLinks().find(({ eventId, adds }) => adds && path.startsWith(`/events/${eventId}/`))
  if (added?.code) return hrefOf({ to: '/j/:code', params: { code: added.code } })
  carry({ path, hash })
  return hrefOf({ to: '/sign-in', search: { next: path + search } })
}

/**
 * What reads like a short code, of an address that is nothing else but a page behind it: letters and four digits,
 * whatever is between them.
 */
const shortCodeAt = (path: string): { code: string; place: string } | undefined => {
  try {
    const [, code, place = ''] =
      /^\/([\p{L}\d]{3,7}[^\p{L}\d/]{0,3}[\p{Nd}oilzsb]{4})(\/(?:photos|chat|wall)(?:\/\d+)?)?\/?$/iu.exec(
        decodeURIComponent(path),
      ) ?? []
    return code === undefined ? undefined : { code, place }
  } catch {
    return undefined
  }
}

const showEvent = [
  pages['/events/:eventId'],
  pages['/events/:eventId/photos'],
  pages['/events/:eventId/photos/:photoId'],
  pages['/events/:eventId/chat'],
]
const showProviders = [...entrances, pages['/settings/account'], pages['/settings/claim']]

/** Requests what a page shows first while its code is loading: it arrives a round trip sooner. */
export const prepare = (page: Page, { eventId }: { eventId?: number | string }): Promise<void> | undefined => {
  if (viewing.get() || showEvent.includes(page)) void queryClient.prefetchQuery(eventQuery(Number(eventId)))
  return showProviders.includes(page)
    ? import('../accounts/entry/providers-ahead.ts').then(({ providersAhead }) => providersAhead()).catch(() => {})
    : undefined
}
