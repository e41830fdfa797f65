import { type Reason, reasons } from '@afterglow/contract/reasons'
import { announce } from '../../log/announce.ts'
import { type Database, type Transaction, transact } from '../../platform/database/database.ts'
import { addJob } from '../../platform/jobs/jobs.ts'
import type { LaneOf } from '../../platform/push/push-lanes.ts'
import type { PushAddress } from '../../platform/push/senders.ts'
import type { AreAcquainted, BlockedWith } from '../notices.ts'
import type { DeviceRow, NewDelivery } from './deliveries-store.ts'
import * as store from './deliveries-store.ts'
import { deliverHeld } from './held-notifications.ts'
import { addPushes } from './push-jobs.ts'
import { isAllDay, quietUntil } from './quiet-hours.ts'
import { isThroughMutes } from './ring-budget.ts'
import { decideRings } from './ring-decisions.ts'
import { type Ringing, rungAlready, takeRings } from './rings-store.ts'

/** The active devices: with an open channel, or pinged recently. */
export type ActiveDevices = (deviceRows: readonly number[]) => Promise<ReadonlySet<number>>

export type RoutingOptions = {
  db: Database
  activeDevices: ActiveDevices
  blockedWith: BlockedWith
  areAcquainted: AreAcquainted
  /** The platforms that this server can push to. */
  pushTo: readonly PushAddress['platform'][]
  laneOf: LaneOf
  acknowledgeMs: number
  /** For users who have chosen none. */
  ringsPerHour: number
  /** NOTIFY_STRICT: what is not acknowledged is never sent as a push. */
  strict: boolean
}

export type Routing = {
  ring(payload: { ids: number[] }): Promise<void>
  escalate(payload: { ids: number[] }): Promise<void>
  /** Quiet hours of these devices are over, or were changed. */
  endQuiet(payload: { devices: number[] }): Promise<void>
}

type Way = Omit<NewDelivery, 'notificationId'> & { ring: Ringing; heldUntil?: number }
const isPush = ({ way, state }: Way) => way === 'push' && state === 'waiting'

/**
 * Decides, when a notification is sent, how it reaches each of its user's devices: by the channel if the app is active,
 * by push if it is not, and by push as well if the app does not acknowledge in time.
 */
export const openRouting = (options: RoutingOptions): Routing => {
  const { db, activeDevices, blockedWith, pushTo, acknowledgeMs, strict } = options
  const late = reasons.notTaken(acknowledgeMs / 1000)

  return {
    async ring({ ids }) {
      const devices = await store.devicesFor(db, ids)
      const active = await activeDevices(devices.map(device => device.id))
      const devicesOf = Map.groupBy(devices, device => device.user_id)
      await transact(db, async tx => {
        const rings = await takeRings(tx, ids)
        const silent = await silences(tx, rings, blockedWith)
        const ways = rings.flatMap(ring =>
          (devicesOf.get(ring.user_id) ?? []).map(device => ({
            ring,
            device,
            ...(silent(ring) ?? wayTo(device, active.has(device.id), pushTo)),
          })),
        )
        await deliver(tx, ways, options)
      })
    },

    async escalate({ ids }) {
      await transact(db, async tx => {
        const devices = await store.takeUnacknowledged(tx, ids, acknowledgeMs, [
          late,
          ...(strict ? [reasons.pushForbidden] : []),
        ])
        if (strict || devices.length === 0) return
        const rung = await rungAlready(tx, [...new Set(devices.map(device => device.notification_id))])
        const rings = new Map(rung.map(ring => [ring.id, ring]))
        await deliver(
          tx,
          devices.flatMap(device => {
            const ring = rings.get(device.notification_id)
            return ring ? [{ ring, device, ...wayByPush(device, pushTo, late, reasons.alsoPushed) }] : []
          }),
          options,
        )
      })
    },

    async endQuiet({ devices }) {
      for (const device of devices) await transact(db, tx => deliverHeld(tx, device, options))
    },
  }
}

type PushTo = RoutingOptions['pushTo']

