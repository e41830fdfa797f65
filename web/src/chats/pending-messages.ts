import type { Waiting as InOutbox } from '@afterglow/sdk/outbox'
import { openStore } from '../app/store.ts'
import type { Message } from './window.ts'

/** A message on its way to the service. */
export type Waiting = InOutbox & {
  userId: number
  content: string
  replyTo?: Message['replied_to']
  pictures: Blob[]
  /** While it is being sent: the newest sequence that was known then. */
  sentAfter?: number
}

declare module '../app/database.ts' {
  interface Stores {
    /** Messages on their way, in the order in which they were written. */
    outbox: { key: number; value: Waiting }
  }
}

/** Those that are on their way. `outbox.ts` fills and empties it. */
export const waiting = openStore<readonly Waiting[]>([])

/** Whether one has gone out since this page was opened. */
export const oneArrived = openStore(false)

/** A picture needs words beside it; without any these stand for it and are not shown. */
export const pictureOnly = '📷'
