import { readdirSync, readFileSync } from 'node:fs'

/**
 * The other processes of a group, by their ids and command lines: whatever its leader's children and theirs have started
 * and not ended stays in it, unless it was detached. None where there is no `/proc`.
 */
export function othersOfGroup(leader: number): { pid: number; command: string }[] {
  return pids()
    .filter(pid => pid !== leader && groupOf(pid) === leader)
    .map(pid => ({ pid, command: readOf(pid, 'cmdline').replaceAll('\0', ' ').trim() }))
}

/** Behind the name, which may hold anything: state, parent, group. */
function groupOf(pid: number): number {
  return Number(readOf(pid, 'stat').split(') ').at(-1)?.split(' ')[2])
}

function pids(): number[] {
  try {
    return readdirSync('/proc').map(Number).filter(Boolean)
  } catch {
    return []
  }
}

function readOf(pid: number, file: string): string {
  try {
    return readFileSync(`/proc/${pid}/${file}`, 'utf8')
  } catch {
    // It has ended.
    return ''
  }
}
