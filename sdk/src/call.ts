import { AfterglowError } from './failure.ts'
import type { CallOptions } from './operation.ts'
import { patiently, retryDelaysMs } from './retry.ts'

export type Connection = {
  /** Where the service is, e.g. `https://party.example`; operation paths are appended. */
  baseUrl: string
  /** The bearer token, or a function that returns the current one. */
  token?: string | (() => string | undefined)
  /** Request `extra` with every resource that has it. */
  extra?: boolean
  /**
   * The language of notifications and mails, e.g. `de` or `en-GB`: with a region, days and times are written as there.
   * By default as `fetch` requests, or the device's known language.
   */
  language?: () => string
  /** How long a call waits for its reply; by default 15 s, and five minutes with files. */
  timeoutMs?: number
  /**
   * How often a call that got no answer, a 429 or a 5xx is sent again, waiting as long as `Retry-After` says; by default
   * never. A POST is only repeated under an `idempotencyKey`: without one it might act twice.
   */
  retries?: number
  fetch?: typeof fetch
}

/** A reply's metadata. */
export type ReplyInfo = {
  status: number
  /** Identifies the request in the operator's log. */
  requestId: string | undefined
  /** Whether it is the first reply again, to a repeated `idempotencyKey`. */
  replayed: boolean
}

const infos = new WeakMap<object, ReplyInfo>()
/** About the reply that a method returned: `replyInfo(message)?.replayed`. */
export const replyInfo = (result: object): ReplyInfo | undefined => infos.get(result)

type Fields = Record<string, unknown>

/** A network may forget a connection without a word; a browser that kept several waits so long for each of them. */
const replyMs = 15_000
/** For files: 4 MB at 14 kB/s. */
const formMs = 300_000

/** Where an engine cannot combine signals, its own patience counts. */
const within = (ms: number, signal?: AbortSignal): AbortSignal | null =>
  AbortSignal.any?.([AbortSignal.timeout(ms)].concat(signal ?? [])) ?? signal ?? null

type Send = (url: URL, request: RequestInit) => Promise<Response>

export const tokenOf = ({ token }: Connection) => (typeof token === 'function' ? token() : token)

/**
 * Sends one operation: fields named in the path go there; the rest goes into the query of a read, or the body of a
 * write. Throws AfterglowError for refusals, a DOMException named TimeoutError without a reply, whatever `fetch` throws
 * without a network, and the signal's reason.
 */
export const call = async (
  connection: Connection,
  { method, path }: { method: string; path: string },
  input: Fields = {},
  options: CallOptions = {},
  send: Send = connection.fetch ?? fetch,
): Promise<unknown> => {
  const { idempotencyKey, signal, retries = connection.retries ?? 0 } = options
  const repeatable = method !== 'POST' || idempotencyKey !== undefined
  const once = () => sendOnce(connection, { method, path }, input, options, send)
  return repeatable && retries > 0 ? patiently(once, retryDelaysMs.slice(1, retries + 1), signal) : once()
}

const sendOnce = async (
  connection: Connection,
  { method, path }: { method: string; path: string },
  input: Fields,
  { idempotencyKey, signal, timeoutMs = connection.timeoutMs }: CallOptions,
  send: Send,
): Promise<unknown> => {
  const rest = { ...input }
  const filled = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
    const value = rest[name]
    delete rest[name]
    return encodeURIComponent(String(value))
  })
  const url = new URL(filled, `${connection.baseUrl.replace(/\/+$/, '')}/`)
  const asQuery = method === 'GET'
  if (asQuery)
    for (const [name, value] of Object.entries(rest)) if (value != null) url.searchParams.set(name, String(value))
  if (connection.extra) url.searchParams.set('include', 'extra')

  const token = tokenOf(connection)
  const body = asQuery || Object.keys(rest).length === 0 ? undefined : bodyOf(rest)
  const headers = new Headers()
  if (token) headers.set('Authorization', `Bearer ${token}`)
  if (connection.language) headers.set('Accept-Language', connection.language())
  if (idempotencyKey) headers.set('Idempotency-Key', idempotencyKey)
  if (typeof body === 'string') headers.set('Content-Type', 'application/json')

  const limited = within(timeoutMs ?? (body instanceof FormData ? formMs : replyMs), signal)
  const reply = await send(url, { method, headers, body: body ?? null, signal: limited })
  const json = reply.headers.get('content-type')?.startsWith('application/json')
  const content = json ? await reply.json() : await reply.text()
  const info = {
    status: reply.status,
    requestId: reply.headers.get('x-request-id') ?? undefined,
    replayed: reply.headers.get('idempotency-replayed') === 'true',
  }
  if (reply.ok) {
    if (typeof content === 'object' && content !== null) infos.set(content, info)
    return content
  }
  const after = reply.headers.get('retry-after')
  throw new AfterglowError(reply.status, content, {
    retryAfterSeconds: after === null ? undefined : Number(after),
    code: reply.headers.get('x-refusal') ?? undefined,
    requestId: info.requestId,
    replayed: info.replayed,
  })
}

const hasFile = (value: unknown) => [value].flat().some(each => each instanceof Blob)

/** JSON, or a form if there are files to send. */
const bodyOf = (fields: Fields): string | FormData => {
  if (!Object.values(fields).some(hasFile)) return JSON.stringify(fields)
  const form = new FormData()
  for (const [name, value] of Object.entries(fields)) {
    for (const each of [value].flat()) {
      if (each instanceof Blob) form.append(name, each, each instanceof File ? each.name : name)
      else if (each != null) form.append(Array.isArray(value) ? `${name}[]` : name, textOf(each))
    }
    // Otherwise a form could not say that a list is empty.
    if (Array.isArray(value) && value.length === 0) form.append(`${name}[]`, '')
  }
  return form
}

const textOf = (value: unknown) => (typeof value === 'object' ? JSON.stringify(value) : String(value))
