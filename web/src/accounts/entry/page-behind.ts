import type { Visit } from '../../app/router/history.ts'

/* What an address means in which a link's code is followed by a page of the event: `/j/CODE/photos/9` is that photo. */

type Place = Pick<Visit, 'path' | 'search' | 'hash'>

const placeIn = ({ path, search, hash }: Place) => {
  const [, page = ''] = /^\/j\/[^/]+(\/(?:photos(?:\/\d+)?|chat|wall))\/?$/.exec(path) ?? []
  return page + search + hash
}

/** The page of the event, for its members. */
export const pageBehind = (visit: Place, eventId: number) => `/events/${eventId}${placeIn(visit)}`

/** The same place behind another code of the link. */
export const behindCode = (visit: Place, code: string) => `/j/${code}${placeIn(visit)}`
