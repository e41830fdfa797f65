import type { saveEvent } from '@afterglow/contract/events'
import type { Given } from '@afterglow/contract/route'
import type { CopiedEvent, SavedEvent } from '../events/event-parts.ts'
import { type Beginning, beginAlike, movedWith } from '../events/local-time.ts'
import type { Transaction } from '../platform/database/database.ts'
import { type Entry, plansOf, replaceEntries } from './programme-store.ts'

const momentAfter = (start: Date, ms: number) => new Date(start.getTime() + ms)
const msAfter = (start: Date, moment: Date) => moment.getTime() - start.getTime()

/** A programme as its event’s `extra` shows it. */
export const presentProgramme = (start: Date, entries: readonly Entry[]) =>
  entries.map(entry => ({
    programme_starts_at: momentAfter(start, entry.startsAfterMs).toISOString(),
    programme_ends_at: entry.endsAfterMs === null ? null : momentAfter(start, entry.endsAfterMs).toISOString(),
    programme_title: entry.title,
    programme_place: entry.place,
  }))

/** The same by the clock on the wall, at an event that begins at another time. */
const moved = (from: Beginning, to: Beginning, entries: readonly Entry[]) => {
  const move = movedWith(from, to)
  const at = (ms: number) => momentAfter(from.starts_at, ms)
  return entries.map(({ startsAfterMs: starts, endsAfterMs: ends, ...entry }) => ({
    ...entry,
    startsAfterMs: msAfter(to.starts_at, move.moment(at(starts))),
    endsAfterMs: ends === null ? null : msAfter(to.starts_at, move.end(at(ends), at(starts))),
  }))
}

export const copyProgramme = (tx: Transaction, { from, to }: CopiedEvent, entries: readonly Entry[]) =>
  replaceEntries(tx, to.id, moved(from, to, entries))

const moveProgramme = async (tx: Transaction, eventId: number, from: Beginning, to: Beginning) => {
  if (beginAlike(from, to)) return
  const { entries } = (await plansOf(tx, [eventId])).get(eventId) ?? {}
  if (entries) await replaceEntries(tx, eventId, moved(from, to, entries))
}

/** Replaces the programme by what the event's form says; if it says nothing, it moves with the event. */
export const saveProgramme = async (
  tx: Transaction,
  { id: eventId, before }: SavedEvent,
  { event_programme: programme, event_starts_at: start, event_timezone: zone }: Given<typeof saveEvent>,
) => {
  if (!programme) {
    if (before) await moveProgramme(tx, eventId, before, { starts_at: start, timezone: zone ?? before.timezone })
    return
  }
  const entries = programme.map(
    (entry): Entry => ({
      startsAfterMs: msAfter(start, entry.programme_starts_at),
      endsAfterMs: entry.programme_ends_at ? msAfter(start, entry.programme_ends_at) : null,
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
