import { Unavailable, Unreadable } from '../http/refusals.ts'

/**
 * The caller as shares are counted; `crowd`: callers who share one caller's share. `gone` is aborted when they no
 * longer wait.
 */
export type Turn = { who: string; crowd?: string | undefined; gone?: AbortSignal }

export type FairQueue = {
  /**
   * Does the work when its turn comes. Throws `Unavailable` if too much is waiting, and `Unreadable` if its caller is gone
   * before it began; work that has begun continues.
   */
  run<Result>(turn: Turn, cost: number, work: () => Promise<Result>): Promise<Result>
}

type QueueOptions = {
  atOnce: number
  /** At most this many wait: in total, and per caller. */
  waitingMax: number
  waitingMaxEach: number
  /** The message for any further caller. */
  full: string
}

type Waiting = { cost: number; go(): void; refuse(): void }
/**
 * `received`: the time, in units of cost handed out, at which whatever they received would be done if all were served
 * evenly.
 */
type Asker = { waiting: Waiting[]; received: number }
/** Callers who share a share: `clock` is that of the shares within. */
type Crowd = { askers: Map<string, Asker>; waiting: number; received: number; clock: number }

const retryAfterSeconds = 15
/** A crowd counts as much as the people in it who wait, up to this many. */
const crowdWeightMax = 8

/**
 * Distributes slots fairly: the caller who has received least comes next, counted in cost (self-clocked fair queueing),
 * so that neither many tasks of one caller nor a few expensive ones hold up the others. Nobody starves: an expensive
 * task waits until the others have received as much. Callers who cost nothing, such as a thousand guests of one link,
 * share a group's share, evenly among themselves. When the queue is full, the caller with most waiting loses their last
 * task to a caller with less. Queue libraries know priorities, not shares.
 */
export const openFairQueue = (opening: QueueOptions): FairQueue => {
  const line = new Line(opening)
  let running = 0
  const begin = () => {
    const next = line.takeNext()
    if (!next) return
    running += 1
    next.go()
  }
  return {
    async run(turn, cost, work) {
      if (turn.gone?.aborted) throw new Unreadable('The connection was closed.')
      const mine = line.wait(turn, cost)
      if (running < opening.atOnce) begin()
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

/** The waiting tasks, and their order. */
class Line {
  readonly #opening: QueueOptions
  readonly #crowds = new Map<string, Crowd>()
  #waitingCount = 0
  /** The queue's own clock: when the task begun last would be done. */
  #clock = 0

  constructor(opening: QueueOptions) {
    this.#opening = opening
  }

  /** Resolves when it is this task's turn. */
  wait({ who, crowd: name = who, gone }: Turn, cost: number): Promise<void> {
    const crowd = this.#crowds.get(name) ?? { askers: new Map(), waiting: 0, received: 0, clock: 0 }
    const asker = crowd.askers.get(who) ?? { waiting: [], received: 0 }
    if (!this.#fits(crowd, asker)) return Promise.reject(this.#full())
    const { promise, resolve, reject } = Promise.withResolvers<void>()
    const end = (fault: Error) => {
      gone?.removeEventListener('abort', leave)
      this.#drop(crowd, asker, waiting)
      reject(fault)
    }
    const leave = () => end(new Unreadable('The connection was closed.'))
    const waiting: Waiting = {
      cost,
      go() {
        gone?.removeEventListener('abort', leave)
        resolve()
      },
      refuse: () => end(this.#full()),
    }
    gone?.addEventListener('abort', leave, { once: true })
    if (crowd.waiting === 0) crowd.received = Math.max(this.#clock, crowd.received)
    if (asker.waiting.length === 0) asker.received = Math.max(crowd.clock, asker.received)
    this.#crowds.set(name, crowd)
    crowd.askers.set(who, asker)
    asker.waiting.push(waiting)
    crowd.waiting += 1
    this.#waitingCount += 1
    return promise
  }

  /** Takes the one out of the line that comes next. */
  takeNext(): Waiting | undefined {
    let next: { crowd: Crowd; asker: Asker; done: number; doneWithin: number } | undefined
    for (const [name, crowd] of this.#crowds) {
      const first = firstOf(crowd)
      const cost = first?.asker.waiting[0]?.cost
      if (!first || cost === undefined) {
        if (crowd.received <= this.#clock) this.#crowds.delete(name)
        continue
      }
      const done = crowd.received + cost / first.weight
      if (next === undefined || done < next.done) next = { crowd, asker: first.asker, done, doneWithin: first.done }
    }
    if (!next) return undefined
    const { crowd, asker, done, doneWithin } = next
    crowd.received = this.#clock = done
    asker.received = crowd.clock = doneWithin
    const waiting = asker.waiting[0] as Waiting
    this.#drop(crowd, asker, waiting)
    return waiting
  }

  #fits(crowd: Crowd, asker: Asker) {
    const { waitingMax, waitingMaxEach } = this.#opening
    return asker.waiting.length < waitingMaxEach && (this.#waitingCount < waitingMax || this.#makeRoom(crowd, asker))
  }

  /** False if nobody has more waiting. */
  #makeRoom(crowd: Crowd, asker: Asker) {
    const most = largest(this.#crowds.values(), each => each.waiting)
    if (!most) return false
    const busiest = largest(most.askers.values(), each => each.waiting.length)
    const hasMore =
      most === crowd ? (busiest?.waiting.length ?? 0) > asker.waiting.length + 1 : most.waiting > crowd.waiting + 1
    if (hasMore) busiest?.waiting.at(-1)?.refuse()
    return hasMore
  }

  #full() {
    return new Unavailable(this.#opening.full, retryAfterSeconds)
  }

  #drop(crowd: Crowd, asker: Asker, waiting: Waiting) {
    asker.waiting.splice(asker.waiting.indexOf(waiting), 1)
    crowd.waiting -= 1
    this.#waitingCount -= 1
  }
}

/** The next caller of a crowd. */
const firstOf = ({ askers, clock }: Crowd) => {
  let next: { asker: Asker; done: number } | undefined
  let people = 0
  for (const [who, asker] of askers) {
    const [first] = asker.waiting
    if (!first) {
      // A caller's total is forgotten once all others have received as much.
      if (asker.received <= clock) askers.delete(who)
      continue
    }
    people += 1
    const done = asker.received + first.cost
    if (next === undefined || done < next.done) next = { asker, done }
  }
  return next && { ...next, weight: Math.min(people, crowdWeightMax) }
}

const largest = <Each>(all: Iterable<Each>, sizeOf: (each: Each) => number): Each | undefined => {
  let found: Each | undefined
  for (const each of all) if (found === undefined || sizeOf(each) > sizeOf(found)) found = each
  return found
}
