import type { FastifyRequest } from 'fastify'

/** The caller: a signed-in person on one of their devices. */
export type Viewer = {
  id: number
  /** The row of their device, which is their session. */
  deviceRow: number
}

/** The bearer token of a request, or undefined. */
export const bearerOf = (request: FastifyRequest): string | undefined => {
  const header = request.headers.authorization
  return header && /^Bearer [\w-]{20,200}$/i.test(header) ? header.slice(7) : undefined
}
