import { invalidCode, notForLinkCode } from '@afterglow/contract/refusal-codes'
import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify'
import { isDatabaseAway } from '../database/database-away.ts'
import { DecoderEnded } from '../media/pictures/decoders/decoder.ts'
import { StorageFailed } from '../media/storage/storage.ts'
import { ToolEnded } from '../video/run.ts'
import { Invalid, NotForLink, Refused, TooMany, Unauthenticated, Unavailable, Unreadable } from './refusals.ts'

const unreadable: Record<string, string> = {
  FST_ERR_CTP_BODY_TOO_LARGE: 'The body is too large.',
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: 'The body does not have the announced length.',
  FST_ERR_BAD_URL: 'The URL is malformed.',
}

const tellLimit = (reply: FastifyReply, { limit, msBeforeReset }: TooMany) =>
  reply
    .header('X-RateLimit-Limit', limit)
    .header('X-RateLimit-Remaining', 0)
    .header('Retry-After', Math.max(1, Math.ceil(msBeforeReset / 1000)))
    .header('X-RateLimit-Reset', Math.ceil((Date.now() + msBeforeReset) / 1000))

const storageRetrySeconds = 30
const databaseRetrySeconds = 5
const decoderRetrySeconds = 5
const tellAway = (reply: FastifyReply, message: string, retryAfterSeconds: number) =>
  reply.code(503).header('Retry-After', retryAfterSeconds).send({ message })

/**
 * Turns whatever was thrown into the documented reply. Anything unknown here is our error: 500, with the reason in the
 * log.
 */
export const answerError = (error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply => {
  const operation = request.actsAs ?? request.routeOptions.config.operation
  if (error instanceof Refused) {
    const refusal = operation?.refusals[error.code]
    if (refusal) reply.header('X-Refusal', error.code)
    if (refusal?.status === 404) return reply.code(404).type('text/plain; charset=utf-8').send(refusal.text)
    if (refusal) {
      const { status, ...body } = refusal
      return reply.code(status).send(body)
    }
  }
  if (error instanceof Invalid) return reply.code(400).header('X-Refusal', invalidCode).send(error.body)
  if (error instanceof NotForLink)
    return reply.code(400).header('X-Refusal', notForLinkCode).send({ error_message: error.message })
  if (error instanceof Unreadable) return reply.code(400).send({ error_message: error.message })
  if (error instanceof Unauthenticated)
    return reply.code(401).header('WWW-Authenticate', 'Bearer').send({ message: 'Unauthenticated.' })
  if (error instanceof TooMany) return tellLimit(reply, error).code(429).send({ message: 'Too Many Attempts.' })
  if (error instanceof Unavailable) return tellAway(reply, error.message, error.retryAfterSeconds)

  const { code, statusCode } = error as FastifyError
  if (statusCode && statusCode >= 400 && statusCode < 500)
    return reply.code(400).send({ error_message: unreadable[code] ?? 'The request cannot be read.' })
  if (error instanceof StorageFailed) {
    request.log.error({ err: error, request: request.id, operation: operation?.name }, 'the storage cannot serve')
    return tellAway(reply, 'Service Unavailable', storageRetrySeconds)
  }
  if (isDatabaseAway(error)) {
    request.log.error({ err: error, request: request.id, operation: operation?.name }, 'the database cannot serve')
    return tellAway(reply, 'Service Unavailable', databaseRetrySeconds)
  }
  // The file's own faults have become refusals by now.
  if (error instanceof ToolEnded || error instanceof DecoderEnded) {
    request.log.warn(
      { err: error, request: request.id, operation: operation?.name },
      'a file could not be read just now',
    )
    return tellAway(reply, 'Service Unavailable', decoderRetrySeconds)
  }
  request.log.error({ err: error, request: request.id, operation: operation?.name }, 'request failed')
  return reply.code(500).send({ message: 'Server Error' })
}
