import { secretKeyLengthMin } from '@afterglow/contract/limits'
import { type Answer, type AnyRoute, type Given, listsIn, type Route } from '@afterglow/contract/route'
import type { ValidationBody } from '@afterglow/contract/sentences'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { z } from 'zod'
import type { Database } from '../database/database.ts'
import { askedBy } from '../observability/request-context.ts'
import { deviceNamedBy, openAdmission } from './admission.ts'
import { type Asking, type AskingAs, type AskingEither, type AskingOpen, askingOf, Ready } from './asking.ts'
import { type Body, discard } from './bodies/body.ts'
import { fieldsOf, readInput } from './bodies/input.ts'
import type { FileLimits } from './bodies/multipart.ts'
import {
  type Contents,
  fingerprintOf,
  idempotencyKeyOf,
  type Kept,
  type Keyed,
  keptReply,
  once,
  rowKeyOf,
} from './idempotency.ts'
import { networkOf, type RateLimits } from './limits.ts'
import { isForm, methodMeant } from './method-override.ts'
import { Invalid, isRefusal } from './refusals.ts'
import type { Admitted } from './strangers.ts'
import type { Urls } from './urls.ts'
import type { Viewer } from './viewer.ts'

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
  /** What tells this request from another one under the same key, where its fields and files alone do not. */
  content?: (asking: Context) => Promise<{ input: unknown; files: Contents }>
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
  /** Throws for a guest who is in no event, where they may do nothing. */
  demandPlace(viewer: Viewer, operation: AnyRoute): Promise<void>
  /** Before what somebody writes is kept: throws if it is too much, or the disk is full. */
  demandWords(viewer: Viewer, network: string, input: unknown): Promise<void>
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

type Served<R extends AnyRoute, Context> = {
  operation: R
  handler: Handler<R, Context>
  replay: Replay<R, Context> | undefined
  alsoWrong: AlsoWrong | undefined
}

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
  const { server, db, fileLimits, checkReplies } = serving
  server.decorateRequest('viewer', undefined)
  server.decorateRequest('stranger', undefined)
  server.decorateRequest('actsAs', undefined)
  const mounted = new Map<string, Mounted>()
  const { admit, hooksOf } = openAdmission(serving)

  const answer = async <R extends AnyRoute, Context extends Asking<R>>(
    { operation, handler, replay, alsoWrong }: Served<R, Context>,
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
    const { viewer } = request
    if (viewer) await serving.demandPlace(viewer, operation)
    if (viewer && operation.words) await serving.demandWords(viewer, networkOf(request.ip), input)
    const asking = askingOf<Context>({ operation, db, urls: serving.urls(request), input, files }, request, reply)
    const act = () => naming(() => handler(asking))
    const fingerprint = async () => {
      const content = (await replay?.content?.(asking)) ?? { input, files }
      return fingerprintOf(content.input, content.files)
    }
    const keyed = replay && keyedBy(operation, request, fingerprint)
    if (!keyed) return act()
    if (!replay.inRow?.(input as Given<R>)) return actOnce({ db, keyed, replay, asking, act }, reply)
    asking.rowKey = () => rowKeyOf(keyed)
    return act()
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
        const work = () => answer({ operation, handler, replay, alsoWrong }, request, reply)
        const body = await askedBy(request.id, work)
        check?.(body instanceof Ready ? JSON.parse(body.json.toString()) : JSON.parse(JSON.stringify(body)))
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
      const hooks = hooksOf(operation)
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

/** The request under its Idempotency-Key, if it has one. */
const keyedBy = (
  operation: AnyRoute,
  request: FastifyRequest,
  fingerprint: Keyed['fingerprint'],
): Keyed | undefined => {
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
  keyed: Keyed
  replay: Replay<R, Context>
  asking: Context
  act: () => Promise<Answer<R> | Ready>
}

/** Acts once per key; a repeat is answered with what the caller may read now. */
const actOnce = async <R extends AnyRoute, Context extends Asking<R>>(
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
    // Before it asked for its key: a twin of this request may just have taken the last place.
    if (begun || !isRefusal(refused)) throw refused
    return asking.once(() => Promise.reject(refused))
  }
}

export type Serve = ReturnType<typeof openServing>['serve']
export type Admit = ReturnType<typeof openServing>['admit']
export type ServeOpen = ReturnType<typeof openServing>['serveOpen']
export type ActAs = ReturnType<typeof openServing>['actAs']
export type ServeEither = ReturnType<typeof openServing>['serveEither']
