import { type FieldNameLookup, fieldNameLookup } from '@afterglow/contract/field-name-hints'
import { type Lists, listsIn } from '@afterglow/contract/input-fields'
import type { Answer, AnyRoute, ParsedInput, Route } from '@afterglow/contract/route'
import type { ValidationBody } from '@afterglow/contract/sentences'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { z } from 'zod'
import type { Database } from '../database/database.ts'
import { askedBy } from '../observability/request-context.ts'
import { actOnce, keyedBy, type Replay } from './act-once.ts'
import { openAdmission } from './admission.ts'
import type { Admission } from './anonymous-limits.ts'
import { type Body, discard } from './bodies/body.ts'
import { fieldsOf, readInput } from './bodies/input.ts'
import type { FileLimits } from './bodies/multipart.ts'
import {
  type AnonymousContext,
  type AskingAs,
  type HandlerContext,
  handlerContextOf,
  type OptionalViewerContext,
  Ready,
} from './handler-context.ts'
import { fingerprintOf, rowKeyOf } from './idempotency.ts'
import { networkOf, type RateLimits } from './limits.ts'
import { isForm, methodMeant } from './method-override.ts'
import { Invalid, isRefusal } from './refusals.ts'
import type { Urls } from './urls.ts'
import type { Viewer } from './viewer.ts'

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
  requireEvent(viewer: Viewer, operation: AnyRoute): Promise<void>
  /** Called before text is stored: throws if it is too much, or the disk is full. */
  spendTextBudget(viewer: Viewer, network: string, input: unknown): Promise<void>
  /** In tests: every reply is parsed against the closed contract before it is sent. */
  checkReplies: boolean
}

/** An operation at one of its addresses. */
type MountedOperation = {
  operation: AnyRoute
  admit: ((request: FastifyRequest, reply: FastifyReply) => Promise<void>)[]
  run(request: FastifyRequest, reply: FastifyReply): Promise<unknown>
}

type Handler<R extends AnyRoute, Context> = (asking: Context) => Promise<Answer<R> | Ready>

type ServedOperation<R extends AnyRoute, Context> = {
  operation: R
  handler: Handler<R, Context>
  replay: Replay<R, Context> | undefined
  alsoWrong: AlsoWrong | undefined
  here: FieldNameLookup
}

declare module 'fastify' {
  interface FastifyRequest {
    viewer: Viewer | undefined
    stranger: Admission | undefined
    /** The method that a POST turned out to mean once its body was read (`_method`). */
    actsAs: FastifyContextConfig['operation']
  }
  interface FastifyContextConfig {
    operation?: Pick<Route, 'name' | 'files' | 'refusals'>
    /** The operation's list fields. */
    lists?: Lists
  }
}

/** Tells whether a method's body has any meaning: for the others, none is read. */
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
  const { server } = serving
  server.decorateRequest('viewer', undefined)
  server.decorateRequest('stranger', undefined)
  server.decorateRequest('actsAs', undefined)
  const mounted = new Map<string, MountedOperation>()
  const { admit, hooksOf } = openAdmission(serving)

  const mount = <R extends AnyRoute, Context extends HandlerContext<R>>(
    operation: R,
    handler: Handler<R, Context>,
    replay?: Replay<R, Context>,
    alsoWrong?: AlsoWrong,
  ) => {
    if (operation.idempotent && !replay) throw new Error(`${operation.name} does not say how its replies are replayed`)
    const run = runOf(serving, { operation, handler, replay, alsoWrong, here: fieldNameLookup(operation) })
    const lists = listsIn(operation.input)
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

  /** Performs the overridden method of a POST. False if there is none, or no such operation. */
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
      handler: Handler<R, AnonymousContext<R>>,
      replay?: Replay<R, AnonymousContext<R>>,
      alsoWrong?: AlsoWrong,
    ) => mount<R, AnonymousContext<R>>(operation, handler, replay, alsoWrong),
    /** An operation with an optional bearer token. */
    serveEither: <R extends AnyRoute>(
      operation: R,
      handler: Handler<R, OptionalViewerContext<R>>,
      replay?: Replay<R, OptionalViewerContext<R>>,
    ) => mount<R, OptionalViewerContext<R>>(operation, handler, replay),
  }
}

/** Answers a request with what its operation answers. */
const runOf = <R extends AnyRoute, Context extends HandlerContext<R>>(
  serving: Serving,
  served: ServedOperation<R, Context>,
) => {
  const { operation } = served
  const ending = endingOf(operation)
  const check = serving.checkReplies ? (body: unknown) => (operation.reply as z.ZodType).parse(body) : undefined
  return async (request: FastifyRequest, reply: FastifyReply) => {
    if (ending) reply.headers(ending)
    try {
      const body = await askedBy(request.id, () => answer(serving, served, request, reply))
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
}

const answer = async <R extends AnyRoute, Context extends HandlerContext<R>>(
  serving: Serving,
  { operation, handler, replay, alsoWrong, here }: ServedOperation<R, Context>,
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
  const { db } = serving
  const { input, files } = await naming(() => readInput(operation, request, serving.fileLimits, here))
  const { viewer } = request
  if (viewer) await serving.requireEvent(viewer, operation)
  if (viewer && operation.words) await serving.spendTextBudget(viewer, networkOf(request.ip), input)
  const asking = handlerContextOf<Context>({ operation, db, urls: serving.urls(request), input, files }, request, reply)
  const act = () => naming(() => handler(asking))
  const fingerprint = async () => {
    const content = (await replay?.content?.(asking)) ?? { input, files }
    return fingerprintOf(content.input, content.files)
  }
  const keyed = replay && keyedBy(operation, request, fingerprint)
  if (!keyed) return act()
  if (!replay.inRow?.(input as ParsedInput<R>)) return actOnce({ db, keyed, replay, asking, act }, reply)
  asking.rowKey = () => rowKeyOf(keyed)
  return act()
}

export type Serve = ReturnType<typeof openServing>['serve']
export type Admit = ReturnType<typeof openServing>['admit']
export type ServeOpen = ReturnType<typeof openServing>['serveOpen']
export type ActAs = ReturnType<typeof openServing>['actAs']
export type ServeEither = ReturnType<typeof openServing>['serveEither']
