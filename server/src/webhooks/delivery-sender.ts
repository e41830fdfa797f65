import type { Reason } from '@afterglow/contract/reasons'
import type { Logger } from 'pino'
import { type Database, type Transaction, transact } from '../platform/database/database.ts'
import { addJob, type Task } from '../platform/jobs/jobs.ts'
import { version } from '../platform/process/version.ts'
import { outcomeOfFault, retryAfterSeconds } from '../platform/push/outcome.ts'
import { strangersLaneOf } from '../platform/push/push-lanes.ts'
import type { ChosenHosts } from '../platform/push/web-push/chosen-hosts.ts'
import { NotPublic } from '../platform/push/web-push/public-address.ts'
import { announceEnded } from './orphaned-webhooks.ts'
import { presentHappening } from './present.ts'
import type { Signing } from './signature.ts'
import * as store from './store.ts'

/** The delay after each attempt; the last one repeats. */
const restsSeconds = [5, 30, 120, 600, 1_800, 3_600, 7_200, 14_400]
const deliveriesAtOnce = 200
const eventsAtOnce = 4
/** A receiver that is slow, or receives much, gives up its lane after this time and queues again. */
const turnMs = 20_000

/**
 * Deliveries an hour to a host, and to a whole domain, that has not consented: anybody can name somebody else's server.
 * A receiver consents once, by a reply that names the delivery in this header.
 */
const trickle = { host: 60, domain: 600 }
const consentHeader = 'webhook-consent'

/** Waiting for one owner's receivers delays nobody else. */
const laneOf = (url: string) => `webhooks ${strangersLaneOf(URL.parse(url)?.hostname ?? '')}`

export const addSending = (tx: Transaction, { id, url }: { id: number; url: string }, afterMs = 0) =>
  addJob(tx, 'sendWebhook', { webhook: id }, { lane: laneOf(url), afterMs })

type Attempt =
  | { taken: true; status: number; consents: boolean }
  | { taken: false; status: number | null; reason: Reason['code']; restSeconds: number; gone: boolean }

export type SenderOptions = { db: Database; hosts: ChosenHosts; signing: Signing; log: Pick<Logger, 'warn'> }

/**
 * Sends waiting deliveries: in order within each event, the next once the previous one was accepted. Jobs of one
 * webhook share a lane.
 */
export const openDeliverySender = ({ db, hosts, signing, log }: SenderOptions) => {
  let stopped = false

  const send: Task = async ({ webhook: id }: { webhook: number }) => {
    const turnEnds = performance.now() + turnMs
    for (;;) {
      const receiver = await store.findReceiver(db, id)
      if (!receiver) return
      const waiting = await store.listWaiting(db, id, deliveriesAtOnce)
      if (waiting.length === 0) return
      const turn = { ends: turnEnds, tooMany: false }
      const events = [...Map.groupBy(waiting, delivery => delivery.event_id).values()].values()
      const sendNext = async () => {
        for (const deliveries of events) await sendInOrder(id, receiver, deliveries, turn)
      }
      await Promise.all(Array.from({ length: eventsAtOnce }, sendNext))
      if (turn.tooMany) return rest(db, id, receiver)
      if (performance.now() > turnEnds) return transact(db, tx => addSending(tx, { id, url: receiver.url }))
    }
  }

  const sendInOrder = async (
    id: number,
    receiver: store.Receiver,
    deliveries: readonly store.DeliveryRow[],
    turn: { ends: number; tooMany: boolean },
  ) => {
    for (const delivery of deliveries) {
      if (performance.now() > turn.ends || turn.tooMany) return
      if (!receiver.consented && !(await mayTrickle(db, receiver.url))) {
        turn.tooMany = true
        return
      }
      const tried = await post({ hosts, signing }, receiver, delivery)
      // A delivery interrupted by our own stop is not the receiver's failure: the next process retries it.
      if (stopped && !tried.taken) throw new Error('stopped')
      if (tried.taken) {
        await store.noteDelivered(db, delivery.id, tried.status)
        if (tried.consents && !receiver.consented) {
          await store.noteConsent(db, receiver.url)
          receiver.consented = true
        }
      } else return fail({ db, log }, { id, receiver, delivery }, tried)
    }
  }

  return {
    send,
    stop() {
      stopped = true
      hosts.close()
    },
  }
}

const rest = (db: Database, id: number, { url }: store.Receiver) =>
  transact(db, async tx => addSending(tx, { id, url }, await store.restUntilNextHour(tx, id)))

type Failed = { id: number; receiver: store.Receiver; delivery: store.DeliveryRow }
const fail = (
  { db, log }: Pick<SenderOptions, 'db' | 'log'>,
  { id, receiver: { url }, delivery }: Failed,
  tried: Extract<Attempt, { taken: false }>,
) =>
  transact(db, async tx => {
    const over = await store.noteFailed(tx, delivery.id, tried)
    if (!over && !tried.gone) return addSending(tx, { id, url }, tried.restSeconds * 1000)
    const webhook = await store.switchOff(tx, id)
    if (!webhook) return
    log.warn({ webhook: id, reason: tried.reason }, 'a webhook was switched off, as its receiver takes nothing')
    await announceEnded(tx, webhook)
  })

const post = async (
  { hosts, signing }: Pick<SenderOptions, 'hosts' | 'signing'>,
  { url, nonces }: store.Receiver,
  delivery: store.DeliveryRow,
): Promise<Attempt> => {
  const restSeconds = restsSeconds[Math.min(delivery.tries.length, restsSeconds.length - 1)] as number
  const failed = { taken: false, status: null, restSeconds, gone: false } as const
  const fault = hosts.faultOf(url)
  if (fault) return { ...failed, reason: fault.code }
  const body = JSON.stringify(presentHappening(delivery))
  const headers = {
    'Content-Type': 'application/json',
    'Content-Length': Buffer.byteLength(body),
    'User-Agent': `Afterglow/${version}`,
    ...signing.headersOf(nonces, delivery.name, body),
  }
  try {
    const { status, retryAfter, headers: answered } = await hosts.post(new URL(url), headers, Buffer.from(body))
    if (status >= 200 && status < 300)
      return { taken: true, status, consents: answered[consentHeader] === delivery.name }
    const rest = Math.max(restSeconds, retryAfterSeconds(retryAfter) ?? 0)
    return { ...failed, status, reason: reasonOf(status), restSeconds: rest, gone: status === 410 }
  } catch (fault) {
    if (fault instanceof NotPublic) return { ...failed, reason: 'privateName' }
    const outcome = outcomeOfFault('browser', fault)
    return { ...failed, reason: 'reason' in outcome ? outcome.reason.code : 'lost' }
  }
}

const mayTrickle = async (db: Database, url: string) => {
  const host = URL.parse(url)?.hostname ?? ''
  return (
    (await store.spendTrickle(db, host, trickle.host)) &&
    (await store.spendTrickle(db, `*.${host.split('.').slice(-2).join('.')}`, trickle.domain))
  )
}

const reasonOf = (status: number): Reason['code'] => {
  if (status >= 500) return 'trouble'
  if (status === 408 || status === 429) return 'pause'
  return status >= 300 && status < 400 ? 'elsewhere' : 'refused'
}
