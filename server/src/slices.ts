import { accounts } from './accounts/slice.ts'
import { albums } from './albums/slice.ts'
import { channel } from './channel/slice.ts'
import { chats } from './chats/slice.ts'
import { events } from './events/slice.ts'
import { gallery } from './gallery/slice.ts'
import { log } from './log/slice.ts'
import { notifications } from './notifications/slice.ts'
import { people } from './people/slice.ts'
import { plans } from './plans/slice.ts'
import { polls } from './polls/slice.ts'
import { privacy } from './privacy/slice.ts'
import { type Slice, tablesOf } from './slice.ts'
import { uploads } from './uploads/slice.ts'
import { wall } from './wall/slice.ts'
import { webhooks } from './webhooks/slice.ts'

/** All parts of the service, each depending only on those before it. */
export const slices: readonly Slice[] = [
  log,
  accounts,
  channel,
  notifications,
  events,
  plans,
  people,
  gallery,
  uploads,
  albums,
  chats,
  polls,
  wall,
  privacy,
  webhooks,
]

export const tables = tablesOf(slices)

export const fileSources = slices.flatMap(({ files = [] }) => files)
