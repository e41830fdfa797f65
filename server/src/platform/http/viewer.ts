import type { FastifyRequest } from 'fastify'

/** The caller: a signed-in person on one of their devices. */
export type Viewer = {
  id: number
  /** The row of their device, which is their session. */
  deviceRow: number
  /** Raised when their sessions end: the links that they hold are proven with it. */
  linkEpoch: number
  /** The link of a guest account: it cost just a name, so all guests of one link share what one person has. */
  crowd: string | null
  /** They joined by a link with just a name. */
  isGuest: boolean
  /** The anonymous viewer of a link that makes nobody a guest, one of many behind the same ID. */
  isLinkViewer: boolean
  /** A guest account that came by a link for adding photos alone. */
  cameToAdd: boolean
  /** The account is not a day old. */
  isNew: boolean
}

/** A viewer for acts of the service in somebody's name, outside any session. */
export const actingFor = (id: number): Viewer => ({
  id,
  deviceRow: 0,
  linkEpoch: 0,
  crowd: null,
  isGuest: false,
  isLinkViewer: false,
  cameToAdd: false,
  isNew: false,
})

/**
 * The crowd with which a request shares its turns: accounts that cost nothing, by their link or age, behind one
 * network.
 */
export const crowdAt = ({ crowd, isNew }: Viewer, network: string): string | undefined =>
  crowd !== null ? `${crowd} ${network}` : isNew ? `new ${network}` : undefined

/** The key under which requests are counted: one person, or one of the devices that share a link. */
export const countedAs = ({ id, deviceRow, isLinkViewer }: Viewer): string | number =>
  isLinkViewer ? `${id} ${deviceRow}` : id

/** The bearer token of a request, or undefined. */
export const bearerOf = (request: FastifyRequest): string | undefined => {
  const header = request.headers.authorization
  return header && /^Bearer [\w-]{20,200}$/i.test(header) ? header.slice(7) : undefined
}
