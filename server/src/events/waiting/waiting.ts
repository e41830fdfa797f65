import { type Capability, can } from '@afterglow/contract/capabilities'
import type { waitingKinds } from '@afterglow/contract/waiting'
import type { RawBuilder } from 'kysely'
import type { Db } from '../../platform/database/database.ts'
import type { EventPart } from '../event-parts.ts'
import type { EventRow } from '../store.ts'
import { presentWaiting } from './present.ts'
import { countWaiting } from './waiting-store.ts'

/* Items that wait for the organizers of an event. Each slice counts its own. */

export type WaitingKind = (typeof waitingKinds)[number]
export type Waiting = { event_id: number; count: number; since: Date }

/** How one kind is counted, for events in which somebody may do this. `count` selects the columns of `Waiting`. */
export type Counted = { may: Capability; count(eventIds: readonly number[]): RawBuilder<Waiting> }
export type WaitingCounts = Partial<Record<WaitingKind, Counted>>

type Organized = Pick<EventRow, 'id' | 'standing'>

/** Counts the waiting items of each event that somebody with the standing of its row may see. */
export const waitingIn = async (db: Db, counts: WaitingCounts, events: readonly Organized[]) => {
  const asked = Object.entries(counts).flatMap(([kind, { may, count }]) => {
    const ids = events.filter(({ standing }) => can(standing, may)).map(({ id }) => id)
    return ids.length > 0 ? [{ kind: kind as WaitingKind, select: count([...new Set(ids)]) }] : []
  })
  const byEvent = Map.groupBy(await countWaiting(db, asked), row => row.event_id)
  return ({ id, standing }: Organized) =>
    (byEvent.get(id) ?? []).filter(({ kind }) => can(standing, counts[kind]?.may ?? 'own'))
}

export const waitingPart = (counts: WaitingCounts): EventPart => ({
  async read(db, events) {
    const waiting = await waitingIn(db, counts, events)
    return events.map(event => ({ waiting: waiting(event).map(presentWaiting) }))
  },
})
