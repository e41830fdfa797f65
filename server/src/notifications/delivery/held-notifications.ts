import { type Reason, reasons } from '@afterglow/contract/reasons'
import type { Transaction } from '../../platform/database/database.ts'
import { addJob } from '../../platform/jobs/jobs.ts'
import type { LaneOf } from '../../platform/push/push-lanes.ts'
import { addPushes } from './push-jobs.ts'
import { quietUntil } from './quiet-hours.ts'
import { rankOf, ringsFrom } from './ring-budget.ts'
import type { Held } from './rings-store.ts'
import * as store from './rings-store.ts'

type HeldOptions = { ringsPerHour: number; laneOf: LaneOf }

/** Quiet hours of a device are over, or were changed: what is held arrives as one, once. */
export const deliverHeld = async (tx: Transaction, deviceRow: number, { ringsPerHour, laneOf }: HeldOptions) => {
  const all = await store.lockHeld(tx, deviceRow)
  const [first] = all
  if (!first) return
  const now = first.now.getTime()
  const later = (at: number) => addJob(tx, 'endQuiet', { devices: [deviceRow] }, { afterMs: at - now })
  const end = endOfQuiet(first)
  if (end !== undefined) return later(end)
  const alive = all.filter(ring => !whyOver(ring) && !ring.barred && ring.device.push !== null)
  const best = alive.toSorted((a, b) => rankOf(a.kind) - rankOf(b.kind) || b.id - a.id)[0]
  const next = best && (await takeRing(tx, best, ringsPerHour))
  if (typeof next === 'number') return later(next)
  const rings = next === null ? undefined : best
  const skip = (ring: Held, why: Reason) => ({ id: ring.id, state: 'skipped', outcome: why, together: null }) as const
  const together = alive.length > 1 ? alive.length : null
  const settled = all.map(ring => {
    if (next === null) return skip(ring, reasons.noRings)
    if (ring === rings) return { id: ring.id, state: 'waiting', outcome: null, together } as const
    return skip(ring, whyOver(ring) ?? (rings ? reasons.toldTogether : reasons.noAddress))
  })
  await store.settleHeld(tx, deviceRow, settled)
  if (!rings) return
  const push = { notificationId: rings.id, device: first.device, way: 'push', state: 'waiting', because: [] } as const
  await addPushes(tx, [push], laneOf)
}

const endOfQuiet = ({ quiet_from: from, quiet_until: until, device, now }: Held) =>
  from !== null && until !== null ? quietUntil({ from, until }, device.timezone, now.getTime()) : undefined

const whyOver = (ring: Held): Reason | undefined => {
  if (ring.withdrawn_at !== null) return reasons.gone
  if (ring.read_at !== null) return reasons.read
  return ring.mutes ? reasons.mutes : undefined
}

/**
 * Takes a ring of its reader's hour. Whatever it stands for, what was held waits for a ring and is never folded.
 * Undefined: it rings now; otherwise when it may; null: never.
 */
const takeRing = async (tx: Transaction, ring: Held, ringsPerHour: number) => {
  const at = ring.now.getTime()
  const [budget] = await store.lockBudgets(tx, [ring.user_id])
  if (!budget) return undefined
  const perHour = ring.rings_per_hour ?? ringsPerHour
  const next = ringsFrom({ perHour, rungAt: budget.rung_at, waiting: 0 }, { kind: 'mention' }, at)
  if (next === undefined) await store.saveBudgets(tx, [store.withRing(budget, at, null)])
  return next
}
