import type { Lane, OutboxStorage, Unsent } from '@afterglow/sdk/outbox'
import { statusOf } from '../net/client.ts'
import { ours } from '../public-path.ts'
import { session } from '../session.ts'
import { database, type Stores } from './database.ts'

/** Only its author sends it: an item refused because they are signed out waits for their return. */
export const asItsAuthor = async <Sent>(userId: number, send: () => Promise<Sent>): Promise<Sent> => {
  if (session.get()?.userId !== userId) throw new Error('its author is not signed in')
  try {
    return await send()
  } catch (error) {
    throw statusOf(error) === 401 ? new Error('its author is not signed in') : error
  }
}

/** An outbox stored in this browser, for all tabs of the current user. */
export const storedIn = <Item extends Unsent & { userId: number }>(store: 'outbox' | 'acts') => {
  /** Tells the other tabs that the stored outbox has changed. */
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
    // One tab at a time, or two might change the order. (Without HTTPS there are no locks; then the key of each item
    // still prevents a second write.)
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
