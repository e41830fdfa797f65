import type { Answer, AnyRoute, Method, OperationInput } from '@afterglow/contract/route'

/** Without fields, the schema's type admits no key at all, not even a file's. */
export type Fields<R> = string extends keyof OperationInput<R> ? unknown : OperationInput<R>

/** An operation of the service: its address, and its input and output as types. */
export type Operation<R, Files = unknown> = {
  method: Method
  path: string
  /** Only for the compiler. */
  readonly types?: { input: Fields<R> & Files; reply: Answer<R> }
}

/** Declares the address of a contract's operation. `Files` are its file fields. */
export const operation = <R extends AnyRoute, Files = unknown>(method: Method, path: string): Operation<R, Files> => ({
  method,
  path,
})

export type CallOptions = {
  /** Repeating the request within 24 hours returns the first reply instead of acting again. */
  idempotencyKey?: string
  /** Ends the call, its waiting and its repeats; it throws the signal's reason. */
  signal?: AbortSignal
  /** As in the connection, for this call. */
  timeoutMs?: number
  retries?: number
}

/** The reply with `extra` requested: it is present wherever it can be, except in a chat's latest message. */
export type WithExtra<T> = T extends object
  ? { [Key in keyof T]: Key extends 'latest_message' ? T[Key] : WithExtra<T[Key]> } & ('extra' extends keyof T
      ? { extra: NonNullable<T['extra']> }
      : unknown)
  : T

type Reply<R, Extra> = Extra extends true ? WithExtra<Answer<R>> : Answer<R>

/** A method without required fields may be called with no argument. */
export type MethodOf<O, Extra extends boolean> =
  O extends Operation<infer R, infer Files>
    ? Record<never, never> extends Fields<R> & Files
      ? (input?: Fields<R> & Files, options?: CallOptions) => Promise<Reply<R, Extra>>
      : (input: Fields<R> & Files, options?: CallOptions) => Promise<Reply<R, Extra>>
    : never
export type Methods<Slice, Extra extends boolean> = { [Name in keyof Slice]: MethodOf<Slice[Name], Extra> }
