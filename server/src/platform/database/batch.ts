import { waitedInVain } from './database-away.ts'

/*
 * Many requests, one statement. What a statement costs besides its rows (its way through the driver, its start, and for
 * a write the commit's flush and the row lock of its chat meanwhile) is paid once for all requests that arrive within
 * the same two turns of the event loop, or while statements are in flight: they collect and share the next one. Nobody
 * waits for company: while there is capacity, a request goes at once, alone if need be.
 *
 * Measured with 64 clients: a send takes 300 µs of PostgreSQL alone and 95 in a batch of 32; a chat's door and state 97
 * alone and 25 shared; reading a page takes 203 µs of Node with three statements of its own and 100 with shared ones.
 */

/** More than two only share the same cores and disk; with one, the cores would idle during each flush. */
const statementsMax = 2

type Waiting<Asked, Done> = { asked: Asked; resolve(done: Done): void; reject(error: unknown): void }

type Sharing<Asked> = {
  /** The maximum number of requests in a statement. */
  most: number
  /** Requests with the same key are never in two statements at a time, so that none waits for the other's lock. */
  apart?: (asked: Asked) => number
  /** Requests with the same name never share a statement: the later one must find what the earlier one wrote. */
  after?: (asked: Asked) => string | undefined
}

/**
 * Runs requests through `run`, which answers many in one statement, in the same order. Within a key, the order of
 * arrival is kept. If a statement fails, its requests are run one by one, so that a bad one fails alone. If it timed
 * out waiting for a row, each of its keys gets a statement of its own, so that the others wait no longer; requests of
 * the blocked key fail together, along with those queued behind them.
 */
export const batched = <Asked, Done>(
  run: Run<Asked, Done>,
  sharing: Sharing<Asked>,
): ((asked: Asked) => Promise<Done>) => {
  const batches = new Batches(run, sharing)
  return asked => batches.ask(asked)
}

type Run<Asked, Done> = (all: readonly Asked[]) => Promise<readonly Done[]>

class Batches<Asked, Done> {
  readonly #run: Run<Asked, Done>
  readonly #sharing: Sharing<Asked>
  #waiting: Waiting<Asked, Done>[] = []
  readonly #busy = new Set<number>()
  #underWay = 0
  #isStarting = false

  constructor(run: Run<Asked, Done>, sharing: Sharing<Asked>) {
    this.#run = run
    this.#sharing = sharing
  }

  ask(asked: Asked) {
    return new Promise<Done>((resolve, reject) => {
      this.#waiting.push({ asked, resolve, reject })
      this.#startSoon()
    })
  }

  #startSoon() {
    if (this.#isStarting || this.#underWay === statementsMax) return
    this.#isStarting = true
    // Requests sent together are rarely read in one turn, but nearly always within two.
    setImmediate(() => setImmediate(() => this.#startNext()))
  }

  #startNext() {
    this.#isStarting = false
    if (this.#underWay === statementsMax || this.#waiting.length === 0) return
    const { together, later } = this.#divide()
    if (together.length === 0) return
    this.#waiting = later
    void this.#start(together)
    if (later.length) this.#startSoon()
  }

  /** Divides the queue into requests for the next statement and the others. */
  #divide() {
    const { most, apart, after } = this.#sharing
    const together: Waiting<Asked, Done>[] = []
    const later: Waiting<Asked, Done>[] = []
    const names = new Set<string>()
    for (const each of this.#waiting) {
      const name = after?.(each.asked)
      const isKept = (apart && this.#busy.has(apart(each.asked))) || (name !== undefined && names.has(name))
      if (together.length < most && !isKept) together.push(each)
      else later.push(each)
      if (name !== undefined) names.add(name)
    }
    return { together, later }
  }

  async #start(together: readonly Waiting<Asked, Done>[]) {
    this.#underWay += 1
    for (const key of this.#keysOf(together)) this.#busy.add(key)
    await this.#settle(together)
    this.#underWay -= 1
    this.#startSoon()
  }

  #keysOf(together: readonly Waiting<Asked, Done>[]) {
    const { apart } = this.#sharing
    return new Set(apart ? together.map(({ asked }) => apart(asked)) : [])
  }

  async #settle(together: readonly Waiting<Asked, Done>[]): Promise<void> {
    const { apart } = this.#sharing
    const keys = this.#keysOf(together)
    try {
      await this.#runTogether(together)
    } catch (error) {
      if (waitedInVain(error) && apart && keys.size > 1) {
        const groups = Map.groupBy(together, ({ asked }) => apart(asked))
        await Promise.all([...groups.values()].map(group => this.#settle(group)))
        return
      }
      if (waitedInVain(error)) for (const { reject } of [...together, ...this.#takeBehind(keys)]) reject(error)
      else if (together.length > 1 && wasRolledBack(error)) for (const each of together) await this.#runAlone(each)
      else for (const { reject } of together) reject(error)
    }
    for (const key of keys) this.#busy.delete(key)
    this.#startSoon()
  }

  async #runTogether(together: readonly Waiting<Asked, Done>[]) {
    const done = await this.#run(together.map(({ asked }) => asked))
    for (const [at, { resolve }] of together.entries()) resolve(done[at] as Done)
  }

  #runAlone(one: Waiting<Asked, Done>) {
    return this.#runTogether([one]).catch(one.reject)
  }

  /** Takes those out of the queue that would wait for the same rows. */
  #takeBehind(keys: ReadonlySet<number>) {
    const { apart } = this.#sharing
    const isBehind = ({ asked }: Waiting<Asked, Done>) => apart !== undefined && keys.has(apart(asked))
    const behind = this.#waiting.filter(isBehind)
    this.#waiting = this.#waiting.filter(each => !isBehind(each))
    return behind
  }
}

/**
 * The database itself reported that the statement failed. After a broken connection nobody knows, and a retry could
 * duplicate it.
 */
const wasRolledBack = (error: unknown) => (error as { severity?: string }).severity === 'ERROR'
