import type { DBSchema, IDBPDatabase } from 'idb'
import type { StoredCursor, StoredQuery } from '../cache/query-snapshot.ts'
import { ours } from '../public-path.ts'

/** The store for outgoing items is declared by the slice that fills it. */
export interface Stores extends DBSchema {
  /** The cursor up to which stored data is current, by user ID. */
  kept: { key: number; value: StoredCursor }
  /** Stored data, one query at a time: the user ID, then the query's hash. */
  seen: { key: [number, string]; value: StoredQuery }
}

let opening: Promise<IDBPDatabase<Stores>> | undefined

// A page in the back/forward cache may keep its database open: WebKit then lets the next page wait for ever.
addEventListener('pagehide', () => {
  void opening?.then(open => open.close()).catch(() => {})
  opening = undefined
})

/** This browser's own database. A new store raises the version and is created in `upgrade`. */
export const database = (): Promise<IDBPDatabase<Stores>> => {
  opening ??= open().catch(error => {
    // Its code may be available the next time.
    opening = undefined
    throw error
  })
  return opening
}

const open = async () => {
  const { openDB } = await import('idb')
  return openDB<Stores>(ours, 4, {
    upgrade(open, before) {
      if (before < 1) open.createObjectStore('outbox', { keyPath: 'at' })
      if (before < 2) open.createObjectStore('uploads', { keyPath: 'at' })
      if (before < 3) {
        // Until then, all stored data was a single value.
        if (before > 0) open.deleteObjectStore('kept')
        open.createObjectStore('kept')
        open.createObjectStore('seen')
      }
      if (before < 4) open.createObjectStore('acts', { keyPath: 'at' })
    },
    // A tab with a newer build waits for this one to let go.
    blocking(_, __, event) {
      ;(event.target as IDBDatabase).close()
      opening = undefined
    },
  })
}
