import { setTimeout as sleep, setImmediate as thisTurn } from 'node:timers/promises'
import type { Logger } from 'pino'
import {
  beginHistory,
  type ChangeScope,
  type PlacedRow,
  readHead,
  readPlaced,
  waitingSince,
} from '../log/changes-sql.ts'
import { cursorOf, type Head } from '../log/position.ts'
import type { Database } from '../platform/database/database.ts'
import type { LocalAudience } from './local-audience.ts'
import type { Membership } from './payloads.ts'

/** Changes in the order of their positions, up to this head, and what was read with them. */
export type Batch = { head: Head; changes: readonly PlacedRow[]; within: unknown }

export type RelayOptions = {
  db: Database
  log: Pick<Logger, 'warn'>
  audience: LocalAudience
  /** Details of the changes' events, read in the same statement. */
  within: Membership['readWithin']
  /** Resolves when pending announcements in this process have been made; undefined if there are none. */
  underWay(): Promise<unknown> | undefined
  isNeeded(): boolean
  /**
   * Sends a batch to everybody here, and returns the number of sockets. If it throws, the same batch comes again, so
   * what can fail comes first.
   */
  tell(batch: Batch): Promise<number>
  /** Everything sent before belongs to another history: connected clients have to reload. */
  forsake(): void
  pollMs?: number
}

export type Relay = {
  /** There may be something new: polls at once, or once more after the poll in progress. */
  wake(): void
  /**
   * Calls back between two polls, with the cursor up to which everything was sent. Later changes reach those who have
   * joined by the end of that turn of the event loop.
   */
  enter(userId: number, enter: (cursor: string) => void): void
  /** How long the oldest change not sent here has been waiting, in seconds; 0 while nobody is there to be told. */
  lag(): Promise<number>
  close(): Promise<void>
}

const everyMs = 200
const againAfterMs = 250

/*
 * A write to a socket costs about 10 µs, however much it carries. After a poll with many recipients, the next one waits
 * at most this long for messages that are being stored here, which then go out with the same writes.
 */
export const gatherMsAfter = (sockets: number) => Math.floor(Math.min(sockets * 0.01, 5))

/*
 * After many came back at the same moment, more will: those of the next few milliseconds share a poll. For 5 000, half as
 * many statements, and 238 + 18 µs of CPU each (ours + PostgreSQL's) instead of 248 + 34.
 */
const company = { from: 10, ms: 10 }

export const openRelay = (relaying: RelayOptions): Relay => {
  const follower = new LogFollower(relaying)
  const poll = setInterval(() => follower.wake(), relaying.pollMs ?? everyMs)
  poll.unref()
  return {
    wake: () => follower.wake(),
    enter: (userId, enter) => follower.enter(userId, enter),
    lag: () => follower.lag(),
    async close() {
      clearInterval(poll)
      await follower.close()
    },
  }
}

type PendingEntry = { userId: number; enter: (cursor: string) => void }

/**
 * Follows the log of the whole service for those connected to this process, and reads the part that one of them may
 * hear. It only reads the database, so every process sends the same in the same order, and one that dies takes nothing
 * with it. While nobody is connected it costs nothing; otherwise two index lookups every 200 ms.
 */
class LogFollower {
  readonly #relaying: RelayOptions
  #reached: Head | undefined
  #entering: PendingEntry[] = []
  #wanted = false
  #toldLast = 0
  #enteredLast = 0
  #running: Promise<void> | undefined
  readonly #closing = new AbortController()

  constructor(relaying: RelayOptions) {
    this.#relaying = relaying
  }

  wake() {
    const nobodyWaits = !this.#relaying.isNeeded() && this.#entering.length === 0
    if (this.#closing.signal.aborted || nobodyWaits) return
    this.#wanted = true
    this.#running ??= this.#run()
  }

  enter(userId: number, enter: PendingEntry['enter']) {
    this.#entering.push({ userId, enter })
    this.wake()
  }

  async lag() {
    const { db, isNeeded } = this.#relaying
    return this.#reached === undefined || !isNeeded() ? 0 : waitingSince(db, this.#reached.place)
  }

  async close() {
    this.#closing.abort()
    await this.#running
  }

  async #run() {
    while (this.#wanted && !this.#closing.signal.aborted) {
      await this.#gather(gatherMsAfter(this.#toldLast))
      if (this.#enteredLast >= company.from) await this.#pause(company.ms)
      this.#wanted = false
      try {
        await this.#look()
      } catch (err) {
        this.#relaying.log.warn({ err }, 'the channel cannot read the log; it tries again')
        this.#wanted = true
        await this.#pause(againAfterMs)
      }
    }
    this.#running = undefined
  }

  async #gather(ms: number) {
    const others = ms > 0 && this.#relaying.underWay()
    if (others) await Promise.race([others, this.#pause(ms)])
  }

  #pause(ms: number) {
    return sleep(ms, null, { signal: this.#closing.signal }).catch(() => {})
  }

  async #look() {
    const now = this.#entering
    this.#entering = []
    try {
      const { head, concerned } = await this.#lookAtLog()
      const reached = this.#reached
      if (reached && reached.history !== head.history) {
        this.#relaying.log.warn(
          'the log goes on in another history, as after a failover or a restore: everybody loads afresh',
        )
        this.#relaying.forsake()
      } else if (reached && this.#relaying.isNeeded() && reached.place < head.place) {
        const heard = await this.#readHeard(reached.place, head.place, concerned)
        this.#toldLast = heard ? await this.#relaying.tell({ head, ...heard }) : 0
      }
      this.#reached = head
      this.#enteredLast = now.length
      if (now.length > 0) await this.#admit(now, head)
    } catch (error) {
      this.#entering = [...now, ...this.#entering]
      throw error
    }
  }

  /** A database that has not reached what it returned before was rolled back. */
  async #lookAtLog() {
    const { db } = this.#relaying
    const after = this.#reached?.place ?? null
    const found = await readHead(db, after)
    if (this.#reached?.history !== found.head.history || this.#reached.place <= found.head.place) return found
    await beginHistory(db, found.head)
    return readHead(db, after)
  }

  /**
   * What is heard here of the changes between two heads. Someone who entered an event by one of them hears the others.
   */
  async #readHeard(after: number, upTo: number, concerned: ChangeScope) {
    const { db, audience, within } = this.#relaying
    for (;;) {
      const heard = audience.heardOf(concerned)
      if (heard.events.length === 0 && heard.users.length === 0) return undefined
      const read = await readPlaced(db, { after, upTo, ...heard }, within)
      for (const { kind, user_id: userId, event_id: eventId } of read.changes)
        if (kind === 'member.entered') audience.enter(userId ?? 0, eventId ?? 0)
      if (audience.heardOf(concerned).events.length === heard.events.length) return read
    }
  }

  async #admit(now: readonly PendingEntry[], head: Head) {
    const { audience } = this.#relaying
    const userIds = now.map(({ userId }) => userId)
    await audience.admit(userIds)
    const cursor = cursorOf(head, head.place)
    for (const { enter } of now) enter(cursor)
    await thisTurn()
    // Some have disconnected meanwhile.
    audience.release(userIds)
  }
}
