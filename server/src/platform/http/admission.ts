import { isReachable } from '@afterglow/contract/capabilities'
import type { AnyRoute } from '@afterglow/contract/route'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { openAnonymousLimits } from './anonymous-limits.ts'
import type { Body } from './bodies/body.ts'
import { networkOf, type RateLimits, type Spent } from './limits.ts'
import { Unauthenticated } from './refusals.ts'
import { refuseOutsider } from './refuse-outsider.ts'
import { bearerOf, countedAs, type Viewer } from './viewer.ts'

export const tellSpent = (reply: FastifyReply, { limit, remaining }: Spent) => {
  reply.header('X-RateLimit-Limit', limit).header('X-RateLimit-Remaining', remaining)
}

const namedBy = (request: FastifyRequest, field: string): string => {
  const named = (request.body as Body | undefined)?.fields[field]
  return typeof named === 'string' ? named.slice(0, 255) : ''
}
export const deviceNamedBy = (request: FastifyRequest) => namedBy(request, 'device_id')
const subjectNamedBy = (request: FastifyRequest) => deviceNamedBy(request) || namedBy(request, 'user_email')

type Admitting = {
  limits: RateLimits
  findViewer(token: string): Viewer | undefined | Promise<Viewer | undefined>
  /** Registrations and sign-ins per minute from one network. */
  openPerNetwork: number
}

/** The admission hooks of an operation: authentication and rate limits, by whether it needs a bearer token. */
export const openAdmission = ({ limits, findViewer, openPerNetwork }: Admitting) => {
  const strangers = openAnonymousLimits(limits, openPerNetwork)

  const admit =
    (operation: Pick<AnyRoute, 'name' | 'perMinute'> & { refusals?: object }) =>
    async (request: FastifyRequest, reply: FastifyReply) => {
      const token = bearerOf(request)
      const found = token && findViewer(token)
      const viewer = found instanceof Promise ? await found : found
      if (!viewer) throw new Unauthenticated()
      request.viewer = viewer
      tellSpent(reply, await limits.spend(operation.name, countedAs(viewer), operation.perMinute))
      if (viewer.isLinkViewer && !isReachable(operation.name, 'viewer')) refuseOutsider(operation)
    }

  /**
   * Before sign-in, a budget belongs to an address together with the device or mailbox named, so that a venue's guests
   * do not share one.
   */
  const admitStranger = (operation: AnyRoute) => async (request: FastifyRequest, reply: FastifyReply) => {
    if (request.viewer) return
    const admitted = await strangers.admit({
      operation,
      network: networkOf(request.ip),
      subject: subjectNamedBy(request),
    })
    request.stranger = admitted
    tellSpent(reply, admitted.spent)
  }

  /** A client that sends a bearer token means it: an expired one must not silently make it anonymous. */
  const admitEither = (operation: AnyRoute) => {
    const asViewer = admit(operation)
    return async (request: FastifyRequest, reply: FastifyReply) => {
      if (request.headers.authorization !== undefined) await asViewer(request, reply)
    }
  }
  const hooksOf = (operation: AnyRoute) => ({
    ...(operation.open !== true && {
      onRequest: operation.open === 'either' ? admitEither(operation) : admit(operation),
    }),
    ...(operation.open && { preHandler: admitStranger(operation) }),
  })

  return { admit, hooksOf }
}
