import type { RefusalCode } from '@afterglow/contract/refusal-codes'
import { messageFor, type ValidationBody } from '@afterglow/contract/sentences'

/** A regular answer, not an error: nobody will look for it, and a stack would cost more than the rest of the reply. */
class WithoutStack extends Error {
  constructor(message?: string) {
    const { stackTraceLimit } = Error
    Error.stackTraceLimit = 0
    super(message)
    Error.stackTraceLimit = stackTraceLimit
  }
}

/** An act is refused. The operation's contract determines status and text. */
export class Refused extends WithoutStack {
  readonly code: RefusalCode
  constructor(code: RefusalCode) {
    super(code)
    this.code = code
  }
}

export const refuse = (code: RefusalCode): never => {
  throw new Refused(code)
}

/**
 * Repeats are no mistakes: an act that finds its work done, perhaps at this moment by somebody else, succeeds. `isDone`
 * is only asked after one of these refusals, and proves that the viewer might have done it.
 */
export const orDone = async (
  act: Promise<unknown>,
  codes: readonly RefusalCode[],
  isDone: () => Promise<boolean>,
): Promise<void> => {
  try {
    await act
  } catch (refused) {
    if (!(refused instanceof Refused && codes.includes(refused.code) && (await isDone()))) throw refused
  }
}

/** A field is invalid in a way that only the database or a file could reveal. */
export class Invalid extends WithoutStack {
  readonly body: ValidationBody
  constructor(body: ValidationBody) {
    super('invalid')
    this.body = body
  }
}

/** Throws a validation error for one field; `template` is one of the contract's messages. */
export const invalid = (field: string, template: string): never => {
  throw new Invalid({ [field]: [messageFor(template, field)] })
}

/** The request as a whole cannot be read: malformed JSON, an oversized body, an unknown media type. */
export class Unreadable extends WithoutStack {}

/** The link by which the caller came grants less than the operation needs. */
export class NotForLink extends WithoutStack {}

export class Unauthenticated extends WithoutStack {}

/** A rate limit has been reached. */
export class TooMany extends WithoutStack {
  readonly limit: number
  readonly msBeforeReset: number
  constructor(limit: number, msBeforeReset: number) {
    super('too many')
    this.limit = limit
    this.msBeforeReset = msBeforeReset
  }
}

/** Temporarily impossible through no fault of the caller: the message says why, and when to retry. */
export class Unavailable extends WithoutStack {
  readonly retryAfterSeconds: number
  constructor(message: string, retryAfterSeconds: number) {
    super(message)
    this.retryAfterSeconds = retryAfterSeconds
  }
}

/** Tells whether it is an answer to the caller rather than an error of ours. */
export const isRefusal = (error: unknown): boolean => error instanceof WithoutStack
