import type { RefusalCode } from '@afterglow/contract/refusal-codes'
import { sayOf, type ValidationBody } from '@afterglow/contract/sentences'

/** An answer and no fault: nobody will search for it, and a stack would cost more than the rest of the reply. */
class WithoutStack extends Error {
  constructor(message?: string) {
    const { stackTraceLimit } = Error
    Error.stackTraceLimit = 0
    super(message)
    Error.stackTraceLimit = stackTraceLimit
  }
}

/** An act is refused. The operation's contract says with which status and words. */
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

/** A field is wrong in a way that only the database or a file could tell. */
export class Invalid extends WithoutStack {
  readonly body: ValidationBody
  constructor(body: ValidationBody) {
    super('invalid')
    this.body = body
  }
}

/** Throws a validation error for one field; `template` is one of the contract's sentences. */
export const invalid = (field: string, template: string): never => {
  throw new Invalid({ [field]: [sayOf(template, field)] })
}

/** The request as a whole cannot be read: malformed JSON, an oversize body, an unknown media type. */
export class Unreadable extends WithoutStack {}

export class Unauthenticated extends WithoutStack {}

/** A rate limit is spent. */
export class TooMany extends WithoutStack {
  readonly limit: number
  readonly msBeforeReset: number
  constructor(limit: number, msBeforeReset: number) {
    super('too many')
    this.limit = limit
    this.msBeforeReset = msBeforeReset
  }
}

/** Cannot be done now, by no fault of whoever asks: the words tell them why, and they may come again after so long. */
export class Unavailable extends WithoutStack {
  readonly retryAfterSeconds: number
  constructor(message: string, retryAfterSeconds: number) {
    super(message)
    this.retryAfterSeconds = retryAfterSeconds
  }
}

/** Whether it is an answer to who asked, and no fault of ours. */
export const isRefusal = (error: unknown): boolean => error instanceof WithoutStack
