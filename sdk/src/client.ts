import * as accounts from './accounts.ts'
import { type Connection, call } from './call.ts'
import * as chats from './chats.ts'
import * as events from './events.ts'
import * as gallery from './gallery.ts'
import * as leaving from './leaving.ts'
import * as links from './links.ts'
import * as notifications from './notifications.ts'
import type { CallOptions, Methods } from './operation.ts'
import * as people from './people.ts'
import * as providers from './providers.ts'
import * as recovery from './recovery.ts'

export { AfterglowError } from './failure.ts'
export type { CallOptions, Connection }

const slices = { accounts, providers, recovery, notifications, events, links, people, gallery, chats, leaving }

export type Afterglow = { [Slice in keyof typeof slices]: Methods<(typeof slices)[Slice]> }

/** A client of one service for one person: a method an operation, named as in the contract. Methods throw AfterglowError. */
export const afterglow = (connection: Connection): Afterglow => {
  const bind = (slice: Record<string, { method: string; path: string }>) =>
    Object.fromEntries(
      Object.entries(slice).map(([name, operation]) => [
        name,
        (input?: Record<string, unknown>, options?: CallOptions) => call(connection, operation, input, options),
      ]),
    )
  return Object.fromEntries(Object.entries(slices).map(([name, slice]) => [name, bind(slice)])) as unknown as Afterglow
}
