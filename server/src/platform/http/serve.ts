import type { Language } from '@afterglow/contract/languages'
import { secretKeyLengthMin } from '@afterglow/contract/limits'
import { type Answer, type AnyRoute, type Given, listsIn, type Route } from '@afterglow/contract/route'
import type { ValidationBody } from '@afterglow/contract/sentences'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { z } from 'zod'
import type { Database, Db } from '../database/database.ts'
import type { Turn } from '../jobs/fair-queue.ts'
import type { ReceivedFile } from '../media/received-file.ts'
import { askedBy } from '../observability/request-context.ts'
import { goneSignal } from './abort-signal.ts'
import { type Body, discard } from './body.ts'
import { fingerprintOf, idempotencyKeyOf, type Kept, keptReply, once, type RowKey, rowKeyOf } from './idempotency.ts'
import { fieldsOf, readInput } from './input.ts'
import { languageAsked, languageOf } from './language.ts'
import { networkOf, type RateLimits, type Spent } from './limits.ts'
import { isForm, methodMeant } from './method-override.ts'
import type { FileLimits } from './multipart.ts'
import { type Envelope, envelope, pageAround, type WriteItems } from './pages.ts'
import { Invalid, isRefusal, Unauthenticated } from './refusals.ts'
import { type Admitted, openStrangers } from './strangers.ts'
import type { Urls } from './urls.ts'
import { bearerOf, type Viewer } from './viewer.ts'

/** What a handler may use of its request. */
export type Asking<R extends AnyRoute> = {
  db: Database
  /** Runs the act of an idempotent operation once per key. The work receives the key's transaction, or the pool. */
  once(work: (db: Db) => Promise<Answer<R>>): Promise<Answer<R>>
  /** The request's Idempotency-Key, for an operation that stores it in the row it creates (`Replay.inRow`). */
  rowKey: RowKey | undefined
  /** Marks the reply as that of a repeat. */
  replayed(): void
  input: Given<R>
  files: Record<string, ReceivedFile[]>
  urls: Urls
  /** The caller's preferred language, for text sent by mail. */
  language: Language
  /** The same; undefined if they prefer none that we support. */
  languageAsked: Language | undefined
  /** Declares the language of the reply. */
  speaks(language: Language): void
  /** Whom queued work is done for: the viewer, or the network of a caller without a token. */
  turn(): Turn
  /** Whether the reply contains `extra`. */
  extra: boolean
  /** Marks the reply as 201: something was created. */
  created(): void
  /** The list envelope around up to page_length + 1 rows. */
  page<Row, Item>(rows: readonly Row[], present: (row: Row) => Item): Envelope<Item>
  /** The same around items that write themselves as JSON, if up to page_length + 1 were found. */
  readyPage(found: number, items: WriteItems): Ready
}
export type AskingAs<R extends AnyRoute> = Asking<R> & { viewer: Viewer }
/** For an operation without a bearer token. */
export type AskingOpen<R extends AnyRoute> = Asking<R> & {
  /** The address that the request came from, as limits count it. */
  network: string
}
/** For an operation with an optional bearer token. */
export type AskingEither<R extends AnyRoute> = AskingOpen<R> & {
  caller: { viewer: Viewer; token: string } | undefined
}

/** A reply that is already JSON, in UTF-8. */
export class Ready {
  readonly json: Buffer
  constructor(json: Buffer) {
    this.json = json
  }
}

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
  inRow?: (input: Given<R>) => boolean
}

/**
 * For an operation whose fields the database checks as well: what else is wrong with the given fields. Called if
 * something is already wrong, so that one answer names everything.
 */
export type AlsoWrong = (
  fields: Readonly<Record<string, unknown>>,
  viewer: Viewer | undefined,
) => Promise<ValidationBody>

export type Serving = {
  server: FastifyInstance
  db: Database
  limits: RateLimits
  fileLimits: FileLimits
  urls(request: FastifyRequest): Urls
  findViewer(token: string): Viewer | undefined | Promise<Viewer | undefined>
  /** Registrations and sign-ins per minute from one network. */
  openPerNetwork: number
  /** In tests: every reply is parsed against the closed contract before it is sent. */
  checkReplies: boolean
}

