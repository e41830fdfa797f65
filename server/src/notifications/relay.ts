import { setTimeout as sleep } from 'node:timers/promises'
import type { Logger } from 'pino'
import type { Database } from '../platform/database.ts'
import { beginHistory, type PlacedRow, placeChanges, readPlaced, waitingSince } from './changes-store.ts'
import type { Head } from './position.ts'
import type { Membership } from './showing.ts'

/** Changes in the order of their places, up to this head, and what was read with them. */
export type Batch = { head: Head; changes: readonly PlacedRow[]; within: unknown }

export type Relaying = {
  db: Database
  log: Pick<Logger, 'warn'>
  /** What is read of the changes' events in the same statement. */
  within: Membership['readWithin']
  /** Resolves when what is about to be announced here has been; undefined when nothing is. */
  underWay(): Promise<unknown> | undefined
  /** Whether anybody is there to be told. */
  isNeeded(): boolean
  /**
   * Tells everybody here, and gives how many sockets that were. When it throws, the same batch comes again, so what can
   * fail goes first.
   */
  tell(batch: Batch): Promise<number>
  /** What was told before belongs to another history: whoever is there loads afresh. */
  forsake(): void
  pollMs?: number
}

export type Relay = {
  /** There may be something new: looks at once, or once more after the look under way. */
  nudge(): void
  /** Calls back between two looks, with the place up to which everything was told: what is later comes later. */
  enter(enter: (head: Head) => void): void
  /** How long the oldest change waits that was not told here, in seconds; 0 while nobody is there to be told. */
  lag(): Promise<number>
  close(): Promise<void>
}

const everyMs = 200
const againAfterMs = 250

/*
 * A write to a socket costs about 10 µs, however much it carries. After a look that told many, the next one waits at most
 * so long for the messages that are being stored here, which then go out with the same writes.
 */
export const gatherMsAfter = (sockets: number) => Math.floor(Math.min(sockets * 0.01, 5))

/**
 * Tails the log of the whole service for those who are connected to this process. It reads the database and nothing
 * else, so every process tells the same in the same order, and one that dies takes nothing along. While nobody is
 * connected it costs nothing; afterwards two index probes every 200 ms.
 */
export const openRelay = ({
  db,
  log,
  within: readWithin,
  underWay,
  isNeeded,
  tell,
  forsake,
  pollMs = everyMs,
}: Relaying): Relay => {
  let reached: Head | undefined
  let entering: ((head: Head) => void)[] = []
  let wanted = false
  let toldLast = 0
  let running: Promise<void> | undefined
  const closing = new AbortController()

  const pause = (ms: number) => sleep(ms, null, { signal: closing.signal }).catch(() => {})

  const gather = async (ms: number) => {
    const company = ms > 0 && underWay()
    if (company) await Promise.race([company, pause(ms)])
  }

  /** A database that has not got as far as what it gave us before was put back to an earlier state. */
  const headNow = async () => {
    const head = await placeChanges(db)
    if (reached?.history !== head.history || reached.place <= head.place) return head
    await beginHistory(db, head)
    return placeChanges(db)
  }

  const look = async () => {
    const now = entering
    entering = []
    let head: Head
    try {
      head = await headNow()
      if (reached && reached.history !== head.history) {
        log.warn('the log goes on in another history, as after a failover or a restore: everybody loads afresh')
        forsake()
      } else if (reached && isNeeded() && reached.place < head.place) {
        const { changes, within } = await readPlaced(db, reached.place, head.place, readWithin)
        if (changes.length > 0) toldLast = await tell({ head, changes, within })
      }
      reached = head
    } catch (error) {
      entering = [...now, ...entering]
      throw error
    }
    for (const enter of now) enter(head)
  }

  const run = async () => {
    while (wanted && !closing.signal.aborted) {
      await gather(gatherMsAfter(toldLast))
      wanted = false
      try {
        await look()
      } catch (err) {
        log.warn({ err }, 'the channel cannot read the log; it tries again')
        wanted = true
        await pause(againAfterMs)
      }
    }
    running = undefined
  }

  const nudge = () => {
    if (closing.signal.aborted || (!isNeeded() && entering.length === 0)) return
    wanted = true
    running ??= run()
  }
  const poll = setInterval(nudge, pollMs)
  poll.unref()

  return {
    nudge,
    enter(enter) {
      entering.push(enter)
      nudge()
    },
    lag: async () => (reached === undefined || !isNeeded() ? 0 : waitingSince(db, reached.place)),
    async close() {
      clearInterval(poll)
      closing.abort()
      await running
    },
  }
}
