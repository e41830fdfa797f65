import { type Reason, reasons } from '@afterglow/contract/reasons'
import { type Database, type Transaction, transact } from '../platform/database/database.ts'
import { addJob } from '../platform/jobs/jobs.ts'
import type { LaneOf } from '../platform/push/push-lanes.ts'
import type { PushAddress } from '../platform/push/senders.ts'
import { announce } from './announce.ts'
import type { DeviceRow, NewDelivery, Pair, Ringing } from './deliveries-store.ts'
import * as store from './deliveries-store.ts'
import type { AreAcquainted, BlockedWith } from './notices.ts'
import { isAllDay, quietUntil } from './quiet-hours.ts'
import { hourMs, introductions, isThroughMutes, rankOf, ringsFrom, waitsForRing } from './ring-budget.ts'

/** Which of these devices are currently active: with an open channel, or pinged recently. */
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
  acknowledge(pairs: readonly Pair[]): Promise<void>
}

type Way = Omit<NewDelivery, 'notificationId'> & { ring: Ringing; heldUntil?: number }
const isPush = ({ way, state }: Way) => way === 'push' && state === 'waiting'

/** The rolling notification is updated at most this often. */
const rollEverySeconds = 60

/**
 * Decides, when a notification is sent, how it reaches each of its user's devices: by the channel if the app is active,
 * by push if it is not, and by push as well if the app does not acknowledge in time.
 */
