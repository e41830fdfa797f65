import type { saveEvent } from '@afterglow/contract/events'
import type { Given } from '@afterglow/contract/route'
import type { CopiedEvent, SavedEvent } from '../events/event-parts.ts'
import { type Beginning, movedWith } from '../events/local-time.ts'
import type { Transaction } from '../platform/database/database.ts'
import { type Entry, plansOf, replaceEntries } from './programme-store.ts'

const after = (start: Date, ms: number) => new Date(start.getTime() + ms).toISOString()

/** A programme as its event’s `extra` shows it. */
export const presentProgramme = (start: Date, entries: readonly Entry[]) =>
  entries.map(entry => ({
    programme_starts_at: after(start, entry.startsAfterMs),
    programme_ends_at: entry.endsAfterMs === null ? null : after(start, entry.endsAfterMs),
    programme_title: entry.title,
    programme_place: entry.place,
  }))

/** The same by the clock on the wall, at an event that begins at another time. */
const moved = (from: Beginning, to: Beginning, entries: readonly Entry[]) => {
  const move = movedWith(from, to)
  const at = (ms: number) => new Date(from.starts_at.getTime() + ms)
  const after = (moment: Date) => moment.getTime() - to.starts_at.getTime()
  return entries.map(({ startsAfterMs: starts, endsAfterMs: ends, ...entry }) => ({
    ...entry,
    startsAfterMs: after(move.moment(at(starts))),
    endsAfterMs: ends === null ? null : after(move.end(at(ends), at(starts))),
  }))
}

export const copyProgramme = (tx: Transaction, { from, to }: CopiedEvent, entries: readonly Entry[]) =>
  replaceEntries(tx, to.id, moved(from, to, entries))

/** Replaces the programme by what the event's form says; if it says nothing, it moves with the event. */
export const saveProgramme = async (
  tx: Transaction,
  { id: eventId, before }: SavedEvent,
  { event_programme: programme, event_starts_at: start, event_timezone: zone }: Given<typeof saveEvent>,
) => {
  if (!programme) {
    const { entries } = (before && (await plansOf(tx, [eventId])).get(eventId)) ?? {}
    const after = before && { starts_at: start, timezone: zone ?? before.timezone }
    if (after && entries) await replaceEntries(tx, eventId, moved(before, after, entries))
    return
  }
  const entries = programme.map(
    (entry): Entry => ({
      startsAfterMs: entry.programme_starts_at.getTime() - start.getTime(),
      endsAfterMs: entry.programme_ends_at ? entry.programme_ends_at.getTime() - start.getTime() : null,
      title: entry.programme_title,
      place: entry.programme_place ?? null,
    }),
  )
  await replaceEntries(
    tx,
    eventId,
    entries.toSorted((one, other) => one.startsAfterMs - other.startsAfterMs),
  )
}
