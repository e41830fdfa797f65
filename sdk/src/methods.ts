import { type Connection, call } from './call.ts'
import type { CallOptions, Methods } from './operation.ts'

export { AfterglowError, isLasting, Unsendable } from './failure.ts'

type Operations = Record<string, { method: string; path: string }>

export type ExtraOf<Given extends Connection> = Given['extra'] extends true ? true : false

/** The methods of selected operations only, for a page that must be small: `methodsOf(connection, transfers)`. */
export const methodsOf = <const Given extends Connection, Slice extends object>(
  connection: Given,
  slice: Slice,
): Methods<Slice, ExtraOf<Given>> =>
  Object.fromEntries(
    Object.entries(slice as Operations).map(([name, operation]) => [
      name,
      (input?: Record<string, unknown>, options?: CallOptions) => call(connection, operation, input, options),
    ]),
  ) as never
