import { Unavailable, Unreadable } from '../http/refusals.ts'

/** Whom work is done for, as shares are counted; `gone` is aborted when they wait for it no more. */
export type Turn = { who: string; gone?: AbortSignal }

export type FairQueue = {
  /**
   * Does the work when its turn comes. Throws `Unavailable` at once when too much waits, and `Unreadable` when its asker is
   * gone before it began; what has begun goes on.
   */
  run<Result>(turn: Turn, cost: number, work: () => Promise<Result>): Promise<Result>
}

type Opening = {
  atOnce: number
  /** More than these do not wait: of all, and of one asker. */
  waitingMax: number
  waitingMaxEach: number
  /** What who comes on top of that is told. */
  full: string
}

type Waiting = { cost: number; go(): void }
/** `finish` is when, in units of cost handed out, what waits first here would be done if all askers were served evenly. */
type Asker = { waiting: Waiting[]; finish: number }

const retryAfterSeconds = 15

/**
 * Places for work that is handed out fairly: whoever has been given least comes next, counted in cost (self-clocked fair
 * queueing), so that neither many tasks of one asker nor a few dear ones hold up the others. Nobody starves: a dear task
 * waits until the others have been given as much. Libraries of queues know priorities, not shares.
 */
export const openFairQueue = ({ atOnce, waitingMax, waitingMaxEach, full }: Opening): FairQueue => {
  const askers = new Map<string, Asker>()
  let running = 0
  let waitingCount = 0
  /** How far the queue's own clock is: at the finish of what was begun last. */
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
        // What was given to them is forgotten once all others have been given as much.
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
