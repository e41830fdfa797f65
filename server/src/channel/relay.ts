import { setTimeout as sleep, setImmediate as thisTurn } from 'node:timers/promises'
import type { Logger } from 'pino'
import { beginHistory, type Concerned, type PlacedRow, readHead, readPlaced, waitingSince } from '../log/changes-sql.ts'
import { cursorOf, type Head } from '../log/position.ts'
import type { Database } from '../platform/database/database.ts'
import type { LocalAudience } from './local-audience.ts'
import type { Membership } from './payloads.ts'

/** Changes in the order of their positions, up to this head, and what was read with them. */
export type Batch = { head: Head; changes: readonly PlacedRow[]; within: unknown }

export type Relaying = {
  db: Database
  log: Pick<Logger, 'warn'>
  audience: LocalAudience
  /** What is read about the changes' events in the same statement. */
  within: Membership['readWithin']
  /** Resolves when pending announcements in this process have been made; undefined if there are none. */
  underWay(): Promise<unknown> | undefined
  /** Whether anybody is there to be told. */
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
  nudge(): void
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

/**
 * Follows the log of the whole service for those connected to this process, and reads the part that one of them may
 * hear. It only reads the database, so every process sends the same in the same order, and one that dies takes nothing
 * with it. While nobody is connected it costs nothing; otherwise two index lookups every 200 ms.
 */
export const openRelay = ({
  db,
  log,
  within: readWithin,
  audience,
  underWay,
  isNeeded,
  tell,
  forsake,
  pollMs = everyMs,
}: Relaying): Relay => {
  let reached: Head | undefined
  let entering: { userId: number; enter: (cursor: string) => void }[] = []
  let wanted = false
  let toldLast = 0
  let enteredLast = 0
  let running: Promise<void> | undefined
  const closing = new AbortController()

  const pause = (ms: number) => sleep(ms, null, { signal: closing.signal }).catch(() => {})

  const gather = async (ms: number) => {
    const others = ms > 0 && underWay()
    if (others) await Promise.race([others, pause(ms)])
  }

  /** A database that has not reached what it returned before was rolled back. */
  const lookAtLog = async () => {
    const after = reached?.place ?? null
    const found = await readHead(db, after)
    if (reached?.history !== found.head.history || reached.place <= found.head.place) return found
    await beginHistory(db, found.head)
    return readHead(db, after)
  }

  /**
   * What is heard here of the changes between two heads. Someone who entered an event by one of them hears the others.
   */
  const readHeard = async (after: number, upTo: number, concerned: Concerned) => {
    for (;;) {
      const heard = audience.heardOf(concerned)
      if (heard.events.length === 0 && heard.users.length === 0) return undefined
      const read = await readPlaced(db, { after, upTo, ...heard }, readWithin)
      for (const { kind, user_id: userId, event_id: eventId } of read.changes)
        if (kind === 'member.entered') audience.enter(userId ?? 0, eventId ?? 0)
      if (audience.heardOf(concerned).events.length === heard.events.length) return read
    }
  }

  const look = async () => {
    const now = entering
    entering = []
    try {
      const { head, concerned } = await lookAtLog()
      if (reached && reached.history !== head.history) {
        log.warn('the log goes on in another history, as after a failover or a restore: everybody loads afresh')
        forsake()
      } else if (reached && isNeeded() && reached.place < head.place) {
        const heard = await readHeard(reached.place, head.place, concerned)
        toldLast = heard ? await tell({ head, ...heard }) : 0
      }
      reached = head
      enteredLast = now.length
      if (now.length > 0) await admit(now, head)
    } catch (error) {
      entering = [...now, ...entering]
      throw error
    }
  }

  const admit = async (now: typeof entering, head: Head) => {
    const userIds = now.map(({ userId }) => userId)
    await audience.admit(userIds)
    const cursor = cursorOf(head, head.place)
    for (const { enter } of now) enter(cursor)
    await thisTurn()
    // Some have disconnected meanwhile.
    audience.release(userIds)
  }

  const run = async () => {
    while (wanted && !closing.signal.aborted) {
      await gather(gatherMsAfter(toldLast))
      if (enteredLast >= company.from) await pause(company.ms)
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
    enter(userId, enter) {
      entering.push({ userId, enter })
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
