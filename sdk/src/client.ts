import * as accounts from './accounts.ts'
import * as announcements from './announcements.ts'
import type { Connection } from './call.ts'
import * as chats from './chats.ts'
import * as events from './events.ts'
import * as gallery from './gallery.ts'
import * as links from './links.ts'
import { type ExtraOf, methodsOf } from './methods.ts'
import * as notifications from './notifications.ts'
import type { CallOptions, Methods, WithExtra } from './operation.ts'
import * as people from './people.ts'
import * as plans from './plans.ts'
import * as polls from './polls.ts'
import * as privacy from './privacy.ts'
import * as providers from './providers.ts'
import * as recovery from './recovery.ts'
import * as returns from './returns.ts'
import * as transfers from './transfers.ts'
import * as wall from './wall.ts'

export { type ReplyInfo, replyInfo } from './call.ts'
export { AfterglowError } from './failure.ts'
export { eachOf } from './pages.ts'
export type * from './resources.ts'
export type { CallOptions, Connection, WithExtra }

const slices = {
  accounts,
  providers,
  recovery,
  transfers,
  returns,
  notifications,
  events,
  announcements,
  links,
  plans,
  people,
  gallery,
  chats,
  polls,
  wall,
  privacy,
}

/** `Extra`: whether its connection requests `extra`. */
export type Afterglow<Extra extends boolean = false> = {
  [Slice in keyof typeof slices]: Methods<(typeof slices)[Slice], Extra>
}

/**
 * A client of one service for one user: a method per operation, named as in the contract. Methods throw AfterglowError.
 */
export const afterglow = <const Given extends Connection>(connection: Given): Afterglow<ExtraOf<Given>> =>
  Object.fromEntries(Object.entries(slices).map(([name, slice]) => [name, methodsOf(connection, slice)])) as never
