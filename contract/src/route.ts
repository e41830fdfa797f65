/** One operation of the interface as data. Validation, types, limits, refusals, documents, the client and the access matrix all read it. */
import type { z } from 'zod'

export type Method = 'GET' | 'POST' | 'PUT' | 'DELETE'

/** A reply other than success: its status and its whole body. */
export type Refusal =
  | { status: 400; error_message: string }
  | { status: 400; error: string }
  | { status: 401; error_message: string }
  | { status: 404; text: string }

export const says = (error_message: string) => ({ status: 400, error_message }) as const
export const saysError = (error: string) => ({ status: 400, error }) as const
/** Whoever brings files has no room for more, or the server has none. */
export const noRoom = <Said>(say: (text: string) => Said) => ({
  personFull: say('You have used all the space that you have for files.'),
  instanceFull: say('This server has no more space for files.'),
})
export const notFound = (text: string) => ({ status: 404, text }) as const

/** A file field of a form: an image, or with `holds` a video. `required` may name a field that stands for the file. */
export type FileField = {
  many?: number
  required?: true | { unless: string }
  holds?: 'video'
  bytesMax: 'photoBytesMax' | 'rawBytesMax' | 'attachmentBytesMax' | 'videoBytesMax'
}

export type Route<
  Input extends z.ZodType = z.ZodType,
  Reply extends z.ZodType = z.ZodType,
  Refusals extends Record<string, Refusal> = Record<string, Refusal>,
> = {
  /** The operation's name: `operationId`, the key of its handler, its rate bucket. */
  name: string
  /** What it does, as one sentence of the documents. */
  summary: string
  /** Every method and path that reaches it. The first is the one that clients use. */
  at: readonly (readonly [Method, string])[]
  /** What the documents call it at the other addresses, in order. */
  names?: readonly string[]
  /** Path, query and body fields together: names are unique within an operation. */
  input: Input
  files?: Record<string, FileField>
  reply: Reply
  refusals: Refusals
  /** Requests a minute and user. */
  perMinute: number
  /** No bearer token needed; `either`: one is taken when it comes along, and must live then. */
  open?: true | 'either'
  /** A failure of it may be a guess, and costs the service as much as a success. */
  guesses?: true
  /** Answers 201 instead of 200 when it made something new. */
  creates201?: true
  /** Honours `Idempotency-Key`; `secret`: the key proves who repeats, so it must be one that nobody guesses. */
  idempotent?: true | 'secret'
  /** Its reply carries `extra` for `?include=extra`. */
  extra?: true
  /** Another operation took its place: replies say so by `Deprecation` and `Sunset`, at least a year before it ends. */
  deprecated?: { since: Date; sunset: Date; instead: string }
}

/** Any operation, whatever its input and reply. */
// biome-ignore lint/suspicious/noExplicitAny: the parameters vary both ways, so nothing narrower fits every operation.
export type AnyRoute = Route<any, any, Record<string, Refusal>>

export const route = <Input extends z.ZodType, Reply extends z.ZodType, const Refusals extends Record<string, Refusal>>(
  definition: Omit<Route<Input, Reply, Refusals>, 'perMinute'> & { perMinute?: number },
): Route<Input, Reply, Refusals> => ({ perMinute: 120, ...definition })

/** What a caller may write: integers as text too, absent optionals. */
export type Asked<R> = R extends Route<infer Input, z.ZodType, Record<string, Refusal>> ? z.input<Input> : never
/** What a handler gets. */
export type Given<R> = R extends Route<infer Input, z.ZodType, Record<string, Refusal>> ? z.output<Input> : never
export type Answer<R> = R extends Route<z.ZodType, infer Reply, Record<string, Refusal>> ? z.output<Reply> : never
