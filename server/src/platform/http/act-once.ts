import { secretKeyLengthMin } from '@afterglow/contract/limits'
import type { Answer, AnyRoute, ParsedInput } from '@afterglow/contract/route'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Database } from '../database/database.ts'
import { deviceNamedBy } from './admission.ts'
import type { HandlerContext, Ready } from './handler-context.ts'
import { type Contents, type IdempotentRequest, idempotencyKeyOf, type Kept, keptReply, once } from './idempotency.ts'
import { isRefusal } from './refusals.ts'

/**
 * How a repeated Idempotency-Key is answered: with what the caller may read now. `keep` says what to store instead of
 * the reply, such as the ID of what was created, which `replay` presents through its door in its current state; a reply
 * that is stored as a whole contains no secrets and no personal text.
 */
export type Replay<R extends AnyRoute, Context> = {
  keep?: (answer: Answer<R>) => unknown
  // biome-ignore lint/suspicious/noExplicitAny: what keep returned, by default the reply.
  replay: (asking: Context, kept: any) => Promise<Answer<R>>
  /** For these requests, the key is stored in the row they create: the handler finds repeats by `rowKey`. */
  inRow?: (input: ParsedInput<R>) => boolean
  /** Distinguishes this request from another one under the same key, where fields and files alone do not. */
  content?: (asking: Context) => Promise<{ input: unknown; files: Contents }>
}

/** The request under its Idempotency-Key, if it has one. */
export const keyedBy = (
  operation: AnyRoute,
  request: FastifyRequest,
  fingerprint: IdempotentRequest['fingerprint'],
): IdempotentRequest | undefined => {
  if (!operation.idempotent) return undefined
  const least = operation.idempotent === 'secret' && !request.viewer ? secretKeyLengthMin : 1
  const chosen = idempotencyKeyOf(request.headers['idempotency-key'], least)
  if (chosen === undefined) return undefined
  // Callers without a token share the user 0: each device's keys are its own.
  const key = request.viewer ? chosen : `${deviceNamedBy(request)} ${chosen}`
  return { userId: request.viewer?.id ?? 0, operation: operation.name, key, fingerprint }
}

type Repeatable<R extends AnyRoute, Context> = {
  db: Database
  keyed: IdempotentRequest
  replay: Replay<R, Context>
  asking: Context
  act: () => Promise<Answer<R> | Ready>
}

/** Acts once per key; a repeat is answered with what the caller may read now. */
export const actOnce = async <R extends AnyRoute, Context extends HandlerContext<R>>(
  { db, keyed, replay, asking, act }: Repeatable<R, Context>,
  reply: FastifyReply,
): Promise<Answer<R> | Ready> => {
  const again = ({ status, body }: Kept) => {
    asking.replayed()
    reply.code(status)
    return replay.replay(asking, body)
  }
  let begun = false
  asking.once = async work => {
    begun = true
    let first: Answer<R> | undefined
    const done = await once(db, keyed, async tx => {
      const answered = await work(tx)
      first = answered
      return { status: reply.statusCode, body: replay.keep ? replay.keep(answered) : answered }
    })
    if (done) return first as Answer<R>
    const kept = await keptReply(db, keyed)
    // The first one's key may have disappeared while this one waited: by its age, or with its account.
    return kept ? again(kept) : asking.once(work)
  }
  const kept = await keptReply(db, keyed)
  if (kept) return again(kept)
  try {
    return await act()
  } catch (refused) {
    // The refusal may be wrong: a twin of this request may just have taken the last place.
    if (begun || !isRefusal(refused)) throw refused
    return asking.once(() => Promise.reject(refused))
  }
}
