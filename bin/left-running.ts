import { readdirSync, readFileSync } from 'node:fs'

/**
 * Processes that were started with this in their environment, by whomever, though who started them may have ended long
 * ago; by their ids and command lines. None where there is no `/proc`.
 */
export function processesWith(name: string, value: string): { pid: number; command: string }[] {
  const isMarked = (pid: number) => readOf(pid, 'environ').includes(`${name}=${value}`)
  return pids()
    .filter(pid => pid !== process.pid && isMarked(pid))
    .map(pid => ({ pid, command: readOf(pid, 'cmdline').join(' ').trim() }))
}

function pids(): number[] {
  try {
    return readdirSync('/proc').map(Number).filter(Boolean)
  } catch {
    return []
  }
}

function readOf(pid: number, file: string): string[] {
  try {
    return readFileSync(`/proc/${pid}/${file}`, 'utf8').split('\0')
  } catch {
    // It has ended, or is somebody else's.
    return []
  }
}