/** An operation at one of its addresses. */
type Mounted = {
  operation: AnyRoute
  admit: ((request: FastifyRequest, reply: FastifyReply) => Promise<void>)[]
  run(request: FastifyRequest, reply: FastifyReply): Promise<unknown>
}

type Handler<R extends AnyRoute, Context> = (asking: Context) => Promise<Answer<R> | Ready>

declare module 'fastify' {
  interface FastifyRequest {
    viewer: Viewer | undefined
    stranger: Admitted | undefined
    /** What a POST turned out to mean once its body was read (`_method`). */
    actsAs: FastifyContextConfig['operation']
  }
  interface FastifyContextConfig {
    operation?: Pick<Route, 'name' | 'files' | 'refusals'>
    /** Which of the operation's fields are lists. */
    lists?: ReadonlySet<string>
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

/** Whether a method's body has any meaning: for the others, none is read. */
const takesBody = ({ at, input, files }: AnyRoute) => {
  const inPath = new Set(at.flatMap(([, path]) => [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name)))
  return files !== undefined || Object.keys(input.shape ?? {}).some(name => !inPath.has(name))
}
/** As if there were none: Node drops whatever arrives of it once the reply is sent. A form may still say its method. */
const ignoreBody = async (request: FastifyRequest) => {
  if (isForm(request)) return
  for (const name of ['content-type', 'content-length', 'transfer-encoding']) delete request.raw.headers[name]
}

/** Headers in replies of a deprecated operation: since when (RFC 9745) and until when (RFC 8594). */
export const endingOf = ({ deprecated }: Pick<Route, 'deprecated'>) =>
  deprecated && {
    Deprecation: `@${deprecated.since.getTime() / 1000}`,
    Sunset: deprecated.sunset.toUTCString(),
  }

/** Connects a contract's operation to its handler: bearer → limit → validation → handler → reply. */
export const openServing = (serving: Serving) => {
  const { server, db, limits, fileLimits, findViewer, checkReplies } = serving
  server.decorateRequest('viewer', undefined)
  server.decorateRequest('stranger', undefined)
  server.decorateRequest('actsAs', undefined)
  const mounted = new Map<string, Mounted>()
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
  const admitted = (operation: AnyRoute) => ({
    ...(operation.open !== true && {
      onRequest: operation.open === 'either' ? admitEither(operation) : admit(operation),
    }),
    ...(operation.open && { preHandler: admitStranger(operation) }),
  })

  const answer = async <R extends AnyRoute, Context extends Asking<R>>(
    operation: R,
    handler: Handler<R, Context>,
    { replay, alsoWrong }: { replay: Replay<R, Context> | undefined; alsoWrong: AlsoWrong | undefined },
    request: FastifyRequest,
    reply: FastifyReply,
  ) => {
    const naming = async <Result>(work: () => Result): Promise<Awaited<Result>> => {
      try {
        return await work()
      } catch (error) {
        if (!(error instanceof Invalid && alsoWrong)) throw error
        throw new Invalid({ ...(await alsoWrong(fieldsOf(request), request.viewer)), ...error.body })
      }
    }
    const { input, files } = await naming(() => readInput(operation, request, fileLimits))
    const urls = serving.urls(request)
    const paging = input as { page: number; page_length: number }
    const list = <Item>(found: number, data: Item[]) => envelope(urls.origin + request.url, paging, found, data)
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
      ...(operation.open && { network: networkOf(request.ip) }),
      ...(operation.open === 'either' && {
        caller: request.viewer && { viewer: request.viewer, token: bearerOf(request) },
      }),
      language: languageOf(request.headers['accept-language']),
      languageAsked: languageAsked(request.headers['accept-language']),
      speaks: (language: Language) => {
        reply.header('Content-Language', language)
      },
      turn: () => ({
        who: request.viewer ? `user ${request.viewer.id}` : `network ${networkOf(request.ip)}`,
        gone: goneSignal(reply),
      }),
      extra: (request.query as { include?: unknown }).include === 'extra',
      created: () => {
        status = 201
      },
      page: (rows: readonly unknown[], present: (row: unknown) => unknown) =>
        list(rows.length, rows.slice(0, paging.page_length).map(present)),
      readyPage: (found: number, items: WriteItems) => new Ready(pageAround(list(found, []), items)),
    } as unknown as Context

    const least = operation.idempotent === 'secret' && !request.viewer ? secretKeyLengthMin : 1
    const chosen = operation.idempotent ? idempotencyKeyOf(request.headers['idempotency-key'], least) : undefined
    const act = () => naming(() => handler(asking))
    if (chosen === undefined || !replay) return { body: await act(), code: () => status }

    const userId = request.viewer?.id ?? 0
    // Callers without a token share the user 0: each device's keys are its own.
    const key = request.viewer ? chosen : `${deviceNamedBy(request)} ${chosen}`
    const keyed = { userId, operation: operation.name, key, fingerprint: fingerprintOf(input, files) }
    if (replay.inRow?.(input as Given<R>)) {
      asking.rowKey = rowKeyOf(keyed)
      return { body: await act(), code: () => status }
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
      if (done) return first as Answer<R>
      const kept = await keptReply(db, keyed)
      // The first one's key may have disappeared while this one waited: by its age, or with its account.
      return kept ? again(kept) : asking.once(work)
    }
    const kept = await keptReply(db, keyed)
    return { body: kept ? await again(kept) : await act(), code: () => status }
  }

