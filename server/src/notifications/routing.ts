import { type Reason, reasons } from '@afterglow/contract/reasons'
import { type Database, type Transaction, transact } from '../platform/database.ts'
import { addJob } from '../platform/jobs.ts'
import type { LaneOf } from '../platform/push/push-lanes.ts'
import type { PushAddress } from '../platform/push/senders.ts'
import { announce } from './announcing.ts'
import type { DeviceRow, NewDelivery, Pair, Ringing } from './deliveries-store.ts'
import * as store from './deliveries-store.ts'
import type { BlockedWith } from './notices.ts'

/** Which of these devices are active now: in somebody's hand, with its channel open or pinged lately. */
export type ActiveDevices = (deviceRows: readonly number[]) => Promise<ReadonlySet<number>>

export type RoutingOptions = {
  db: Database
  activeDevices: ActiveDevices
  blockedWith: BlockedWith
  /** The platforms that this server can push to. */
  pushTo: readonly PushAddress['platform'][]
  laneOf: LaneOf
  acknowledgeMs: number
  /** NOTIFY_STRICT: what is not acknowledged never travels as push. */
  strict: boolean
}

export type Routing = {
  ring(payload: { ids: number[] }): Promise<void>
  escalate(payload: { ids: number[] }): Promise<void>
  acknowledge(pairs: readonly Pair[]): Promise<void>
}

/**
 * Decides when a notification is sent, for each device of its user, which way it takes: the channel where the app is
 * active, push where it is not, and push as well where the app does not acknowledge in time.
 */
export const openRouting = (options: RoutingOptions): Routing => {
  const { db, activeDevices, blockedWith, acknowledgeMs, strict } = options
  const late = reasons.notTaken(acknowledgeMs / 1000)

  return {
    async ring({ ids }) {
      const devices = await store.devicesFor(db, ids)
      const active = await activeDevices(devices.map(device => device.id))
      const devicesOf = Map.groupBy(devices, device => device.user_id)
      await transact(db, async tx => {
        const rings = await store.takeRings(tx, ids)
        const silent = await silences(tx, rings)
        const deliveries = rings.flatMap(ring =>
          (devicesOf.get(ring.user_id) ?? []).map(device => ({
            notificationId: ring.id,
            device,
            ...(silent(ring) ?? wayTo(device, active.has(device.id))),
          })),
        )
        if (deliveries.length === 0) return
        await store.saveDeliveries(tx, deliveries)
        await send(tx, rings, deliveries)
      })
    },

    async escalate({ ids }) {
      await transact(db, async tx => {
        const devices = await store.takeUnacknowledged(tx, ids, acknowledgeMs, [
          late,
          ...(strict ? [reasons.pushForbidden] : []),
        ])
        if (strict || devices.length === 0) return
        const deliveries = devices.map(device => ({
          notificationId: device.notification_id,
          device,
          ...wayByPush(device, late, reasons.alsoPushed),
        }))
        await store.saveDeliveries(tx, deliveries)
        await addPushes(tx, deliveries, options.laneOf)
      })
    },

    acknowledge: pairs => store.markAcknowledged(db, pairs),
  }

  /** What changed between the notice and its ring. */
  async function silences(tx: Transaction, rings: readonly Ringing[]) {
    const blocked = new Map<number, ReadonlySet<number>>()
    for (const [actorId, rung] of Map.groupBy(rings, ring => ring.actor_id))
      blocked.set(
        actorId,
        await blockedWith(
          tx,
          actorId,
          rung.map(ring => ring.user_id),
        ),
      )
    return (ring: Ringing) => {
      if (ring.barred) return skipped(reasons.barred)
      if (ring.mutes) return skipped(reasons.mutes)
      return blocked.get(ring.actor_id)?.has(ring.user_id) ? skipped(reasons.blocked) : undefined
    }
  }

  function wayTo(device: DeviceRow, active: boolean) {
    if (!active) return wayByPush(device, reasons.inactive, reasons.pushed)
    return { way: 'channel', state: 'waiting', because: [reasons.active] } as const
  }

  function wayByPush({ push }: DeviceRow, why: Reason, so: Reason) {
    if (!push) return skipped(why, reasons.neverRegistered)
    if (!options.pushTo.includes(push)) return skipped(why, cannotPushTo[push])
    return { way: 'push', state: 'waiting', because: [why, so] } as const
  }

  async function send(tx: Transaction, rings: readonly Ringing[], deliveries: readonly NewDelivery[]) {
    await addPushes(tx, deliveries, options.laneOf)
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
}

const cannotPushTo = {
  web: reasons.cannotPushToWeb,
  android: reasons.cannotPushToAndroid,
  ios: reasons.cannotPushToIos,
}
const skipped = (...because: Reason[]) => ({ way: 'none', state: 'skipped', because }) as const

const pushesAJob = 500

/** One job for many pushes, never one for each; services that hang hold up their own lane only. */
const addPushes = async (tx: Transaction, deliveries: readonly NewDelivery[], laneOf: LaneOf) => {
  const pushes = deliveries.filter(delivery => delivery.way === 'push')
  const laneOfDevice = ({ push, endpoint }: DeviceRow) => laneOf(push ?? 'web', endpoint)
  for (const [lane, alike] of Map.groupBy(pushes, ({ device }) => laneOfDevice(device))) {
    for (let from = 0; from < alike.length; from += pushesAJob) {
      const pairs = alike.slice(from, from + pushesAJob).map(one => [one.notificationId, one.device.id])
      await addPushJob(tx, pairs, lane)
    }
  }
}

export const addPushJob = (tx: Transaction, pairs: readonly (readonly number[])[], lane: string, afterMs = 0) =>
  addJob(tx, 'push', { pairs, lane }, { lane, afterMs })