/** Reasons to stay silent that arose between the notice and its ring. */
async function silences(tx: Transaction, rings: readonly Ringing[], blockedWith: BlockedWith) {
  const blocked = await blockedWith(tx, [...new Set(rings.flatMap(ring => ring.by.map(({ id }) => id)))])
  return (ring: Ringing) => {
    if (ring.barred) return skipped(reasons.barred)
    if (ring.mutes) return skipped(reasons.mutes)
    const apart = ring.by.filter(({ id }) => blocked.get(id)?.has(ring.user_id))
    return apart.length > 0 && apart.length === ring.by.length ? skipped(reasons.blocked) : undefined
  }
}

function wayTo(device: DeviceRow, active: boolean, pushTo: PushTo) {
  if (!active) return wayByPush(device, pushTo, reasons.inactive, reasons.pushed)
  return { way: 'channel', state: 'waiting', because: [reasons.active] } as const
}

function wayByPush({ push }: DeviceRow, pushTo: PushTo, why: Reason, so: Reason) {
  if (!push) return skipped(why, reasons.neverRegistered)
  if (!pushTo.includes(push)) return skipped(why, cannotPushTo[push])
  return { way: 'push', state: 'waiting', because: [why, so] } as const
}

/** Notifications that would ring wait for the end of quiet hours or for a ring, or are folded. */
async function deliver(tx: Transaction, ways: readonly Way[], options: RoutingOptions) {
  const calm = ways.map(way => held(way) ?? way)
  const aloud = calm.filter(isPush)
  const loud = [...new Map(aloud.map(({ ring }) => [ring.id, ring])).values()]
  const spent = await decideRings(tx, loud, options)
  const deliveries = calm.map((way): NewDelivery & Way => {
    const from = isPush(way) ? spent.get(way.ring.id) : undefined
    return { ...way, notificationId: way.ring.id, ...(from && skipped(...way.because.slice(0, 1), ...from)) }
  })
  if (deliveries.length === 0) return
  await store.saveDeliveries(tx, deliveries)
  const until = Map.groupBy(deliveries, ({ heldUntil }) => heldUntil)
  for (const [at, alike] of until)
    if (at !== undefined)
      await addJob(
        tx,
        'endQuiet',
        { devices: [...new Set(alike.map(({ device }) => device.id))] },
        { afterMs: at - (alike[0]?.ring.now.getTime() ?? at) },
      )
  await send(tx, [...new Set(deliveries.map(({ ring }) => ring))], deliveries, options)
}

const cannotPushTo = {
  web: reasons.cannotPushToWeb,
  android: reasons.cannotPushToAndroid,
  ios: reasons.cannotPushToIos,
}
const skipped = (...because: Reason[]) => ({ way: 'none', state: 'skipped', because }) as const

/** In quiet hours: how it waits for their end, or why it does not ring. */
const held = (way: Way): Way | undefined => {
  const { ring, device, because } = way
  const { quiet_from: from, quiet_until: until } = ring
  if (!isPush(way) || from === null || until === null) return undefined
  const end = quietUntil({ from, until }, device.timezone, ring.now.getTime())
  if (end === undefined) return undefined
  if (isThroughMutes(ring.kind)) return { ...way, because: [...because, reasons.throughMutes] }
  if (isAllDay({ from, until })) return { ...way, ...skipped(...because.slice(0, 1), reasons.noRings) }
  const why = [...because.slice(0, 1), reasons.quietUntil(new Date(end))]
  return { ring, device, way: 'push', state: 'held', because: why, heldUntil: end }
}

const send = async (
  tx: Transaction,
  rings: readonly Ringing[],
  deliveries: readonly NewDelivery[],
  { laneOf, acknowledgeMs }: RoutingOptions,
) => {
  await addPushes(
    tx,
    deliveries.filter(({ state }) => state === 'waiting'),
    laneOf,
  )
  const overChannel = Map.groupBy(
    deliveries.filter(delivery => delivery.way === 'channel'),
    delivery => delivery.notificationId,
  )
  if (overChannel.size === 0) return
  await announce(
    tx,
    rings
      .filter(ring => overChannel.has(ring.id))
      .map(ring => ({
        kind: 'notification.created',
        audience: 'user',
        userId: ring.user_id,
        actorId: ring.actor_id,
        subjectId: ring.id,
        detail: { devices: overChannel.get(ring.id)?.map(({ device }) => device.id) },
      })),
  )
  await addJob(tx, 'escalate', { ids: [...overChannel.keys()] }, { afterMs: acknowledgeMs })
}