export const openRouting = (options: RoutingOptions): Routing => {
  const { db, activeDevices, blockedWith, areAcquainted, acknowledgeMs, strict } = options
  const late = reasons.notTaken(acknowledgeMs / 1000)

  return {
    async ring({ ids }) {
      const devices = await store.devicesFor(db, ids)
      const active = await activeDevices(devices.map(device => device.id))
      const devicesOf = Map.groupBy(devices, device => device.user_id)
      await transact(db, async tx => {
        const rings = await store.takeRings(tx, ids)
        const silent = await silences(tx, rings)
        const ways = rings.flatMap(ring =>
          (devicesOf.get(ring.user_id) ?? []).map(device => ({
            ring,
            device,
            ...(silent(ring) ?? wayTo(device, active.has(device.id))),
          })),
        )
        await deliver(tx, ways)
      })
    },

    async escalate({ ids }) {
      await transact(db, async tx => {
        const devices = await store.takeUnacknowledged(tx, ids, acknowledgeMs, [
          late,
          ...(strict ? [reasons.pushForbidden] : []),
        ])
        if (strict || devices.length === 0) return
        const rung = await store.rungAlready(tx, [...new Set(devices.map(device => device.notification_id))])
        const rings = new Map(rung.map(ring => [ring.id, ring]))
        await deliver(
          tx,
          devices.flatMap(device => {
            const ring = rings.get(device.notification_id)
            return ring ? [{ ring, device, ...wayByPush(device, late, reasons.alsoPushed) }] : []
          }),
        )
      })
    },

    async endQuiet({ devices }) {
      for (const device of devices) await transact(db, tx => tellHeld(tx, device))
    },

    acknowledge: pairs => store.markAcknowledged(db, pairs),
  }

  /** What changed between the notice and its ring. */
  async function silences(tx: Transaction, rings: readonly Ringing[]) {
    const blocked = await blockedWith(tx, [...new Set(rings.map(ring => ring.actor_id))])
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

  /** What would ring aloud waits for the end of quiet hours or for a ring, or is folded. */
  async function deliver(tx: Transaction, ways: readonly Way[]) {
    const calm = ways.map(way => held(way) ?? way)
    const aloud = calm.filter(isPush)
    const spent = await spendRings(tx, [...new Map(aloud.map(({ ring }) => [ring.id, ring])).values()])
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
    await send(tx, [...new Set(deliveries.map(({ ring }) => ring))], deliveries)
  }

  function held(way: Way): Way | undefined {
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

  /**
   * Which of these may not ring now, and why: the more important ones ring as soon as they may, the others are folded.
   */
  async function spendRings(tx: Transaction, rings: readonly Ringing[]): Promise<ReadonlyMap<number, Reason[]>> {
    const refused = new Map<number, Reason[]>()
    if (rings.length === 0) return refused
    const budgets = await store.lockBudgets(tx, [...new Set(rings.map(ring => ring.user_id))])
    const ringsOf = Map.groupBy(rings, ring => ring.user_id)
    const strangers = await fromStrangers(tx, rings)
    const later = new Map<number, number[]>()
    const folded: number[] = []
    for (const budget of budgets) {
      const theirs = (ringsOf.get(budget.user_id) ?? []).toSorted(
        (a, b) => rankOf(a.kind) - rankOf(b.kind) || a.id - b.id,
      )
      for (const ring of theirs) {
        const { id, kind, rings_per_hour, now } = ring
        const fromStranger = strangers.has(ring)
        const waiting = budget.waiting.filter(each => each !== id)
        const perHour = rings_per_hour ?? options.ringsPerHour
        const at = now.getTime()
        const { rung_at: rungAt, stranger_rung_at: strangerRungAt } = budget
        const from = ringsFrom({ perHour, rungAt, strangerRungAt, waiting: waiting.length }, { kind, fromStranger }, at)
        budget.waiting = waiting
        if (from === undefined) {
          if (isThroughMutes(kind)) continue
          budget.rung_at = [...rungAt.filter(rung => rung > at - hourMs), at]
          if (fromStranger) budget.stranger_rung_at = at
        } else if (from === null) refused.set(id, [reasons.noRings])
        else if (waitsForRing(kind)) {
          // Strangers who wait keep nobody else waiting.
          if (!fromStranger) budget.waiting = [...waiting, id]
          later.set(from, [...(later.get(from) ?? []), id])
          const why = fromStranger ? reasons.strangersUntil(new Date(from)) : reasons.ringsUsed(perHour, new Date(from))
          refused.set(id, [why])
        } else {
          folded.push(id)
          refused.set(id, [reasons.ringsUsed(perHour, new Date(from)), reasons.toldTogether])
        }
      }
    }
    await store.saveBudgets(tx, budgets)
    const now = rings[0]?.now.getTime() ?? 0
    for (const [at, ids] of later) {
      await store.putOffRings(tx, ids, new Date(at))
      await addJob(tx, 'ring', { ids }, { afterMs: at - now })
    }
    if (folded.length > 0) {
      const due = await store.foldRings(tx, folded, rollEverySeconds)
      for (const [afterMs, alike] of Map.groupBy(due, ({ after_ms }) => Math.ceil(after_ms / 1000) * 1000))
        await addJob(tx, 'roll', { userIds: alike.map(({ user_id }) => user_id) }, { afterMs, lane: 'roll' })
    }
    return refused
  }

  /** Those of people whom their reader does not know. */
  async function fromStrangers(tx: Transaction, rings: readonly Ringing[]): Promise<ReadonlySet<Ringing>> {
    const introduced = rings.filter(({ kind }) => (introductions as readonly string[]).includes(kind))
    if (introduced.length === 0) return new Set()
    const acquainted = await areAcquainted(
      tx,
      introduced.map(ring => [ring.user_id, ring.actor_id]),
    )
    return new Set(introduced.filter((_, at) => !acquainted[at]))
  }

  /** Quiet hours are over, or were changed: what is held arrives as one, once. */
  async function tellHeld(tx: Transaction, deviceRow: number) {
    const all = await store.lockHeld(tx, deviceRow)
    const [first] = all
    if (!first) return
    const { device, now, quiet_from: from, quiet_until: until } = first
    const end =
      from !== null && until !== null ? quietUntil({ from, until }, device.timezone, now.getTime()) : undefined
    if (end !== undefined) {
      await addJob(tx, 'endQuiet', { devices: [deviceRow] }, { afterMs: end - now.getTime() })
      return
    }
    const over = (ring: Ringing) =>
      ring.withdrawn_at !== null
        ? reasons.gone
        : ring.read_at !== null
          ? reasons.read
          : ring.mutes
            ? reasons.mutes
            : undefined
    const alive = all.filter(ring => !over(ring) && !ring.barred && device.push !== null)
    const best = alive.toSorted((a, b) => rankOf(a.kind) - rankOf(b.kind) || b.id - a.id)[0]
    const settle = (state: 'skipped' | 'waiting', ring: Ringing, outcome: Reason | null, together: number | null) => ({
      id: ring.id,
      state,
      outcome,
      together,
    })
    if (best) {
      // Whatever it stands for, what was held waits for a ring and is never folded.
      const [budget] = await store.lockBudgets(tx, [best.user_id])
      const perHour = best.rings_per_hour ?? options.ringsPerHour
      const next =
        budget && ringsFrom({ perHour, rungAt: budget.rung_at, waiting: 0 }, { kind: 'mention' }, now.getTime())
      if (next !== undefined && next !== null) {
        await addJob(tx, 'endQuiet', { devices: [deviceRow] }, { afterMs: next - now.getTime() })
        return
      }
      if (budget && next === undefined)
        await store.saveBudgets(tx, [
          { ...budget, rung_at: [...budget.rung_at.filter(at => at > now.getTime() - hourMs), now.getTime()] },
        ])
      if (next === null)
        return store.settleHeld(
          tx,
          deviceRow,
          all.map(ring => settle('skipped', ring, reasons.noRings, null)),
        )
    }
    await store.settleHeld(
      tx,
      deviceRow,
      all.map(ring => {
        if (ring === best) return settle('waiting', ring, null, alive.length > 1 ? alive.length : null)
        return settle('skipped', ring, over(ring) ?? (best ? reasons.toldTogether : reasons.noAddress), null)
      }),
    )
    if (best)
      await addPushes(
        tx,
        [{ notificationId: best.id, device, way: 'push', state: 'waiting', because: [] }],
        options.laneOf,
      )
  }

  async function send(tx: Transaction, rings: readonly Ringing[], deliveries: readonly NewDelivery[]) {
    await addPushes(
      tx,
      deliveries.filter(({ state }) => state === 'waiting'),
      options.laneOf,
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
}

const cannotPushTo = {
  web: reasons.cannotPushToWeb,
  android: reasons.cannotPushToAndroid,
  ios: reasons.cannotPushToIos,
}
const skipped = (...because: Reason[]) => ({ way: 'none', state: 'skipped', because }) as const

const pushesAJob = 500

/** One job for many pushes, never one for each; a service that hangs only holds up its own lane. */
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
