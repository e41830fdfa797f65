import { publicPath } from '../public-path.ts'
import { viewing } from '../viewing.ts'

/*
 * A page that looks by a link stays at the link's address, which is to be passed on and opened again; to the client it
 * is a page of the event: `/j/CODE/photos` is `/events/5/photos`.
 */

const moved = (address: string, from: string, to: string) =>
  address.startsWith(from) && /^(?:$|[/?#])/.test(address.slice(from.length))
    ? to + address.slice(from.length)
    : undefined

/** What the browser's address is to the client. */
export const pathFrom = (pathname: string): string => {
  const by = viewing.get()
  const path = pathname.slice(publicPath.length) || '/'
  return (by && moved(path, `/j/${by.code}`, `/events/${by.eventId}`)) ?? path
}

/** What one of our addresses is to the browser. */
export const addressFor = (href: string): string => {
  const by = viewing.get()
  return publicPath + ((by && moved(href, `/events/${by.eventId}`, `/j/${by.code}`)) ?? href)
}

/** Whether an address of the browser is one of a page that is somebody's, and not a link's. */
export const isElsewhere = (address: string): boolean => {
  const by = viewing.get()
  return by !== undefined && moved(address, `${publicPath}/j/${by.code}`, '') === undefined
}
