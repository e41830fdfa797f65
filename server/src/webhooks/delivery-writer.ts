import { setTimeout as sleep } from 'node:timers/promises'
import type { Logger } from 'pino'
import { whenAnnounced } from '../log/announce.ts'
import { type Database, transact } from '../platform/database/database.ts'
import { addSending } from './delivery-sender.ts'
import { endOrphaned } from './orphaned-webhooks.ts'
import * as store from './store.ts'

/** Another process may have created the first webhook, or written something that nobody here announced. */
const lookEveryMs = 2_000
/** The interval between polls: a burst is handled together. */
const gatherMs = 50

export type DeliveryWriter = {
  /** There is a webhook now. */
  expect(): void
  close(): Promise<void>
}

/**
 * Turns changes in the log into deliveries, in every process; the webhooks' rows decide which one does it. Without
 * webhooks, it costs one query of an empty table.
 */
export const openDeliveryWriter = (db: Database, log: Pick<Logger, 'warn'>): DeliveryWriter => {
  let expected = false
  let wanted = false
  let running: Promise<void> | undefined
  let closed = false

  const look = async () => {
    expected = await store.areThereAny(db)
    if (!expected) return
    await store.placeChanges(db)
    await endOrphaned(db)
    await transact(db, async tx => {
      for (const webhook of await store.takeHappenings(tx)) await addSending(tx, webhook)
    })
  }

  const run = async () => {
    while (wanted && !closed) {
      wanted = false
      try {
        await look()
      } catch (err) {
        if (!closed) log.warn({ err }, 'webhooks cannot read the log; they try again')
      }
      await sleep(gatherMs)
    }
    running = undefined
  }

  const wake = () => {
    wanted = true
    if (!closed) running ??= run()
  }
  const stopListening = whenAnnounced(() => expected && wake())
  const poll = setInterval(wake, lookEveryMs)
  poll.unref()

  return {
    expect() {
      expected = true
    },
    async close() {
      closed = true
      clearInterval(poll)
      stopListening()
      await running
    },
  }
}
