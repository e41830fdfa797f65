import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** State of the processes of a data directory, as the command line reads it. */
export type ProcessesState = {
  supervisor: number
  /** null: it died and is being restarted. */
  processes: (number | null)[]
  /** How often they were restarted, or failed to be. */
  restarts: number
  restarting: boolean
  /**
   * Progress of the restart under way: how many are replaced, and which process still finishes its work; null: none.
   */
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

/**
 * null: none or a single process serves there. A killed supervisor leaves its state to the next start, which removes
 * it.
 */
export function readState(dataDir: string): ProcessesState | null {
  try {
    return JSON.parse(readFileSync(fileOf(dataDir), 'utf8'))
  } catch {
    return null
  }
}

export const forgetState = (dataDir: string) => rmSync(fileOf(dataDir), { force: true })
