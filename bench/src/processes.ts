import { readdirSync, readFileSync } from 'node:fs'

/*
 * CPU time and memory from /proc. A process's children count with it, those that ended included (the kernel adds them up
 * when they are waited for): backends of PostgreSQL and decoders of pictures come and go during a run.
 */

const ticksPerSecond = 100

type Stat = { pid: number; parent: number; ticks: number; endedTicks: number }

/** Everything that runs now, so that several trees are cut from one moment. */
export type Census = ReadonlyMap<number, Stat>

export const takeCensus = (): Census => {
  const census = new Map<number, Stat>()
  for (const name of readdirSync('/proc')) {
    const stat = /^\d+$/.test(name) ? statOf(Number(name)) : null
    if (stat) census.set(stat.pid, stat)
  }
  return census
}

const statOf = (pid: number): Stat | null => {
  const text = textOf(`/proc/${pid}/stat`)
  // The name in brackets may hold anything, spaces too; what follows its last bracket does not.
  const [, parent, ...rest] = text.slice(text.lastIndexOf(')') + 2).split(' ')
  if (!parent) return null
  const [user, system, endedUser, endedSystem] = rest.slice(9, 13).map(Number) as [number, number, number, number]
  return { pid, parent: Number(parent), ticks: user + system, endedTicks: endedUser + endedSystem }
}

/** The process and what descends from it, leaving out the trees of `except`. */
export const treeOf = (root: number, census: Census, except: readonly number[] = []): number[] => {
  const found = [root]
  for (const pid of found) {
    for (const stat of census.values()) if (stat.parent === pid && !except.includes(stat.pid)) found.push(stat.pid)
  }
  return found
}

/** Seconds of CPU that the tree has used since it began. */
export const cpuSecondsOf = (root: number, census: Census, except: readonly number[] = []): number => {
  let ticks = 0
  for (const pid of treeOf(root, census, except)) {
    const stat = census.get(pid)
    ticks += stat ? stat.ticks + stat.endedTicks : 0
  }
  return ticks / ticksPerSecond
}

/** Seconds of CPU that all programs of the machine have used since it started, over all cores. */
export const machineCpuSeconds = (): number => {
  const [user = 0, nice = 0, system = 0, , , irq = 0, softirq = 0, steal = 0] = (
    textOf('/proc/stat').split('\n')[0] ?? ''
  )
    .split(/\s+/)
    .slice(1)
    .map(Number)
  return (user + nice + system + irq + softirq + steal) / ticksPerSecond
}

/** MiB of memory that the processes hold: what is each one's own, and once the program files that they share. */
export const residentMemoryOf = (pids: readonly number[]): number => {
  const statuses = pids.map(pid => textOf(`/proc/${pid}/status`))
  const kibibytes = (status: string, field: string) =>
    Number(new RegExp(`^${field}:\\s+(\\d+)`, 'm').exec(status)?.[1] ?? 0)
  const own = statuses.reduce((sum, status) => sum + kibibytes(status, 'RssAnon') + kibibytes(status, 'RssShmem'), 0)
  return (own + Math.max(...statuses.map(status => kibibytes(status, 'RssFile')))) / 1024
}

/** Threads of this name in one process that are running or want to at this moment. */
export const busyThreadsOf = (pid: number, name: RegExp): number => {
  try {
    const tasks = readdirSync(`/proc/${pid}/task`).map(task => `/proc/${pid}/task/${task}`)
    return tasks.filter(task => / R /.test(textOf(`${task}/stat`)) && name.test(textOf(`${task}/comm`))).length
  } catch {
    return 0
  }
}

const textOf = (path: string): string => {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return ''
  }
}
