import { readdirSync, readFileSync } from 'node:fs'

/**
 * Ends whatever exceeds this. It was `too-slow` by its own fault and would be so again, or `lost`, because for half of
 * the time there was no CPU for it: that may be retried.
 */
export const openTimeLimit = (pid: number, seconds: number, end: (how: 'too-slow' | 'lost') => void) => {
  // The first half is not watched, so that whatever ends in time costs no look at the processes.
  const halfMs = seconds * 500
  let waitedMs = 0
  const midway = setTimeout(() => {
    waitedMs = processorWaitMs(pid)
  }, halfMs)
  const over = setTimeout(() => end(processorWaitMs(pid) - waitedMs > halfMs / 2 ? 'lost' : 'too-slow'), halfMs * 2)
  return {
    /** It makes progress: its time starts again. */
    refresh() {
      midway.refresh()
      over.refresh()
    },
    stop() {
      clearTimeout(midway)
      clearTimeout(over)
    },
  }
}

/**
 * How long a thread of this process, or of any that it started, was ready but not running since it began: the maximum
 * over all threads, in milliseconds. 0 if the kernel does not tell.
 */
const processorWaitMs = (pid: number): number => {
  const parents = new Map(numbersIn('/proc').map(each => [each, parentOf(each)]))
  const isOurs = (each: number | undefined): boolean => each === pid || (!!each && isOurs(parents.get(each)))
  const waits = [...parents.keys()]
    .filter(isOurs)
    .flatMap(each => numbersIn(`/proc/${each}/task`).map(thread => readWait(`/proc/${each}/task/${thread}/schedstat`)))
  return Math.max(0, ...waits) / 1e6
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

/** Nanoseconds running, nanoseconds waiting for a CPU, and how often it ran. */
const readWait = (path: string) => Number(read(path).split(' ')[1] ?? 0)
