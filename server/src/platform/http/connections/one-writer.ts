import type { Locker } from '@tus/server'

const patienceMs = 5_000
const locked = { status_code: 423, body: 'Another request writes to this session.' }

/**
 * Serialises the requests of each tus upload. A second one asks the first to stop, because its connection may be dead
 * without anybody having noticed, and gets 423 if it does not.
 */
export const openOneWriter = (): Locker => {
  const holders = new Map<string, { stop: () => unknown; over: Promise<void>; end: () => void }>()
  return {
    newLock: id => ({
      async lock(signal, stop) {
        const until = Date.now() + patienceMs
        for (let holder = holders.get(id); holder; holder = holders.get(id)) {
          await holder.stop()
          if (signal.aborted || !(await over(holder.over, until - Date.now()))) throw locked
        }
        const { promise, resolve } = Promise.withResolvers<void>()
        holders.set(id, { stop, over: promise, end: resolve })
      },
      async unlock() {
        const holder = holders.get(id)
        holders.delete(id)
        holder?.end()
      },
    }),
  }
}

/** Resolves with whether it ended in time. */
const over = async (work: Promise<void>, ms: number) => {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<false>(resolve => {
    timer = setTimeout(resolve, Math.max(0, ms), false)
  })
  const done = await Promise.race([work.then(() => true as const), late])
  clearTimeout(timer)
  return done
}
