import { type DBSchema, type IDBPDatabase, openDB } from 'idb'
import type { Waiting } from '../chats/waiting.ts'
import type { Upload } from '../gallery/upload.ts'
import type { Kept } from './kept.ts'

interface Stores extends DBSchema {
  /** By the person's id. */
  kept: { key: number; value: Kept }
  /** Messages on their way, in the order in which they were written. */
  outbox: { key: number; value: Waiting }
  /** Photos and films on their way, with their bytes. */
  uploads: { key: number; value: Upload }
}

let opening: Promise<IDBPDatabase<Stores>> | undefined

/** What this browser keeps of its own. A new store raises the version and is made in `upgrade`. */
export const database = (): Promise<IDBPDatabase<Stores>> => {
  opening ??= openDB<Stores>('afterglow', 2, {
    upgrade(open, before) {
      if (before < 1) {
        open.createObjectStore('kept')
        open.createObjectStore('outbox', { keyPath: 'at' })
      }
      if (before < 2) open.createObjectStore('uploads', { keyPath: 'at' })
    },
  })
  return opening
}
