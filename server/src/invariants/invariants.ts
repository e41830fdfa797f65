import type { Database } from '../platform/database/database.ts'
import type { Storage } from '../platform/media/storage/storage.ts'
import type { Wrong } from './wrong.ts'
import { wrongCounts } from './wrong-counts.ts'
import { type FileChecks, wrongFiles } from './wrong-files.ts'

/**
 * Invariants read from an instance at rest: files and rows, counts and recounts. Empty if all is well. While a service
 * is running, a count may be seen between two of its statements; ask again.
 */
export const brokenInvariants = async (db: Database, storage: Storage, checks: FileChecks = {}): Promise<Wrong[]> => [
  ...(await wrongFiles(db, storage, checks)),
  ...(await wrongCounts(db)),
]
