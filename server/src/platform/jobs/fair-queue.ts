import { Unavailable, Unreadable } from '../http/refusals.ts'

/** Whom work is done for, as shares are counted; `gone` is aborted when they no longer wait for it. */
export type Turn = { who: string; gone?: AbortSignal }

export type FairQueue = {
  /**
   * Does the work when its turn comes. Throws `Unavailable` at once if too much is waiting, and `Unreadable` if its
   * caller is gone before it began; work that has begun continues.
   */
  run<Result>(turn: Turn, cost: number, work: () => Promise<Result>): Promise<Result>
}

type Opening = {
  atOnce: number
  /** At most this many wait: in total, and per caller. */
  waitingMax: number
  waitingMaxEach: number
  /** The message for any further caller. */
  full: string
}

type Waiting = { cost: number; go(): void }
/**
 * `finish` is the time, in units of cost handed out, at which the caller's first waiting task would be done if all
 * callers were served evenly.
 */
type Asker = { waiting: Waiting[]; finish: number }

const retryAfterSeconds = 15

/**
 * Fairly distributed slots: whoever has received least comes next, counted in cost (self-clocked fair queueing), so
 * that neither many tasks of one caller nor a few expensive ones hold up the others. Nobody starves: an expensive task
 * waits until the others have received as much. Queue libraries know priorities, not shares.
 */
export const openFairQueue = ({ atOnce, waitingMax, waitingMaxEach, full }: Opening): FairQueue => {
  const askers = new Map<string, Asker>()
  let running = 0
  let waitingCount = 0
  /** The queue's own clock: the finish of the task begun last. */
  let clock = 0

  const wait = ({ who, gone }: Turn, cost: number) =>
    new Promise<void>((resolve, reject) => {
      const asker = askers.get(who) ?? { waiting: [], finish: 0 }
      if (waitingCount >= waitingMax || asker.waiting.length >= waitingMaxEach)
        return reject(new Unavailable(full, retryAfterSeconds))
      const leave = () => {
        drop(who, asker, waiting)
        reject(new Unreadable('The connection was closed.'))
      }
      const waiting: Waiting = {
        cost,
        go() {
          gone?.removeEventListener('abort', leave)
          resolve()
        },
      }
      gone?.addEventListener('abort', leave, { once: true })
      askers.set(who, asker)
      asker.waiting.push(waiting)
      waitingCount += 1
      if (asker.waiting.length === 1) asker.finish = Math.max(clock, asker.finish) + cost
    })

  const drop = (who: string, asker: Asker, waiting: Waiting) => {
    const at = asker.waiting.indexOf(waiting)
    asker.waiting.splice(at, 1)
    waitingCount -= 1
    const [first] = asker.waiting
    if (at === 0) asker.finish += (first?.cost ?? 0) - waiting.cost
    if (!first && asker.finish <= clock) askers.delete(who)
  }

  const begin = () => {
    let next: Asker | undefined
    for (const [who, asker] of askers) {
      if (asker.waiting.length === 0) {
        // What a caller has received is forgotten once all others have received as much.
        if (asker.finish <= clock) askers.delete(who)
      } else if (next === undefined || asker.finish < next.finish) next = asker
    }
    const waiting = next?.waiting.shift()
    if (!next || !waiting) return
    waitingCount -= 1
    running += 1
    clock = next.finish
    const [following] = next.waiting
    if (following) next.finish += following.cost
    waiting.go()
  }

  return {
    async run(turn, cost, work) {
      if (turn.gone?.aborted) throw new Unreadable('The connection was closed.')
      const mine = wait(turn, cost)
      if (running < atOnce) begin()
      await mine
      try {
        return await work()
      } finally {
        running -= 1
        begin()
      }
    },
  }
}
