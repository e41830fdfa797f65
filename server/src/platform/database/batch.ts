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
  run: (all: readonly Asked[]) => Promise<readonly Done[]>,
  { most, apart, after }: Sharing<Asked>,
): ((asked: Asked) => Promise<Done>) => {
  let waiting: Waiting<Asked, Done>[] = []
  const busy = new Set<number>()
  let underWay = 0
  let isStarting = false

  const startSoon = () => {
    if (isStarting || underWay === statementsMax) return
    isStarting = true
    // Requests sent together are rarely read in one turn, but nearly always within two.
    setImmediate(() => setImmediate(startNext))
  }

  const startNext = () => {
    isStarting = false
    if (underWay === statementsMax || waiting.length === 0) return
    const together: Waiting<Asked, Done>[] = []
    const later: Waiting<Asked, Done>[] = []
    const names = new Set<string>()
    for (const each of waiting) {
      const name = after?.(each.asked)
      const fits =
        together.length < most && !(apart && busy.has(apart(each.asked))) && !(name !== undefined && names.has(name))
      ;(fits ? together : later).push(each)
      if (name !== undefined) names.add(name)
    }
    if (together.length === 0) return
    waiting = later
    void start(together)
    if (later.length) startSoon()
  }

  const start = async (together: readonly Waiting<Asked, Done>[]) => {
    underWay += 1
    for (const key of keysOf(together)) busy.add(key)
    await settle(together)
    underWay -= 1
    startSoon()
  }

  const keysOf = (together: readonly Waiting<Asked, Done>[]) =>
    new Set(apart ? together.map(({ asked }) => apart(asked)) : [])

  const settle = async (together: readonly Waiting<Asked, Done>[]): Promise<void> => {
    const keys = keysOf(together)
    try {
      await runTogether(together)
    } catch (error) {
      if (waitedInVain(error) && apart && keys.size > 1) {
        const groups = Map.groupBy(together, ({ asked }) => apart(asked))
        await Promise.all([...groups.values()].map(settle))
        return
      }
      if (waitedInVain(error)) for (const { reject } of [...together, ...takeBehind(keys)]) reject(error)
      else if (together.length > 1 && wasRolledBack(error)) for (const each of together) await runAlone(each)
      else for (const { reject } of together) reject(error)
    }
    for (const key of keys) busy.delete(key)
    startSoon()
  }

  const runTogether = async (together: readonly Waiting<Asked, Done>[]) => {
    const done = await run(together.map(({ asked }) => asked))
    for (const [at, { resolve }] of together.entries()) resolve(done[at] as Done)
  }
  const runAlone = (one: Waiting<Asked, Done>) => runTogether([one]).catch(one.reject)

  const takeBehind = (keys: ReadonlySet<number>) => {
    const isBehind = ({ asked }: Waiting<Asked, Done>) => apart !== undefined && keys.has(apart(asked))
    const behind = waiting.filter(isBehind)
    waiting = waiting.filter(each => !isBehind(each))
    return behind
  }

  return asked =>
    new Promise((resolve, reject) => {
      waiting.push({ asked, resolve, reject })
      startSoon()
    })
}

/**
 * The database itself reported that the statement failed. After a broken connection nobody knows, and a retry could
 * duplicate it.
 */
const wasRolledBack = (error: unknown) => (error as { severity?: string }).severity === 'ERROR'
