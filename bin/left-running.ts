import { readdirSync, readFileSync, statSync } from 'node:fs'

/**
 * Processes that were started by this one or on its behalf, though who started them may have ended long ago: with this in
 * their environment or, where that was replaced, since then by a program in this folder. None where there is no `/proc`.
 */
export function processesOf(mark: { name: string; value: string }, folder: string, sinceMs: number): Left[] {
  const isMarked = (pid: number) => readOf(pid, 'environ').includes(`${mark.name}=${mark.value}`)
  const isFromHere = (pid: number) =>
    readOf(pid, 'cmdline').some(word => word.startsWith(`${folder}/`)) && startOf(pid) >= sinceMs
  return pids()
    .filter(pid => pid !== process.pid && (isMarked(pid) || isFromHere(pid)))
    .map(pid => ({ pid, command: readOf(pid, 'cmdline').join(' ').trim() }))
}
type Left = { pid: number; command: string }

function startOf(pid: number): number {
  return statSync(`/proc/${pid}`, { throwIfNoEntry: false })?.ctimeMs ?? 0
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
