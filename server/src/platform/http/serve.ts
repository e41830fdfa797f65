import { secretKeyLengthMin } from '@afterglow/contract/limits'
import type { Answer, AnyRoute, Given, Route } from '@afterglow/contract/route'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { z } from 'zod'
import { askedBy } from '../asked-by.ts'
import type { Database, Db } from '../database.ts'
import type { Turn } from '../fair-queue.ts'
import type { ReceivedFile } from '../media/incoming.ts'
import { type Body, discard } from './body.ts'
import { goneSignal } from './gone.ts'
import { fingerprintOf, idempotencyKeyOf, type Kept, keptReply, once, type RowKey, rowKeyOf } from './idempotency.ts'
import { readInput } from './input.ts'
import { type Language, languageOf } from './language.ts'
import { networkOf, type RateLimits, type Spent } from './limits.ts'
import type { FileLimits } from './multipart.ts'
import { type Envelope, envelope } from './pages.ts'
import { isRefusal, Unauthenticated } from './refusals.ts'
import { type Admitted, openStrangers } from './strangers.ts'
import type { Urls } from './urls.ts'
import { bearerOf, type Viewer } from './viewer.ts'

/** What a handler may use of its request. */
export type Asking<R extends AnyRoute> = {
  db: Database
  /** Does the act that an idempotent operation is for: once for its key. The work gets the key's transaction, or the pool. */
  once(work: (db: Db) => Promise<Answer<R>>): Promise<Answer<R>>
  /** The request's Idempotency-Key, of an operation that keeps it in the row of what it makes (`Replay.inRow`). */
  rowKey: RowKey | undefined
  /** Marks the reply as that of a repeat. */
  replayed(): void
  input: Given<R>
  files: Record<string, ReceivedFile[]>
  urls: Urls
  /** What the caller would rather read, for words that leave by mail. */
  language: Language
  /** What this is done for, for work that waits in a queue: the viewer, or the network of a stranger. */
  turn(): Turn
  /** Whether the reply carries `extra`. */
  extra: boolean
  /** Marks the reply as 201: something new was made. */
  created(): void
  /** The list envelope around up to page_length + 1 rows. */
  page<Row, Item>(rows: readonly Row[], present: (row: Row) => Item): Envelope<Item>
}
export type AskingAs<R extends AnyRoute> = Asking<R> & { viewer: Viewer }
/** Of an operation that takes a bearer or none. */
export type AskingEither<R extends AnyRoute> = Asking<R> & {
  caller: { viewer: Viewer; token: string } | undefined
  /** The address that the request came from, as limits count it. */
  network: string
}

/** A reply that is JSON already, in UTF-8. */
export class Ready {
  readonly json: Buffer
  constructor(json: Buffer) {
    this.json = json
  }
}

/**
 * How a repeated Idempotency-Key is answered: with what the caller may read now. `keep` says what to store instead of the
 * reply, such as the id of what was made, which `replay` shows through its door as it stands; a reply that is kept whole
 * holds no secret and nobody's words.
 */
export type Replay<R extends AnyRoute, Context> = {
  keep?: (answer: Answer<R>) => unknown
  // biome-ignore lint/suspicious/noExplicitAny: what keep returned, by default the reply.
  replay: (asking: Context, kept: any) => Promise<Answer<R>>
  /** Of these requests the key is kept in the row of what they make: the handler finds repeats by `rowKey`. */
  inRow?: (input: Given<R>) => boolean
}

export type Serving = {
  server: FastifyInstance
  db: Database
  limits: RateLimits
  fileLimits: FileLimits
  urls(request: FastifyRequest): Urls
  findViewer(token: string): Viewer | undefined | Promise<Viewer | undefined>
  /** Registrations and sign-ins a minute from one network. */
  openPerNetwork: number
  /** In tests: every reply is parsed against the closed contract before it is sent. */
  checkReplies: boolean
}

type Handler<R extends AnyRoute, Context> = (asking: Context) => Promise<Answer<R> | Ready>

declare module 'fastify' {
  interface FastifyRequest {
    viewer: Viewer | undefined
    stranger: Admitted | undefined
  }
  interface FastifyContextConfig {
    operation?: Pick<Route, 'name' | 'files' | 'refusals'>
  }
}

export const tellSpent = (reply: FastifyReply, { limit, remaining }: Spent) => {
  reply.header('X-RateLimit-Limit', limit).header('X-RateLimit-Remaining', remaining)
}

const namedBy = (request: FastifyRequest, field: string): string => {
  const named = (request.body as Body | undefined)?.fields[field]
  return typeof named === 'string' ? named.slice(0, 255) : ''
}
const deviceNamedBy = (request: FastifyRequest) => namedBy(request, 'device_id')
const subjectNamedBy = (request: FastifyRequest) => deviceNamedBy(request) || namedBy(request, 'user_email')

