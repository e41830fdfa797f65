import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { writeDurably } from '../process/durable-file.ts'

/** A mark next to an embedded database that was moved: where to, without a password, and when. */
export type MovedAway = { to: string; at: string }

const fileOf = (dataDir: string) => join(dataDir, 'postgres', 'moved.json')

export const markMovedAway = (dataDir: string, moved: MovedAway): void =>
  writeDurably(fileOf(dataDir), `${JSON.stringify(moved, null, 2)}\n`, 0o600)

export const movedAway = (dataDir: string): MovedAway | null =>
  existsSync(fileOf(dataDir)) ? JSON.parse(readFileSync(fileOf(dataDir), 'utf8')) : null

/** Why the embedded database may not be served: people would write into it without the other one knowing. */
export const movedAwaySentence = (dataDir: string, { to, at }: MovedAway): string =>
  `The database in ${dataDir}/postgres was moved to ${to} at ${at}: set DATABASE_URL to that, or remove ${fileOf(dataDir)} to go on with what is here.`
