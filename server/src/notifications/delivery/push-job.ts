import { type Reason, reasons } from '@afterglow/contract/reasons'
import pLimit from 'p-limit'
import { type Database, type Transaction, transact } from '../../platform/database/database.ts'
import { gone, type Outcome } from '../../platform/push/outcome.ts'
import { placesOf } from '../../platform/push/push-lanes.ts'
import type { Push } from '../../platform/push/senders.ts'
import type { PicturesOf } from '../notices.ts'
import { countUnread, readLately } from '../notifications-store.ts'
import { readerOf } from '../readers-store.ts'
import { type TextValues, textOf } from '../texts.ts'
import { type Address, dropAddresses, restAddresses, silentForAWeek, wakeAddresses } from './addresses-store.ts'
import { lockOutgoing, type Outgoing, type Settling, settlePushes } from './deliveries-store.ts'
import { addPushJob } from './push-jobs.ts'
import { summaryOf } from './rolling-notification.ts'

export type PushingOptions = {
  db: Database
  push: Pick<Push, 'send'>
  picturesOf: PicturesOf
  /**
   * The delay before the second attempt; doubled before each later one. A service's own Retry-After applies if it is
   * longer.
   */
  retryMs?: number
}

const triesMax = 8
const retryMsMax = 60 * 60 * 1000
/** How much a killed process may have to send again. */
const settleEveryMs = 200

/** Notifications read elsewhere are named along with the new one. */
const readTogether = 10

/** Read once for everything a job sends. */
type JobContext = {
  unread: ReadonlyMap<number, number>
  read: ReadonlyMap<number, number[]>
  pictures: ReadonlyMap<number, string>
}

/** The photos whose pictures a push shows: none if it stands for several notifications. */
const shownBy = ({ together, text_values }: Outgoing) =>
  (together === null && (text_values as TextValues | null)?.shown) || []

type Sent = { push: Outgoing; outcome: Outcome }

/**
 * The job that sends pushes. Each is marked as sent before it leaves and settled afterwards: a process that dies in
 * between leaves the mark, and the next one sends it once more with the same ID, which lets the client drop the
 * duplicate.
 */
export const openPushing =
  ({ retryMs = 5_000, ...options }: PushingOptions) =>
  async ({ pairs, lane }: { pairs: [number, number][]; lane: string }): Promise<void> => {
    const pushing = { ...options, retryMs, lane }
    const limit = pLimit(placesOf(lane))
    const { sending, ...beside } = await begin(pushing, pairs)
    const settled: Sent[] = []
    let settling = Promise.resolve()
    const flush = () => {
      const sent = settled.splice(0)
      if (sent.length > 0) settling = settling.then(() => settle(pushing, sent))
      return settling
    }
    const timer = setInterval(() => flush().catch(() => {}), settleEveryMs)
    try {
      await Promise.all(
        sending.map(one =>
          limit(async () => {
            settled.push({ push: one, outcome: await send(pushing, one, beside) })
          }),
        ),
      )
      await flush()
    } finally {
      clearInterval(timer)
    }
  }

type PushRun = PushingOptions & { retryMs: number; lane: string }

async function begin(pushing: PushRun, pairs: [number, number][]) {
  const { db, picturesOf } = pushing
  return transact(db, async tx => {
    const found = await lockOutgoing(
      tx,
      pairs.map(([notificationId, deviceRow]) => ({ notificationId, deviceRow })),
    )
    const probed = new Set<number>()
    const beginning = found.map(one => ({ one, now: stateNow(one, probed) }))
    if (beginning.length > 0)
      await settlePushes(
        tx,
        beginning.map(({ one, now }) => ({ ...pairOf(one), ...now })),
      )
    await tryAgain(
      tx,
      pushing,
      beginning.flatMap(({ one, now }) => (now.state === 'waiting' ? { one, afterMs: restMs(one) } : [])),
    )
    const sending = beginning.flatMap(({ one, now }) =>
      now.state === 'sent' ? { ...one, tries: now.tries, interruptions: now.interruptions } : [],
    )
    const people = [...new Set(sending.map(one => one.user_id))]
    const shown = [...new Set(sending.flatMap(shownBy))]
    return {
      sending,
      unread: await countUnread(tx, people),
      read: await readLately(tx, people, readTogether),
      pictures: shown.length > 0 ? await picturesOf(tx, shown) : new Map<number, string>(),
    }
  })
}

async function send({ push }: PushRun, one: Outgoing, { unread, read, pictures }: JobContext): Promise<Outcome> {
  const { address, kind, link, tag } = one
  const several = one.together !== null
  const { title, body } = several
    ? summaryOf('quiet', one, one.together ?? 0, readerOf(one))
    : textOf(one, readerOf(one))
  if (!address) return { result: 'refused', reason: reasons.noAddress }
  return push.send(address, {
    id: String(one.notification_id),
    kind,
    title,
    body,
    unread: unread.get(one.user_id) ?? 0,
    read: (read.get(one.user_id) ?? []).map(String),
    images: shownBy(one).flatMap(photo => pictures.get(photo) ?? []),
    ...(several ? { link: '/notifications', tag: 'quiet' } : { link, tag }),
  })
}

