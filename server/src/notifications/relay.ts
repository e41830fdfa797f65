import { setTimeout as sleep } from 'node:timers/promises'
import type { Logger } from 'pino'
import type { Database } from '../platform/database.ts'
import type { ChangeRow } from './announcing.ts'
import { readHead, readUnseen, waitingSince } from './changes-store.ts'
import type { Membership } from './showing.ts'

/** The changes that one snapshot shows and the one before did not, in the order of their acts, and what was read with them. */
export type Batch = { seen: string; next: string; changes: readonly ChangeRow[]; within: unknown }

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
  pollMs?: number
}

export type Relay = {
  /** There may be something new: looks at once, or once more after the look under way. */
  nudge(): void
  /** Calls back between two looks, with the snapshot up to which everything was told: what is later comes later. */
  enter(enter: (seen: string) => void): void
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
 * connected it costs nothing; afterwards one index probe every 200 ms.
 */
export const openRelay = ({
  db,
  log,
  within: readWithin,
  underWay,
  isNeeded,
  tell,
  pollMs = everyMs,
}: Relaying): Relay => {
  let seen: string | undefined
  let entering: ((seen: string) => void)[] = []
  let wanted = false
  let toldLast = 0
  let running: Promise<void> | undefined
  const closing = new AbortController()

  const pause = (ms: number) => sleep(ms, null, { signal: closing.signal }).catch(() => {})

  const gather = async (ms: number) => {
    const company = ms > 0 && underWay()
    if (company) await Promise.race([company, pause(ms)])
  }

  const look = async () => {
    const now = entering
    entering = []
    try {
      if (seen === undefined || !isNeeded()) seen = await readHead(db)
      else {
        const { head, changes, within } = await readUnseen(db, seen, readWithin)
        if (changes.length > 0) toldLast = await tell({ seen, next: head, changes, within })
        seen = head
      }
    } catch (error) {
      entering = [...now, ...entering]
      throw error
    }
    for (const enter of now) enter(seen)
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
    lag: async () => (seen === undefined || !isNeeded() ? 0 : waitingSince(db, seen)),
    async close() {
      clearInterval(poll)
      closing.abort()
      await running
    },
  }
}
