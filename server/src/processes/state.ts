import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** What the command line is told about the processes of a data directory. */
export type ProcessesState = {
  supervisor: number
  /** null: it died and is being restarted. */
  processes: (number | null)[]
  /** How often they were restarted, or failed to be. */
  restarts: number
  restarting: boolean
  /** How many of them the restart under way has replaced, and the one that finishes what it was asked; null: none. */
  replaced: number
  finishing: number | null
  /** Why the last restart failed. */
  failure: string | null
}

const fileOf = (dataDir: string) => join(dataDir, 'processes.json')

export function writeState(dataDir: string, state: ProcessesState): void {
  const file = fileOf(dataDir)
  writeFileSync(`${file}.new`, `${JSON.stringify(state)}\n`, { mode: 0o600 })
  renameSync(`${file}.new`, file)
}

/** null: a single process serves there, or none. A killed one leaves its state to the next start, which removes it. */
export function readState(dataDir: string): ProcessesState | null {
  try {
    return JSON.parse(readFileSync(fileOf(dataDir), 'utf8'))
  } catch {
    return null
  }
}

export const forgetState = (dataDir: string) => rmSync(fileOf(dataDir), { force: true })
