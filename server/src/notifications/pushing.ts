import { dropped, failed, pushFaults, type Reason, reasons } from '@afterglow/contract/reasons'
import pLimit from 'p-limit'
import { type Database, transact } from '../platform/database.ts'
import type { Outcome } from '../platform/push/outcome.ts'
import type { Push } from '../platform/push/senders.ts'
import { dropAddresses } from './addresses-store.ts'
import { lockOutgoing, type Outgoing, type Settling, settlePushes } from './deliveries-store.ts'
import { countUnread } from './notifications-store.ts'
import { addPushJob } from './routing.ts'

export type PushingOptions = {
  db: Database
  push: Pick<Push, 'send'>
  /** Before the second try; doubled before each later one. A service's own Retry-After counts if it is longer. */
  retryMs?: number
}

const atOnce = 64
const triesMax = 8
const retryMsMax = 60 * 60 * 1000
/** How much a killed process may have to send again. */
const settleEveryMs = 200

type Sent = { push: Outgoing; outcome: Outcome }

/**
 * The job that sends pushes. Each is marked as sent before it leaves and settled after: a process that dies in between
 * leaves the mark, and the next one sends it once more with the same id, which lets the client drop the twin.
 */
export const openPushing = ({ db, push, retryMs = 5_000 }: PushingOptions) => {
  const limit = pLimit(atOnce)

  return async ({ pairs, lane }: { pairs: [number, number][]; lane: string }): Promise<void> => {
    const { sending, unread } = await begin(pairs)
    const settled: Sent[] = []
    let settling = Promise.resolve()
    const flush = () => {
      const sent = settled.splice(0)
      if (sent.length > 0) settling = settling.then(() => settle(sent, lane))
      return settling
    }
    const timer = setInterval(() => flush().catch(() => {}), settleEveryMs)
    try {
      await Promise.all(
        sending.map(one =>
          limit(async () => {
            settled.push({ push: one, outcome: await send(one, unread.get(one.user_id)) })
          }),
        ),
      )
      await flush()
    } finally {
      clearInterval(timer)
    }
  }

  async function begin(pairs: [number, number][]) {
    return transact(db, async tx => {
      const found = await lockOutgoing(
        tx,
        pairs.map(([notificationId, deviceRow]) => ({ notificationId, deviceRow })),
      )
      const beginning = found.map(one => ({ one, now: stateNow(one) }))
      if (beginning.length > 0)
        await settlePushes(
          tx,
          beginning.map(({ one, now }) => ({ ...pairOf(one), ...now })),
        )
      const sending = beginning.flatMap(({ one, now }) =>
        now.state === 'sent' ? { ...one, tries: now.tries, interruptions: now.interruptions } : [],
      )
      return { sending, unread: await countUnread(tx, [...new Set(sending.map(one => one.user_id))]) }
    })
  }

  async function send(one: Outgoing, unread: number | undefined): Promise<Outcome> {
    const { address, kind, title, body, link, tag } = one
    if (!address) return { result: 'refused', reason: pushFaults.noAddress }
    return push.send(address, { id: String(one.notification_id), kind, title, body, link, tag, unread: unread ?? 0 })
  }

  async function settle(sent: readonly Sent[], lane: string) {
    const settled = sent.map(({ push: one, outcome }) => ({ ...pairOf(one), ...settledAs(one, outcome) }))
    const dead = sent.flatMap(({ push: { device_row: deviceRow, fingerprint }, outcome }) =>
      outcome.result === 'gone' && fingerprint ? { deviceRow, fingerprint } : [],
    )
    const again = sent.filter(({ push: one, outcome }) => outcome.result === 'later' && one.tries < triesMax)
    if (dead.length + again.length === 0) return settlePushes(db, settled)
    await transact(db, async tx => {
      await settlePushes(tx, settled)
      if (dead.length > 0) await dropAddresses(tx, dead)
      // Rounded up, so that those who were refused together are tried together.
      const step = retryMs / 5
      const delays = Map.groupBy(again, ({ push: one, outcome }) => Math.ceil(pauseMs(one, outcome) / step) * step)
      for (const [delayMs, alike] of delays) {
        const pairs = alike.map(({ push: one }) => [one.notification_id, one.device_row])
        await addPushJob(tx, pairs, lane, delayMs)
      }
    })
  }

  function pauseMs({ tries }: Outgoing, outcome: Outcome) {
    const asked = outcome.result === 'later' ? (outcome.retryAfterSeconds ?? 0) * 1000 : 0
    return Math.max(asked, Math.min(retryMs * 2 ** (tries - 1), retryMsMax))
  }

  function settledAs(one: Outgoing, outcome: Outcome) {
    const { tries, interruptions } = one
    const as = (state: Settling['state'], ...because: Reason[]) => ({
      state,
      outcome: because.join(' '),
      tries,
      interruptions,
    })
    if (outcome.result === 'delivered') return as('delivered', reasons.delivered)
    if (outcome.result === 'gone') return as('failed', dropped(outcome.reason))
    if (outcome.result === 'refused') return as('failed', failed(outcome.reason))
    if (tries >= triesMax) return as('failed', failed(outcome.reason), reasons.givenUp(tries))
    return as('waiting', failed(outcome.reason), reasons.triedAgain(Math.ceil(pauseMs(one, outcome) / 1000)))
  }
}

const pairOf = (one: Outgoing) => ({ notificationId: one.notification_id, deviceRow: one.device_row })

/** Sent once more, at most, when a process died while sending it: nobody knows whether it had left. */
const stateNow = ({ over, state, tries, interruptions }: Outgoing): Omit<Settling, 'notificationId' | 'deviceRow'> => {
  if (over) return { state: 'skipped', outcome: over, tries, interruptions }
  const interrupted = interruptions + (state === 'sent' ? 1 : 0)
  if (interrupted > 1) return { state: 'failed', outcome: reasons.stoppedTwice, tries, interruptions }
  return { state: 'sent', outcome: null, tries: tries + 1, interruptions: interrupted }
}
