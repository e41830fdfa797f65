import { publicPath } from '../public-path.ts'
import { viewing } from '../viewing.ts'

/*
 * A page viewed by a link stays at the link's address, which can be shared and reopened; to the client it is a page of
 * the event: `/j/CODE/photos` is `/events/5/photos`.
 */

const moved = (address: string, from: string, to: string) =>
  address.startsWith(from) && /^(?:$|[/?#])/.test(address.slice(from.length))
    ? to + address.slice(from.length)
    : undefined

/** The client's address for the browser's. */
export const pathFrom = (pathname: string): string => {
  const by = viewing.get()
  const path = pathname.slice(publicPath.length) || '/'
  return (by && moved(path, `/j/${by.code}`, `/events/${by.eventId}`)) ?? path
}

/** The browser's address for one of ours. */
export const addressFor = (href: string): string => {
  const by = viewing.get()
  return publicPath + ((by && moved(href, `/events/${by.eventId}`, `/j/${by.code}`)) ?? href)
}

/** True if the address belongs to a user's page, and not to a link's. */
export const isElsewhere = (address: string): boolean => {
  const by = viewing.get()
  return by !== undefined && moved(address, `${publicPath}/j/${by.code}`, '') === undefined
}
