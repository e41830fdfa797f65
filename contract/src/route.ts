/** An operation of the interface as data. Validation, types, limits, refusals, documents, the client and the access matrix are all derived from it. */
import type { z } from 'zod'

export type Method = 'GET' | 'POST' | 'PUT' | 'DELETE'

/** An unsuccessful reply: its status and complete body. */
export type Refusal =
  | { status: 400; error_message: string }
  | { status: 400; error: string }
  | { status: 401; error_message: string }
  | { status: 404; text: string }

export const says = (error_message: string) => ({ status: 400, error_message }) as const
export const saysError = (error: string) => ({ status: 400, error }) as const
/** The uploader or the server has no space left for files. */
export const noRoom = <Said>(say: (text: string) => Said) => ({
  personFull: say('You have used all the space that you have for files.'),
  instanceFull: say('This server has no more space for files.'),
})
export const notFound = (text: string) => ({ status: 404, text }) as const

/** A file field of a form: an image, or a video with `holds`. `required` may name a field that can replace the file. */
export type FileField = {
  many?: number
  required?: true | { unless: string }
  holds?: 'video'
  bytesMax: 'photoBytesMax' | 'rawBytesMax' | 'attachmentBytesMax' | 'videoBytesMax'
}

/** Declares that an operation takes something from other people, and how they get it back. */
export type Takes = {
  /** The operation that gives it back; null if none does, and then it asks for a recent proof. */
  back: string | null
  /** For how many hours after the act; for ever if absent. */
  backHours?: number
  /** Asks for a recent proof: `ofOthers` for what others wrote, while one's own needs none. */
  proof?: 'always' | 'ofOthers'
  /**
   * How those learn of it from whom it takes: at once, when what it gave is used, or when they look for it; `nobody`
   * where that would do harm.
   */
  tells: 'notification' | 'channel' | 'whenUsed' | 'nextVisit' | 'nobody'
  /** The entry in the event's audit log, by which the other organizers see whose act it was. */
  audits?: string
}

export type Route<
  Input extends z.ZodType = z.ZodType,
  Reply extends z.ZodType = z.ZodType,
  Refusals extends Record<string, Refusal> = Record<string, Refusal>,
> = {
  /** The operation's name: its `operationId`, and the key of its handler and rate limit. */
  name: string
  /** The sentence that describes it in the generated documents; its title there is made from its name. */
  summary: string
  /** All its methods and paths. Clients use the first. */
  at: readonly (readonly [Method, string])[]
  /** Its names in the documents at the other addresses, in order. */
  names?: readonly string[]
  /** Path, query and body fields together: names are unique within an operation. */
  input: Input
  files?: Record<string, FileField>
  reply: Reply
  refusals: Refusals
  /** Part of the documented interface, which never changes. */
  documented?: true
  /**
   * Names that would change the meaning if they were ignored, and what each is called here; null if it is not
   * supported. A request with one of them is refused.
   */
  mistaken?: Readonly<Record<string, string | null>>
  /** Fields that the service requires, though the input lets some callers omit them. */
  alsoRequired?: readonly string[]
  /** Requests allowed per minute and user. */
  perMinute: number
  /** No bearer token is needed. `either`: a token is optional, but must be valid if sent. */
  open?: true | 'either'
  /** A whole party asks for it from one network within seconds: a network may do so several times as often. */
  crowd?: true
  /** Its input is stored in the database and counts in bytes. */
  words?: true
  /** A failure may be a guess, and costs the service as much as a success. */
  guesses?: true
  /** Answers 201 instead of 200 if it created something. */
  creates201?: true
  /** Supports `Idempotency-Key`. `secret`: the key authenticates its sender, so it must be unguessable. */
  idempotent?: true | 'secret'
  /** Its reply contains `extra` with `?include=extra`. */
  extra?: true
  /** It takes something from others. */
  takes?: Takes
  /** It makes or shows what grants access later. Slices of the service say under these names what ends it. */
  opens?: readonly string[]
  /** Replaced by another operation. Replies carry `Deprecation` and `Sunset` for at least a year before it is removed. */
  deprecated?: { since: Date; sunset: Date; instead: string }
}

/** Any operation, whatever its input and reply. */
// biome-ignore lint/suspicious/noExplicitAny: the parameters vary both ways, so nothing narrower fits every operation.
export type AnyRoute = Route<any, any, Record<string, Refusal>>

type Address = `${Method} ${string}`

export const route = <Input extends z.ZodType, Reply extends z.ZodType, const Refusals extends Record<string, Refusal>>(
  name: string,
  at: Address | readonly Address[],
  definition: Omit<Route<Input, Reply, Refusals>, 'name' | 'at' | 'perMinute'> & { perMinute?: number },
): Route<Input, Reply, Refusals> => ({
  name,
  at: [at].flat().map(address => address.split(' ') as [Method, string]),
  perMinute: 120,
  ...definition,
})

/** A resource as it stands in replies. */
export type Resource<Shape> = Shape extends z.ZodType ? z.output<Shape> : never

/** Input as callers may send it: integers may be text, optional fields may be absent. */
export type OperationInput<R> =
  R extends Route<infer Input, z.ZodType, Record<string, Refusal>> ? z.input<Input> : never
/** The parsed input that a handler receives. */
export type ParsedInput<R> = R extends Route<infer Input, z.ZodType, Record<string, Refusal>> ? z.output<Input> : never
export type Answer<R> = R extends Route<z.ZodType, infer Reply, Record<string, Refusal>> ? z.output<Reply> : never
