import pLimit from 'p-limit'
import type { Database, Transaction } from '../../platform/database/database.ts'
import { addJob } from '../../platform/jobs/jobs.ts'
import type { Push } from '../../platform/push/senders.ts'
import { countUnread, readLately } from '../notifications-store.ts'
import { clearAfter, takeClearings } from './clearing-store.ts'
import type { ActiveDevices } from './routing.ts'

/*
 * Removes notifications that were read elsewhere or withdrawn from phones that show them. A browser learns of it with
 * its next push.
 */

/** Reads within this time are combined, and this is how often a phone is woken at most: platforms penalise more. */
const gatherSeconds = 3
const everySeconds = 30
/** For what somebody read recently: a phone that was off only gets the newest, which covers everything. */
const idsMax = 100
const atOnce = 8

/** Phones that show any of these will soon be told that they were read. */
export const clearSoon = async (tx: Transaction, ids: readonly number[]) => {
  const due = await clearAfter(tx, ids, { gatherSeconds, everySeconds })
  for (const [afterMs, alike] of Map.groupBy(due, ({ after_ms }) => Math.ceil(after_ms / 1000) * 1000))
    await addJob(tx, 'clear', { devices: alike.map(({ device_row }) => device_row) }, { afterMs, lane: 'clear' })
}

type Clearing = { db: Database; push: Pick<Push, 'clear' | 'ways'>; activeDevices: ActiveDevices }

/** The job that tells them. An open app has heard it already. It is not retried: the next push says it, too. */
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
