import { spawn } from 'node:child_process'
import type { ConfinedCommand } from './confinement.ts'

/** The machine has no process, no memory or no open file left for a program. */
export class NotSpawned extends Error {
  override name = 'NotSpawned'
}

/** Starts it in a process group of its own, which is killed as a whole. Throws `NotSpawned`. */
export const spawnConfined = ({ file, args, env }: ConfinedCommand) => {
  try {
    const child = spawn(file, args, { env, cwd: '/', detached: true, stdio: ['pipe', 'pipe', 'pipe'] })
    // Without a free file descriptor it has no streams, and emits an error that nobody would receive.
    if (child.stdin) return child
    child.on('error', () => {})
  } catch (fault) {
    throw new NotSpawned(String(fault))
  }
  throw new NotSpawned('no file descriptor is left')
}

export const killGroup = (pid: number | undefined): void => {
  try {
    if (pid !== undefined) process.kill(-pid, 'SIGKILL')
  } catch {
    // None of it is left.
  }
}

/** The signal that ended it. A sandbox reports the one that ended its program as a shell does, by an exit code. */
export const signalOf = (code: number | null, by: NodeJS.Signals | null): string | null =>
  by ?? (code === null ? null : (codes[code] ?? null))

const codes: Record<number, string> = {
  132: 'SIGILL',
  134: 'SIGABRT',
  135: 'SIGBUS',
  136: 'SIGFPE',
  137: 'SIGKILL',
  139: 'SIGSEGV',
  143: 'SIGTERM',
  152: 'SIGXCPU',
  153: 'SIGXFSZ',
  159: 'SIGSYS',
}

const crashes = new Set(['SIGSEGV', 'SIGABRT', 'SIGBUS', 'SIGILL', 'SIGFPE', 'SIGSYS'])

/** Tells whether the program itself caused such an end. */
export const isCrash = (signal: string | null): boolean => signal !== null && crashes.has(signal)
