import { join } from 'node:path'
import { writeDurably } from '../process/durable-file.ts'
import { textOf } from '../process/file-text.ts'

const fileOf = (dataDir: string) => join(dataDir, 'last-backup')

export const noteBackup = (dataDir: string): void =>
  writeDurably(fileOf(dataDir), `${new Date().toISOString()}\n`, 0o644)

/** When this instance was last backed up by our command; null: never, as far as we know. */
export function lastBackup(dataDir: string): Date | null {
  const at = new Date(textOf(fileOf(dataDir)).trim())
  return Number.isNaN(at.getTime()) ? null : at
}
