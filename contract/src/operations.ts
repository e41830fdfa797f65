/** Every operation of the interface, slice by slice: what documents, tests and the server walk over. */
import * as accounts from './accounts.ts'
import * as chats from './chats.ts'
import * as events from './events.ts'
import * as gallery from './gallery.ts'
import * as leaving from './leaving.ts'
import * as links from './links.ts'
import * as notifications from './notifications.ts'
import * as people from './people.ts'
import * as providers from './providers.ts'
import * as recovery from './recovery.ts'
import type { Route } from './route.ts'

const routesOf = (slice: Record<string, unknown>) =>
  Object.values(slice).filter(
    (value): value is Route => typeof value === 'object' && value !== null && 'perMinute' in value,
  )

export const operationsBySlice = {
  accounts: routesOf(accounts),
  providers: routesOf(providers),
  recovery: routesOf(recovery),
  notifications: routesOf(notifications),
  events: routesOf(events),
  links: routesOf(links),
  people: routesOf(people),
  gallery: routesOf(gallery),
  chats: routesOf(chats),
  leaving: routesOf(leaving),
}

export const operations: Route[] = Object.values(operationsBySlice).flat()
