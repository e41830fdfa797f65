import type { saveEvent } from '@afterglow/contract/events'
import type { Given } from '@afterglow/contract/route'
import type { Transaction } from '../platform/database/database.ts'
import { type Entry, replaceEntries } from './programme-store.ts'

const after = (start: Date, ms: number) => new Date(start.getTime() + ms).toISOString()

/** A programme as its event’s `extra` shows it. */
export const presentProgramme = (start: Date, entries: readonly Entry[]) =>
  entries.map(entry => ({
    programme_starts_at: after(start, entry.startsAfterMs),
    programme_ends_at: entry.endsAfterMs === null ? null : after(start, entry.endsAfterMs),
    programme_title: entry.title,
    programme_place: entry.place,
  }))

/** Replaces the programme by what the event's form says; if it says nothing, it moves with the event. */
export const saveProgramme = async (
  tx: Transaction,
  eventId: number,
  { event_programme: programme, event_starts_at: start }: Given<typeof saveEvent>,
) => {
  if (!programme) return
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