  const mount = <R extends AnyRoute, Context extends Asking<R>>(
    operation: R,
    handler: Handler<R, Context>,
    replay?: Replay<R, Context>,
    alsoWrong?: AlsoWrong,
  ) => {
    if (operation.idempotent && !replay) throw new Error(`${operation.name} does not say how its replies are replayed`)
    const ending = endingOf(operation)
    const check = checkReplies ? (body: unknown) => (operation.reply as z.ZodType).parse(body) : undefined
    const lists = listsIn(operation.input)
    const run = async (request: FastifyRequest, reply: FastifyReply) => {
      if (ending) reply.headers(ending)
      try {
        const work = () => answer(operation, handler, { replay, alsoWrong }, request, reply)
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
    }
    for (const [method, path] of operation.at) {
      const url = `/${path.replaceAll(/\{(\w+)\}/g, ':$1')}`
      const hooks = admitted(operation)
      mounted.set(`${method} ${url}`, { operation, admit: Object.values(hooks), run })
      server.route({
        method,
        url,
        config: { operation, lists },
        ...hooks,
        ...(!takesBody(operation) && { preParsing: ignoreBody }),
        handler:
          method === 'POST'
            ? async (request, reply) => ((await actAs(request, reply)) ? reply : run(request, reply))
            : run,
      })
    }
  }

  /** Does what a POST says that it means. False if it means itself, or what there is not. */
  const actAs = async (request: FastifyRequest, reply: FastifyReply): Promise<boolean> => {
    const method = methodMeant(request)
    const meant = mounted.get(`${method} ${request.routeOptions.url}`)
    if (!meant || method === 'POST') return false
    request.actsAs = meant.operation
    for (const admit of meant.admit) await admit(request, reply)
    await meant.run(request, reply)
    return true
  }

  return {
    actAs,
    /** A hook: the bearer's viewer, and one request of their budget for an operation whose bodies are bytes. */
    admit,
    /** An operation for a signed-in viewer. */
    serve: <R extends AnyRoute>(
      operation: R,
      handler: Handler<R, AskingAs<R>>,
      replay?: Replay<R, AskingAs<R>>,
      alsoWrong?: AlsoWrong,
    ) => mount<R, AskingAs<R>>(operation, handler, replay, alsoWrong),
    /** An operation without a bearer token. */
    serveOpen: <R extends AnyRoute>(
      operation: R,
      handler: Handler<R, AskingOpen<R>>,
      replay?: Replay<R, AskingOpen<R>>,
      alsoWrong?: AlsoWrong,
    ) => mount<R, AskingOpen<R>>(operation, handler, replay, alsoWrong),
    /** An operation with an optional bearer token. */
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
export type ActAs = ReturnType<typeof openServing>['actAs']
export type ServeEither = ReturnType<typeof openServing>['serveEither']
