import type { Connection } from './call.ts'
import { type ExtraOf, methodsOf } from './methods.ts'
import type { CallOptions, Methods, WithExtra } from './operation.ts'
import { slices } from './operations/slices.ts'

export { type ReplyInfo, replyInfo } from './call.ts'
export { AfterglowError } from './failure.ts'
export { eachOf } from './pages.ts'
export type * from './resources.ts'
export type { CallOptions, Connection, WithExtra }

/** `Extra`: whether its connection requests `extra`. */
export type Afterglow<Extra extends boolean = false> = {
  [Slice in keyof typeof slices]: Methods<(typeof slices)[Slice], Extra>
}

/**
 * A client of one service for one user: a method per operation, named as in the contract. Methods throw AfterglowError.
 */
export const afterglow = <const Given extends Connection>(connection: Given): Afterglow<ExtraOf<Given>> =>
  Object.fromEntries(Object.entries(slices).map(([name, slice]) => [name, methodsOf(connection, slice)])) as never
