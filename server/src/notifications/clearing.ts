import pLimit from 'p-limit'
import type { Database, Transaction } from '../platform/database/database.ts'
import { addJob } from '../platform/jobs/jobs.ts'
import type { Push } from '../platform/push/senders.ts'
import { clearAfter, takeClearings } from './clearing-store.ts'
import { countUnread, readLately } from './notifications-store.ts'
import type { ActiveDevices } from './routing.ts'

/* What was read elsewhere or taken back goes away from phones that show it. A browser learns of it with its next push. */

/** What is read within so long goes away together, and so often a phone is woken at most: phones punish more. */
const gatherSeconds = 3
const everySeconds = 30
/** Of what somebody read lately: a phone that was off gets the newest alone, which says it all. */
const idsMax = 100
const atOnce = 8

/** Some time soon the phones that show any of these are told that they are read. */
export const clearSoon = async (tx: Transaction, ids: readonly number[]) => {
  const due = await clearAfter(tx, ids, { gatherSeconds, everySeconds })
  for (const [afterMs, alike] of Map.groupBy(due, ({ after_ms }) => Math.ceil(after_ms / 1000) * 1000))
    await addJob(tx, 'clear', { devices: alike.map(({ device_row }) => device_row) }, { afterMs, lane: 'clear' })
}

type Clearing = { db: Database; push: Pick<Push, 'clear' | 'ways'>; activeDevices: ActiveDevices }

/** The job that tells them. An app that is open heard it. It is not tried again: the next push says it, too. */
export const openClearing =
  ({ db, push, activeDevices }: Clearing) =>
  async ({ devices }: { devices: number[] }): Promise<void> => {
    const active = await activeDevices(devices)
    const due = (await takeClearings(db, devices)).filter(
      ({ id, address }) => !active.has(id) && push.ways.includes(address.platform),
    )
    if (due.length === 0) return
    const people = [...new Set(due.map(({ user_id }) => user_id))]
    const [unread, read] = [await countUnread(db, people), await readLately(db, people, idsMax)]
    const limit = pLimit(atOnce)
    await Promise.all(
      due.map(({ user_id, address }) =>
        limit(() =>
          push.clear(address, {
            unread: unread.get(user_id) ?? 0,
            read: (read.get(user_id) ?? []).map(String),
          }),
        ),
      ),
    )
  }