/** Opens the way from a contract's operation to its handler: bearer → limit → validation → handler → reply. */
export const openServing = (serving: Serving) => {
  const { server, db, limits, fileLimits, findViewer, checkReplies } = serving
  server.decorateRequest('viewer', undefined)
  server.decorateRequest('stranger', undefined)
  const strangers = openStrangers(limits, serving.openPerNetwork)

  const admit =
    (operation: Pick<AnyRoute, 'name' | 'perMinute'>) => async (request: FastifyRequest, reply: FastifyReply) => {
      const token = bearerOf(request)
      const found = token && findViewer(token)
      const viewer = found instanceof Promise ? await found : found
      if (!viewer) throw new Unauthenticated()
      request.viewer = viewer
      tellSpent(reply, await limits.spend(operation.name, viewer.id, operation.perMinute))
    }

  /** Before login a budget belongs to an address and the device or mailbox that is named, so that a venue's guests do not share one. */
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

  /** Who sends a bearer means it: one that has ended must not quietly become a stranger. */
  const admitEither = (operation: AnyRoute) => {
    const asViewer = admit(operation)
    return async (request: FastifyRequest, reply: FastifyReply) => {
      if (request.headers.authorization !== undefined) await asViewer(request, reply)
    }
  }
  const admitted = (operation: AnyRoute) => ({
    ...(operation.open !== true && {
      onRequest: operation.open === 'either' ? admitEither(operation) : admit(operation),
    }),
    ...(operation.open && { preHandler: admitStranger(operation) }),
  })

  const answer = async <R extends AnyRoute, Context extends Asking<R>>(
    operation: R,
    handler: Handler<R, Context>,
    replay: Replay<R, Context> | undefined,
    request: FastifyRequest,
    reply: FastifyReply,
  ) => {
    const { input, files } = readInput(operation, request, fileLimits)
    const urls = serving.urls(request)
    let status = 200
    const asking = {
      db,
      once: (work: (db: Db) => Promise<Answer<R>>) => work(db),
      rowKey: undefined as RowKey | undefined,
      replayed: () => {
        reply.header('Idempotency-Replayed', 'true')
      },
      input,
      files,
      urls,
      viewer: request.viewer,
      ...(operation.open === 'either' && {
        caller: request.viewer && { viewer: request.viewer, token: bearerOf(request) },
        network: networkOf(request.ip),
      }),
      language: languageOf(request.headers['accept-language']),
      turn: () => ({
        who: request.viewer ? `user ${request.viewer.id}` : `network ${networkOf(request.ip)}`,
        gone: goneSignal(reply),
      }),
      extra: (request.query as { include?: unknown }).include === 'extra',
      created: () => {
        status = 201
      },
      page: (rows: readonly unknown[], present: (row: unknown) => unknown) =>
        envelope(urls.origin + request.url, input as { page: number; page_length: number }, rows, present),
    } as unknown as Context

    const least = operation.idempotent === 'secret' && !request.viewer ? secretKeyLengthMin : 1
    const chosen = operation.idempotent ? idempotencyKeyOf(request.headers['idempotency-key'], least) : undefined
    if (chosen === undefined || !replay) return { body: await handler(asking), code: () => status }

    const userId = request.viewer?.id ?? 0
    // Strangers share the user 0: each device's keys are its own.
    const key = request.viewer ? chosen : `${deviceNamedBy(request)} ${chosen}`
    const keyed = { userId, operation: operation.name, key, fingerprint: fingerprintOf(input, files) }
    if (replay.inRow?.(input as Given<R>)) {
      asking.rowKey = rowKeyOf(keyed)
      return { body: await handler(asking), code: () => status }
    }
    const again = async ({ status: first, body }: Kept) => {
      asking.replayed()
      status = first
      return replay.replay(asking, body)
    }
    asking.once = async work => {
      let first: Answer<R> | undefined
      const done = await once(db, keyed, async tx => {
        const answered = await work(tx)
        first = answered
        return { status, body: replay.keep ? replay.keep(answered) : answered }
      })
      return done ? (first as Answer<R>) : again((await keptReply(db, keyed)) as Kept)
    }
    const kept = await keptReply(db, keyed)
    return { body: kept ? await again(kept) : await handler(asking), code: () => status }
  }

  const mount = <R extends AnyRoute, Context extends Asking<R>>(
    operation: R,
    handler: Handler<R, Context>,
    replay?: Replay<R, Context>,
  ) => {
    if (operation.idempotent && !replay) throw new Error(`${operation.name} does not say how its replies are replayed`)
    const check = checkReplies ? (body: unknown) => (operation.reply as z.ZodType).parse(body) : undefined
    for (const [method, path] of operation.at) {
      server.route({
        method,
        url: `/${path.replaceAll(/\{(\w+)\}/g, ':$1')}`,
        config: { operation },
        ...admitted(operation),
        handler: async (request, reply) => {
          try {
            const work = () => answer(operation, handler, replay, request, reply)
            const { body, code } = await askedBy(request.id, work)
            check?.(body instanceof Ready ? JSON.parse(body.json.toString()) : JSON.parse(JSON.stringify(body)))
            reply.code(code())
            if (body instanceof Ready) return reply.type('application/json; charset=utf-8').send(body.json)
            return reply.send(body)
          } catch (error) {
            if (isRefusal(error)) await request.stranger?.failed()
            throw error
          } finally {
            await discard(request.body as Body | undefined)
          }
        },
      })
    }
  }

  return {
    /** A hook: the bearer's viewer, and one request of their budget for an operation whose bodies are bytes. */
    admit,
    /** An operation for a signed-in viewer. */
    serve: <R extends AnyRoute>(operation: R, handler: Handler<R, AskingAs<R>>, replay?: Replay<R, AskingAs<R>>) =>
      mount<R, AskingAs<R>>(operation, handler, replay),
    /** An operation without a bearer. */
    serveOpen: <R extends AnyRoute>(operation: R, handler: Handler<R, Asking<R>>, replay?: Replay<R, Asking<R>>) =>
      mount<R, Asking<R>>(operation, handler, replay),
    /** An operation that takes a bearer or none. */
    serveEither: <R extends AnyRoute>(
      operation: R,
      handler: Handler<R, AskingEither<R>>,
      replay?: Replay<R, AskingEither<R>>,
    ) => mount<R, AskingEither<R>>(operation, handler, replay),
  }
}

export type Serve = ReturnType<typeof openServing>['serve']
export type Admit = ReturnType<typeof openServing>['admit']
export type ServeOpen = ReturnType<typeof openServing>['serveOpen']
export type ServeEither = ReturnType<typeof openServing>['serveEither']
