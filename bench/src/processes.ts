import { readdirSync } from 'node:fs'
import { textOf } from '../../server/src/platform/process/file-text.ts'

/*
 * CPU time and memory from /proc. A process's children count with it, those that ended included (the kernel adds them up
 * when they are waited for): backends of PostgreSQL and decoders of pictures come and go during a run.
 */

const ticksPerSecond = 100

/** Everything that runs now, so that several trees are cut from one moment: parents and ticks, by pid. */
type Census = ReadonlyMap<number, { parent: number; ticks: number }>

export const takeCensus = (): Census => {
  const census = new Map<number, { parent: number; ticks: number }>()
  for (const pid of readdirSync('/proc').map(Number).filter(Boolean)) {
    const text = textOf(`/proc/${pid}/stat`)
    // The name in brackets may hold anything, spaces too; what follows its last bracket does not.
    const [, parent, ...rest] = text.slice(text.lastIndexOf(')') + 2).split(' ')
    const ticks = rest.slice(9, 13).reduce((sum, each) => sum + Number(each), 0)
    if (parent) census.set(pid, { parent: Number(parent), ticks })
  }
  return census
}

/** Seconds of CPU that a process and what descends from it have used, leaving out the tree of `except`. */
export const cpuSecondsOf = (root: number, census: Census, except?: number): number => {
  const tree = [root]
  for (const pid of tree)
    for (const [child, { parent }] of census) if (parent === pid && child !== except) tree.push(child)
  return tree.reduce((sum, pid) => sum + (census.get(pid)?.ticks ?? 0), 0) / ticksPerSecond
}

/** Seconds of CPU that all programs of the machine have used since it started, over all cores. */
export const machineCpuSeconds = (): number => {
  const [, user, nice, system, , , irq, softirq, steal] = textOf('/proc/stat').split('\n', 1)[0]?.split(/\s+/) ?? []
  const all = [user, nice, system, irq, softirq, steal]
  return all.reduce((sum, ticks) => sum + Number(ticks), 0) / ticksPerSecond
}

/** MiB of memory that a process holds: its own, and the program files that it shares. */
export const residentMemoryOf = (pid: number): number =>
  Number(/^VmRSS:\s+(\d+)/m.exec(textOf(`/proc/${pid}/status`))?.[1] ?? 0) / 1024
