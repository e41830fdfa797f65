import type { Lane, OutboxStorage, Unsent } from '@afterglow/sdk/outbox'
import { statusOf } from '../net/client.ts'
import { ours } from '../public-path.ts'
import { session } from '../session.ts'
import { database, type Stores } from './database.ts'

/** Only its author sends it: what is refused because they are no longer signed in waits for their return. */
export const asItsAuthor = async <Sent>(userId: number, send: () => Promise<Sent>): Promise<Sent> => {
  if (session.get()?.userId !== userId) throw new Error('its author is not signed in')
  try {
    return await send()
  } catch (error) {
    throw statusOf(error) === 401 ? new Error('its author is not signed in') : error
  }
}

/** Where an outbox is kept in this browser, for all tabs of whoever is signed in. */
export const storedIn = <Item extends Unsent & { userId: number }>(store: 'outbox' | 'acts') => {
  /** Tells the other tabs that what is written down has changed. */
  const tabs = new BroadcastChannel(`${ours}.${store}`)
  const storage: OutboxStorage<Item> = {
    async all() {
      const all = (await (await database()).getAll(store)) as unknown as Item[]
      return all.filter(each => each.userId === session.get()?.userId)
    },
    async put(item) {
      await (await database()).put(store, item as unknown as Stores[typeof store]['value'])
      tabs.postMessage('changed')
    },
    async remove(at) {
      await (await database()).delete(store, at)
      tabs.postMessage('changed')
    },
  }
  return {
    storage,
    // One tab at a time, or two might change the order.
    // (Without HTTPS there are no locks; then its key still keeps each from being written twice.)
    alone: (lane: Lane, work: () => Promise<void>) =>
      navigator.locks ? navigator.locks.request(`${ours}.${store}.${lane}`, work) : work(),
    /** Calls back when another tab has changed it. Returns a function to stop. */
    follow(listener: () => void) {
      tabs.onmessage = listener
      return () => {
        tabs.onmessage = null
      }
    },
  }
}
