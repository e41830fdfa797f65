import { readdirSync, readFileSync, readlinkSync } from 'node:fs'

/** From `/proc`; on other systems nothing is found. */
export type Process = { pid: number; parent: number; command: string }

/**
 * The processes that belong to a folder, with all their children: they work there, have it as an argument, or in their
 * environment. Process groups and parents say less: PostgreSQL leaves both.
 */
export const processesOf = (folder: string): Process[] => {
  return withChildren(everyProcess(), ({ pid }) => isOf(pid, folder))
}

/** Those processes and all their children, whose numbers are lower once the numbers began anew. */
export const withChildren = (all: Process[], chosen: (each: Process) => boolean): Process[] => {
  const found = new Set(all.filter(chosen).map(({ pid }) => pid))
  for (let before = -1; before < found.size; ) {
    before = found.size
    for (const { pid, parent } of all) if (found.has(parent)) found.add(pid)
  }
  return all.filter(({ pid }) => found.has(pid))
}

const everyProcess = (): Process[] =>
  pids().flatMap(pid => {
    // State and parent follow the name, which may contain anything.
    const [state, parent] = readOf(pid, 'stat').split(') ').at(-1)?.split(' ') ?? []
    if (!parent || state === 'Z' || state === 'X') return []
    return [{ pid, parent: Number(parent), command: readOf(pid, 'cmdline').replaceAll('\0', ' ').trim() }]
  })

const isOf = (pid: number, folder: string) =>
  [linkOf(pid, 'cwd'), readOf(pid, 'cmdline'), readOf(pid, 'environ')].some(text => text.includes(folder))

const pids = () => {
  try {
    return readdirSync('/proc').map(Number).filter(Boolean)
  } catch {
    return []
  }
}

const readOf = (pid: number, file: string) => {
  try {
    return readFileSync(`/proc/${pid}/${file}`, 'utf8')
  } catch {
    // It has ended, or belongs to another user.
    return ''
  }
}

const linkOf = (pid: number, file: string) => {
  try {
    return readlinkSync(`/proc/${pid}/${file}`)
  } catch {
    return ''
  }
}
