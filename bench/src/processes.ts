import { readdirSync } from 'node:fs'
import { textOf } from '../../server/src/platform/process/file-text.ts'

/*
 * CPU time and memory from /proc, including children and those that ended (the kernel adds them up when they are
 * reaped): PostgreSQL's backends and picture decoders come and go during a run.
 */

const ticksPerSecond = 100

/** A snapshot of all processes, so that several trees are taken at one moment: parents and ticks by pid. */
type Census = ReadonlyMap<number, { parent: number; ticks: number }>

export const takeCensus = (): Census => {
  const census = new Map<number, { parent: number; ticks: number }>()
  for (const pid of readdirSync('/proc').map(Number).filter(Boolean)) {
    const text = textOf(`/proc/${pid}/stat`)
    // The name in brackets may contain anything, even spaces; the fields after its last bracket do not.
    const [, parent, ...rest] = text.slice(text.lastIndexOf(')') + 2).split(' ')
    const ticks = rest.slice(9, 13).reduce((sum, each) => sum + Number(each), 0)
    if (parent) census.set(pid, { parent: Number(parent), ticks })
  }
  return census
}

/** CPU seconds of a process tree, without the tree of `except`. */
export const cpuSecondsOf = (root: number, census: Census, except?: number): number => {
  const tree = [root]
  for (const pid of tree)
    for (const [child, { parent }] of census) if (parent === pid && child !== except) tree.push(child)
  return tree.reduce((sum, pid) => sum + (census.get(pid)?.ticks ?? 0), 0) / ticksPerSecond
}

/** CPU seconds of all programs since boot, over all cores. */
export const machineCpuSeconds = (): number => {
  const [, user, nice, system, , , irq, softirq, steal] = textOf('/proc/stat').split('\n', 1)[0]?.split(/\s+/) ?? []
  const all = [user, nice, system, irq, softirq, steal]
  return all.reduce((sum, ticks) => sum + Number(ticks), 0) / ticksPerSecond
}

/** Resident MiB of a process, including shared program files. */
export const residentMemoryOf = (pid: number): number =>
  Number(/^VmRSS:\s+(\d+)/m.exec(textOf(`/proc/${pid}/status`))?.[1] ?? 0) / 1024
