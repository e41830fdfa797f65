import type { DBSchema, IDBPDatabase } from 'idb'
import type { Reached, Seen } from './seen.ts'

/** What is on its way out has its store declared by the slice that fills it. */
export interface Stores extends DBSchema {
  /** How far what was seen goes, by the person's id. */
  kept: { key: number; value: Reached }
  /** What was seen, a query at a time: the person's id, then the query's hash. */
  seen: { key: [number, string]; value: Seen }
}

let opening: Promise<IDBPDatabase<Stores>> | undefined

// A page that was left may be kept aside, with what it opened: WebKit lets the next page wait for it without end.
addEventListener('pagehide', () => {
  void opening?.then(open => open.close()).catch(() => {})
  opening = undefined
})

/** What this browser keeps of its own. A new store raises the version and is made in `upgrade`. */
export const database = (): Promise<IDBPDatabase<Stores>> => {
  opening ??= open()
  return opening
}

const open = async () => {
  const { openDB } = await import('idb')
  return openDB<Stores>('afterglow', 3, {
    upgrade(open, before) {
      if (before < 1) open.createObjectStore('outbox', { keyPath: 'at' })
      if (before < 2) open.createObjectStore('uploads', { keyPath: 'at' })
      if (before < 3) {
        // Until then everything that was seen was one value.
        if (before > 0) open.deleteObjectStore('kept')
        open.createObjectStore('kept')
        open.createObjectStore('seen')
      }
    },
  })
}
