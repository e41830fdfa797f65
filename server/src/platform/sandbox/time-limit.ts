import { readdirSync, readFileSync } from 'node:fs'

/** For how long it may sleep, in limits: it may wait for its input, and some hosts hide that they hold it back. */
const sleepsMax = 20

/**
 * Ends a process that has computed for `seconds`: its busiest thread counts, whatever else the machine does meanwhile,
 * so a file is never refused for our slowness. A process that does nothing at all for as long, although it could,
 * hangs, and is ended as well.
 */
export const openTimeLimit = (pid: number, seconds: number, end: (how: 'too-slow') => void) => {
  const limitMs = seconds * 1000
  let timer: NodeJS.Timeout | undefined
  const after = (ms: number, act: () => void) => {
    timer = setTimeout(act, ms)
  }
  // The beginning is not watched, so short runs cost no look at the processes.
  const begin = () =>
    after(limitMs / 8, () => {
      const first = { ...threadsOf(pid), at: performance.now() }
      after(limitMs, () => look(first, first))
    })
  const look = (first: Seen, before: Seen) => {
    const now = { ...threadsOf(pid), at: performance.now() }
    const ran = now.ranMs - first.ranMs
    const slept = now.at - first.at - ran - (now.waitedMs - first.waitedMs)
    const isStill =
      now.ranMs - before.ranMs < limitMs / 100 && now.waitedMs - before.waitedMs < (now.at - before.at) / 2
    // Timers are not exact.
    if (ran > limitMs * 0.97 || isStill || slept > sleepsMax * limitMs) return end('too-slow')
    return after(Math.max(limitMs - ran, limitMs / 8), () =>
      look(first, now.at - before.at < limitMs / 2 ? before : now),
    )
  }
  begin()
  return {
    /** It makes progress: its time starts again. */
    refresh() {
      clearTimeout(timer)
      begin()
    },
    stop() {
      clearTimeout(timer)
    },
  }
}

type Seen = { ranMs: number; waitedMs: number; at: number }

/**
 * How long a thread of this process, or of any that it started, has run, and how long one was ready but not running: the
 * maximum over all threads. 0 if the kernel does not tell.
 */
const threadsOf = (pid: number): Omit<Seen, 'at'> => {
  const parents = new Map(numbersIn('/proc').map(each => [each, parentOf(each)]))
  const isOurs = (each: number | undefined): boolean => each === pid || (!!each && isOurs(parents.get(each)))
  const threads = [...parents.keys()]
    .filter(isOurs)
    .flatMap(each => numbersIn(`/proc/${each}/task`).map(thread => readTimes(`/proc/${each}/task/${thread}/schedstat`)))
  const most = (at: 0 | 1) => Math.max(0, ...threads.map(times => times[at])) / 1e6
  return { ranMs: most(0), waitedMs: most(1) }
}

const numbersIn = (folder: string): number[] => {
  try {
    return readdirSync(folder).map(Number).filter(Number.isInteger)
  } catch {
    return []
  }
}

const read = (path: string): string => {
  try {
    return readFileSync(path, 'latin1')
  } catch {
    // It has ended meanwhile, or the kernel has no such file.
    return ''
  }
}

// Its name is in brackets, and may contain brackets itself.
const parentOf = (pid: number) => Number(read(`/proc/${pid}/stat`).split(') ').at(-1)?.split(' ')[1] ?? 0)

/** Nanoseconds running, and nanoseconds waiting for a CPU. */
const readTimes = (path: string): [ran: number, waited: number] => {
  const [ran = 0, waited = 0] = read(path).split(' ').map(Number)
  return [ran || 0, waited || 0]
}
