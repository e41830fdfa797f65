import type { Database } from '../platform/database/database.ts'
import type { Storage } from '../platform/media/storage.ts'
import type { Wrong } from './wrong.ts'
import { wrongCounts } from './wrong-counts.ts'
import { type FileChecks, wrongFiles } from './wrong-files.ts'

/**
 * What must always hold and is read off an instance at rest: files and rows, counts and recounts. Empty when all is well.
 * Beside a running service a count may be seen in between two statements of this; ask again.
 */
export const brokenInvariants = async (db: Database, storage: Storage, checks: FileChecks = {}): Promise<Wrong[]> => [
  ...(await wrongFiles(db, storage, checks)),
  ...(await wrongCounts(db)),
]
