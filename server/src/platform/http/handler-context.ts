import { type Locale, languageIn } from '@afterglow/contract/languages'
import type { Answer, AnyRoute, ParsedInput } from '@afterglow/contract/route'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Database, Db } from '../database/database.ts'
import type { Turn } from '../jobs/fair-queue.ts'
import type { ReceivedFile } from '../media/received-file.ts'
import { goneSignal } from './connections/abort-signal.ts'
import type { RowKey } from './idempotency.ts'
import { languageAsked, languageOf } from './language.ts'
import { networkOf } from './limits.ts'
import { type Envelope, envelope, pageAround, type WriteItems } from './pages.ts'
import type { Urls } from './urls.ts'
import { bearerOf, crowdAt, type Viewer } from './viewer.ts'

/** The context of a request, as its handler sees it. */
export type HandlerContext<R extends AnyRoute> = {
  db: Database
  /** Runs the act of an idempotent operation once per key. The work receives the key's transaction, or the pool. */
  once(work: (db: Db) => Promise<Answer<R>>): Promise<Answer<R>>
  /** The request's Idempotency-Key, for an operation that stores it in the row it creates (`Replay.inRow`). */
  rowKey(): Promise<RowKey | undefined>
  /** Marks the reply as that of a repeat. */
  replayed(): void
  input: ParsedInput<R>
  files: Record<string, ReceivedFile[]>
  urls: Urls
  /** The caller's preferred language, for text sent by mail. */
  language: Locale
  /** The same; undefined if they prefer none that we support. */
  languageAsked: Locale | undefined
  /** Declares the language of the reply. */
  speaks(language: Locale): void
  /** The share under which queued work is done: the viewer's, or the network's of a caller without a token. */
  turn(): Turn
  /** The reply contains `extra`. */
  extra: boolean
  /** Marks the reply as 201: something was created. */
  created(): void
  /** The list envelope around up to page_length + 1 rows. */
  page<Row, Item>(rows: readonly Row[], present: (row: Row) => Item): Envelope<Item>
  /** The same around items that write themselves as JSON, if up to page_length + 1 were found. */
  readyPage(found: number, items: WriteItems): Ready
}
export type AskingAs<R extends AnyRoute> = HandlerContext<R> & { viewer: Viewer }
/** For an operation without a bearer token. */
export type AnonymousContext<R extends AnyRoute> = HandlerContext<R> & {
  /** The address that the request came from, as limits count it. */
  network: string
}
/** For an operation with an optional bearer token. */
export type OptionalViewerContext<R extends AnyRoute> = AnonymousContext<R> & {
  caller: { viewer: Viewer; token: string } | undefined
}

/** A reply that is already JSON, in UTF-8. */
export class Ready {
  readonly json: Buffer
  constructor(json: Buffer) {
    this.json = json
  }
}

type ContextParts = {
  operation: AnyRoute
  db: Database
  urls: Urls
  input: unknown
  files: Record<string, ReceivedFile[]>
}

/** Creates a handler's context. The reply is 200 unless the handler marks a creation. */
export const handlerContextOf = <Context>(
  { operation, db, urls, input, files }: ContextParts,
  request: FastifyRequest,
  reply: FastifyReply,
) => {
  const paging = input as { page: number; page_length: number }
  const list = <Item>(found: number, data: Item[]) => envelope(urls.origin + request.url, paging, found, data)
  return {
    db,
    once: (work: (db: Db) => Promise<unknown>) => work(db),
    rowKey: async () => undefined as RowKey | undefined,
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
    speaks: (language: Locale) => {
      reply.header('Content-Language', languageIn(language))
    },
    turn: () => ({
      who: request.viewer ? `user ${request.viewer.id}` : `network ${networkOf(request.ip)}`,
      crowd: request.viewer && crowdAt(request.viewer, networkOf(request.ip)),
      gone: goneSignal(reply),
    }),
    extra: (request.query as { include?: unknown }).include === 'extra',
    created: () => {
      reply.code(201)
    },
    page: (rows: readonly unknown[], present: (row: unknown) => unknown) =>
      list(rows.length, rows.slice(0, paging.page_length).map(present)),
    readyPage: (found: number, items: WriteItems) => new Ready(pageAround(list(found, []), items)),
  } as unknown as Context
}
