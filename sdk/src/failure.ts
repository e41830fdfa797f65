import type { GeneralCode, RefusalCode } from '@afterglow/contract/refusal-codes'

type ReplyDetails = {
  retryAfterSeconds?: number | undefined
  code?: string | undefined
  requestId?: string | undefined
  replayed?: boolean
}

/** The reason as a word for programs to compare: a code from the contract, or from a later one. */
export type FailureCode = RefusalCode | GeneralCode | (string & {})

/** The service refused, or its answer could not be understood. */
export class AfterglowError extends Error {
  override name = 'AfterglowError'
  /** HTTP status. */
  readonly status: number
  /** The parsed JSON body, or the text of a plain one. */
  readonly body: unknown
  /** Seconds until the rate limit resets; with status 429. */
  readonly retryAfterSeconds: number | undefined
  /** `X-Refusal`; undefined if something between here and the service answered. */
  readonly code: FailureCode | undefined
  /** Identifies the request in the operator's log. */
  readonly requestId: string | undefined
  /** Whether it is the first refusal again, to a repeated `idempotencyKey`. */
  readonly replayed: boolean

  constructor(
    status: number,
    body: unknown,
    { retryAfterSeconds, code, requestId, replayed = false }: ReplyDetails = {},
  ) {
    super(sentenceOf(status, body))
    this.status = status
    this.body = body
    this.retryAfterSeconds = retryAfterSeconds
    this.code = code
    this.requestId = requestId
    this.replayed = replayed
  }

  /** Something between here and the service answered: each refusal of the service has a code. */
  get isByProxy(): boolean {
    return this.code === undefined
  }

  /** Field name → messages of a validation error; empty for every other refusal. */
  get fields(): Record<string, string[]> {
    const entries = Object.entries(Object(this.body)).filter(([, value]) => Array.isArray(value))
    return this.status === 400 ? (Object.fromEntries(entries) as Record<string, string[]>) : {}
  }
}

/** Thrown by an outbox's `send` for what this version cannot send: it steps aside, and a later one may send it. */
export class Unsendable extends Error {}

/** Whether retrying would give the same result: the service understood the request and refused it. */
export const isLasting = (fault: unknown): boolean =>
  fault instanceof AfterglowError && fault.status < 500 && fault.status !== 429

const sentenceOf = (status: number, body: unknown): string => {
  // A page for people that something on the way has written says nothing of the request.
  if (typeof body === 'string' && body && !/^\s*</.test(body)) return body
  const { error_message, error, message } = Object(body)
  const field = Object.values(Object(body)).find(Array.isArray)?.[0]
  return error_message ?? error ?? message ?? field ?? `HTTP ${status}`
}
