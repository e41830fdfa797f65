import { type Reason, reasons } from '@afterglow/contract/reasons'
import type { Transaction } from '../../platform/database/database.ts'
import { addJob } from '../../platform/jobs/jobs.ts'
import type { AreAcquainted } from '../notices.ts'
import { introductions, isThroughMutes, rankOf, ringsFrom, shareLeftFrom, waitsForRing } from './ring-budget.ts'
import type { BudgetRow, Ringing } from './rings-store.ts'
import * as store from './rings-store.ts'

/** The rolling notification is updated at most this often. */
const rollEverySeconds = 60

type RingOptions = {
  areAcquainted: AreAcquainted
  /** For users who have chosen none. */
  ringsPerHour: number
}

type RingDecision = 'rings' | { waitsUntil: number; because: Reason[] } | { folded: boolean; because: Reason[] }

/** Decides which may not ring now, and why: the more important ones ring as soon as they may, the others are folded. */
export const decideRings = async (
  tx: Transaction,
  rings: readonly Ringing[],
  { areAcquainted, ringsPerHour }: RingOptions,
): Promise<ReadonlyMap<number, Reason[]>> => {
  const refused = new Map<number, Reason[]>()
  if (rings.length === 0) return refused
  const budgets = await store.lockBudgets(tx, [...new Set(rings.map(ring => ring.user_id))])
  const ringsOf = Map.groupBy(rings, ring => ring.user_id)
  const strangersOf = await fromStrangers(tx, rings, areAcquainted)
  const waiting = new Map<number, number[]>()
  const folded: number[] = []
  for (const budget of budgets)
    for (const ring of mostImportantFirst(ringsOf.get(budget.user_id) ?? [])) {
      const verdict = spend(budget, ring, ring.rings_per_hour ?? ringsPerHour, strangersOf.get(ring))
      if (verdict === 'rings') continue
      refused.set(ring.id, verdict.because)
      if ('waitsUntil' in verdict)
        waiting.set(verdict.waitsUntil, [...(waiting.get(verdict.waitsUntil) ?? []), ring.id])
      else if (verdict.folded) folded.push(ring.id)
    }
  await store.saveBudgets(tx, budgets)
  const now = rings[0]?.now.getTime() ?? 0
  for (const [at, ids] of waiting) {
    await store.putOffRings(tx, ids, new Date(at))
    await addJob(tx, 'ring', { ids }, { afterMs: at - now })
  }
  await fold(tx, folded)
  return refused
}

const mostImportantFirst = (rings: readonly Ringing[]) =>
  rings.toSorted((a, b) => rankOf(a.kind) - rankOf(b.kind) || a.id - b.id)

/**
 * Takes one ring out of the budget, or a place among those who wait for one. Of several who acted, one who has a ring
 * left is enough.
 */
const spend = (budget: BudgetRow, ring: Ringing, perHour: number, strangers?: ReadonlySet<number>): RingDecision => {
  const { id, kind } = ring
  const at = ring.now.getTime()
  const waiting = budget.waiting.filter(each => each !== id)
  const { rung_at: rungAt, rung_by: rungBy, stranger_rung_at: strangerRungAt } = budget
  const spent = { perHour, rungAt, rungBy, strangerRungAt, waiting: waiting.length }
  const sources = ring.by.length > 0 ? ring.by : [{ id: ring.actor_id, source: null }]
  const [first] = sources
    .map(({ id, source }) => ({ kind, source, fromStranger: strangers?.has(id) ?? false }))
    .map(due => ({ due, from: ringsFrom(spent, due, at) }))
    .sort((a, b) => (a.from ?? 0) - (b.from ?? 0))
  const { due, from } = first as NonNullable<typeof first>
  const { source, fromStranger } = due
  budget.waiting = waiting
  if (from === undefined) {
    if (isThroughMutes(kind)) return 'rings'
    Object.assign(budget, store.withRing(budget, at, source))
    if (fromStranger) budget.stranger_rung_at = at
    return 'rings'
  }
  if (from === null) return { folded: false, because: [reasons.noRings] }
  const until = new Date(from)
  const overShare = shareLeftFrom(spent, due, at) > at
  const ofSource = overShare ? reasons.sourceUntil(until) : reasons.ringsUsed(perHour, until)
  if (!waitsForRing(kind)) return { folded: true, because: [ofSource, reasons.toldTogether] }
  // A source that waits for its own share delays no other.
  if (!fromStranger && !overShare) budget.waiting = [...waiting, id]
  return { waitsUntil: from, because: [fromStranger ? reasons.strangersUntil(until) : ofSource] }
}

/** Who of those that a ring is from is unknown to its reader. */
const fromStrangers = async (
  tx: Transaction,
  rings: readonly Ringing[],
  areAcquainted: AreAcquainted,
): Promise<ReadonlyMap<Ringing, ReadonlySet<number>>> => {
  const introduced = rings.filter(({ kind }) => (introductions as readonly string[]).includes(kind))
  if (introduced.length === 0) return new Map()
  const pairs = introduced.flatMap(ring => ring.by.map(({ id }) => ({ ring, id })))
  const acquainted = await areAcquainted(
    tx,
    pairs.map(({ ring, id }) => [ring.user_id, id] as const),
  )
  const unknown = Map.groupBy(
    pairs.filter((_, at) => !acquainted[at]),
    ({ ring }) => ring,
  )
  return new Map([...unknown].map(([ring, all]) => [ring, new Set(all.map(({ id }) => id))]))
}

/** Leaves these to the rolling notification of each reader. */
const fold = async (tx: Transaction, ids: readonly number[]) => {
  if (ids.length === 0) return
  const due = await store.foldRings(tx, ids, rollEverySeconds)
  for (const [afterMs, alike] of Map.groupBy(due, ({ after_ms }) => Math.ceil(after_ms / 1000) * 1000))
    await addJob(tx, 'roll', { userIds: alike.map(({ user_id }) => user_id) }, { afterMs, lane: 'roll' })
}