async function settle(pushing: PushRun, answers: readonly Sent[]) {
  const { db, retryMs } = pushing
  const silent = answers.filter(isUnanswered).flatMap(({ push }) => addressOf(push))
  const awake = answers.filter(one => one.push.silences > 0 && !isUnanswered(one))
  if (silent.length > 0) await restAddresses(db, silent)
  if (awake.length > 0)
    await wakeAddresses(
      db,
      awake.flatMap(({ push }) => addressOf(push)),
    )
  const given = silent.length > 0 ? await silentForAWeek(db, silent) : new Set<number>()
  const sent = answers.map(({ push, outcome }) =>
    given.has(push.device_row) ? { push, outcome: gone(reasons.silentForAWeek('browser')) } : { push, outcome },
  )
  const settled = sent.map(({ push: one, outcome }) => ({ ...pairOf(one), ...settledAs(one, outcome, retryMs) }))
  const dead = sent.flatMap(({ push, outcome }) => (outcome.result === 'gone' ? addressOf(push) : []))
  const again = sent.filter(
    one => one.outcome.result === 'later' && one.push.tries < triesMax && pauseMs(one, retryMs) <= pauseMsMax(one),
  )
  if (dead.length + again.length === 0) return settlePushes(db, settled)
  await transact(db, async tx => {
    await settlePushes(tx, settled)
    if (dead.length > 0) await dropAddresses(tx, dead)
    await tryAgain(
      tx,
      pushing,
      again.map(one => ({ one: one.push, afterMs: pauseMs(one, retryMs) })),
    )
  })
}

async function tryAgain(
  tx: Transaction,
  { retryMs, lane }: PushRun,
  again: readonly { one: Outgoing; afterMs: number }[],
) {
  // Rounded up, so that those refused together are retried together.
  const step = retryMs / 5
  for (const [delayMs, alike] of Map.groupBy(again, ({ afterMs }) => Math.ceil(afterMs / step) * step)) {
    const pairs = alike.map(({ one }) => [one.notification_id, one.device_row])
    await addPushJob(tx, pairs, lane, delayMs)
  }
}

function pauseMs({ push: { tries, silences }, outcome }: Sent, retryMs: number) {
  const asked = outcome.result === 'later' ? (outcome.retryAfterSeconds ?? 0) * 1000 : 0
  const rest = outcome.result === 'later' && outcome.unanswered ? firstRestMs * 2 ** silences : 0
  return Math.max(asked, rest, Math.min(retryMs * 2 ** (tries - 1), retryMsMax))
}

function settledAs(one: Outgoing, outcome: Outcome, retryMs: number) {
  const { tries, interruptions } = one
  const pause = pauseMs({ push: one, outcome }, retryMs)
  const as = (state: Settling['state'], ...because: Reason[]) => ({
    state,
    outcome: because,
    tries,
    interruptions,
  })
  if (outcome.result === 'delivered') return as('delivered', reasons.delivered)
  if (outcome.result === 'gone') return as('failed', outcome.reason)
  if (outcome.result === 'refused') return as('failed', outcome.reason)
  if (tries >= triesMax) return as('failed', outcome.reason, reasons.givenUp(tries))
  if (pause > pauseMsMax({ push: one, outcome })) return as('failed', outcome.reason, resting)
  return as('waiting', outcome.reason, reasons.triedAgain(Math.ceil(pause / 1000)))
}

const pairOf = (one: Outgoing) => ({ notificationId: one.notification_id, deviceRow: one.device_row })

const addressOf = ({ device_row: deviceRow, fingerprint }: Outgoing): Address[] =>
  fingerprint ? [{ deviceRow, fingerprint }] : []

const isUnanswered = ({ outcome }: Sent) => outcome.result === 'later' && outcome.unanswered === true

const resting = reasons.resting('browser')

/** As in addresses-store. */
const firstRestMs = 30_000
/** A push that would wait longer for a paused address is abandoned: nobody wants it by then, and they would pile up. */
const worthRestMs = 10 * 60_000
const pauseMsMax = (one: Sent) => (isUnanswered(one) ? worthRestMs : Number.POSITIVE_INFINITY)
/** Queued behind one that finds out whether the address is back. */
const probeMs = 15_000
const restMs = ({ rests_ms }: Outgoing) => rests_ms || probeMs

/** Sent once more, at most, if a process died while sending it: nobody knows whether it had left. */
const stateNow = (one: Outgoing, probed: Set<number>): Omit<Settling, 'notificationId' | 'deviceRow'> => {
  const { over, state, tries, interruptions, rests_ms: rests, silences } = one
  if (over) return { state: 'skipped', outcome: over, tries, interruptions }
  if (rests > worthRestMs) return { state: 'failed', outcome: [resting], tries, interruptions }
  if (rests > 0 || probed.has(one.device_row)) {
    const outcome = [resting, reasons.triedAgain(Math.ceil(restMs(one) / 1000))]
    return { state: 'waiting', outcome, tries, interruptions }
  }
  if (silences > 0) probed.add(one.device_row)
  const interrupted = interruptions + (state === 'sent' ? 1 : 0)
  if (interrupted > 1) return { state: 'failed', outcome: [reasons.stoppedTwice], tries, interruptions }
  return { state: 'sent', outcome: null, tries: tries + 1, interruptions: interrupted }
}
