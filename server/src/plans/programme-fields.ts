import type { saveEvent } from '@afterglow/contract/events'
import { programmeDaysMax } from '@afterglow/contract/limits'
import type { ParsedInput } from '@afterglow/contract/route'
import { sentence } from '@afterglow/contract/words'
import { mayKnowPlace } from '../events/access.ts'
import type { EventRow, MovedEvent, SavedEvent } from '../events/event-parts.ts'
import { movedWith } from '../events/local-time.ts'
import type { Transaction } from '../platform/database/database.ts'
import { invalid } from '../platform/http/refusals.ts'
import { type Entry, plansOf, replaceEntries } from './programme-store.ts'

const dayMs = 24 * 60 * 60_000
const momentAfter = (start: Date, ms: number) => new Date(start.getTime() + ms)
const msAfter = (start: Date, moment: Date) => moment.getTime() - start.getTime()

/** A programme as its event’s `extra` shows it. */
export const presentProgramme = (event: EventRow, entries: readonly Entry[]) =>
  entries.map(entry => ({
    programme_starts_at: momentAfter(event.starts_at, entry.startsAfterMs).toISOString(),
    programme_ends_at:
      entry.endsAfterMs === null ? null : momentAfter(event.starts_at, entry.endsAfterMs).toISOString(),
    programme_title: entry.title,
    programme_place: mayKnowPlace(event) ? entry.place : null,
  }))

/** The same by the clock on the wall, at an event that begins at another time. */
const movedEntries = ({ from, to }: MovedEvent, entries: readonly Entry[]) => {
  const move = movedWith(from, to)
  const at = (ms: number) => momentAfter(from.starts_at, ms)
  return entries.map(({ startsAfterMs: starts, endsAfterMs: ends, ...entry }) => ({
    ...entry,
    startsAfterMs: msAfter(to.starts_at, move.moment(at(starts))),
    endsAfterMs: ends === null ? null : msAfter(to.starts_at, move.end(at(ends), at(starts))),
  }))
}

export const moveProgramme = async (tx: Transaction, moved: MovedEvent) => {
  const { entries } = (await plansOf(tx, [moved.from.id])).get(moved.from.id) ?? {}
  if (entries) await replaceEntries(tx, moved.to.id, movedEntries(moved, entries))
}

/** Replaces the programme by what the event's form says, if it says anything of it. */
export const saveProgramme = async (
  tx: Transaction,
  { id: eventId, starts_at: start }: SavedEvent,
  { event_programme: programme }: ParsedInput<typeof saveEvent>,
) => {
  if (!programme) return
  const entries = programme.map((entry, at): Entry => {
    const after = (field: 'programme_starts_at' | 'programme_ends_at') => {
      const ms = entry[field] ? msAfter(start, entry[field]) : null
      if (ms !== null && Math.abs(ms) > programmeDaysMax * dayMs)
        invalid(`event_programme.${at}.${field}`, sentence.nearStart(programmeDaysMax))
      return ms
    }
    return {
      startsAfterMs: after('programme_starts_at') ?? 0,
      endsAfterMs: after('programme_ends_at'),
      title: entry.programme_title,
      place: entry.programme_place ?? null,
    }
  })
  await replaceEntries(
    tx,
    eventId,
    entries.toSorted((one, other) => one.startsAfterMs - other.startsAfterMs),
  )
}
