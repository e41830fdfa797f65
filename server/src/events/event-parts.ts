import type { saveEvent } from '@afterglow/contract/events'
import type { joinByLink, OpenedEvent } from '@afterglow/contract/links/opened-links'
import type { ParsedInput } from '@afterglow/contract/route'
import type { z } from 'zod'
import type { Db, Transaction } from '../platform/database/database.ts'
import type { Urls } from '../platform/http/urls.ts'
import type { Beginning } from './local-time.ts'
import { presentEvent } from './present.ts'
import type { EventRow } from './store.ts'

export type { EventRow }

type PlansShown = Pick<z.output<typeof OpenedEvent>, 'event_programme' | 'going' | 'going_count' | 'event_places_left'>

/** Another slice's part of an event. Its fields have their own tables, and their own file in the contract. */
export type EventPart = {
  /** Its fields of `extra` for each of these events, alike for everybody who may see the event. */
  read?(db: Db, events: readonly EventRow[]): Promise<readonly object[]>
  /** Its fields of what a stranger is shown of an event; `named`: who comes may be named. */
  opened?(db: Db, event: EventRow, shown: { urls: Urls; named: boolean }): Promise<PlansShown>
  /** Saves its fields of the event's form, in the transaction that locks the event. */
  save?(tx: Transaction, saved: SavedEvent, input: ParsedInput<typeof saveEvent>): Promise<unknown>
  /** Brings its settings, which have no time, to an event that repeats this one. */
  copy?(tx: Transaction, copied: MovedEvent): Promise<unknown>
  /**
   * Moves everything that has a time with its event, or brings it to one that repeats it: `from` and `to` are one event or
   * two. By the clock on the wall, see `movedWith`; a moment that is over stays as it is.
   */
  move?(tx: Transaction, moved: MovedEvent): Promise<unknown>
  /** Saves its fields of the form by which somebody comes in, in the transaction that lets them in. */
  join?(tx: Transaction, eventId: number, userId: number, input: ParsedInput<typeof joinByLink>): Promise<unknown>
}

export type SavedEvent = { id: number; starts_at: Date }
export type MovedEvent = Record<'from' | 'to', Beginning & { id: number }>

/** How an event's replies are presented: where URLs lead, and whether they contain `extra`. */
export type PresentOptions = { urls: Urls; extra: boolean }

/** Presents events with what every part contributes. */
export const openPresent = (parts: readonly EventPart[]) => {
  const all = async (db: Db, rows: readonly EventRow[], { urls, extra }: PresentOptions) => {
    const contributed =
      extra && rows.length > 0 ? await Promise.all(parts.map(async part => part.read?.(db, rows))) : []
    return rows.map((row, at) =>
      presentEvent(row, urls, extra ? Object.assign({}, ...contributed.map(fields => fields?.[at])) : undefined),
    )
  }
  type Presented = ReturnType<typeof presentEvent>
  return {
    /** In the order of the rows. */
    all,
    one: async (db: Db, row: EventRow, presenting: PresentOptions) =>
      (await all(db, [row], presenting))[0] as Presented,
  }
}

/** For an event that is given another beginning, and for one that repeats another. */
export const moveParts = async (tx: Transaction, parts: readonly EventPart[], moved: MovedEvent) => {
  for (const part of parts) await part.move?.(tx, moved)
}

/** Saves what the parts take from an event's form. */
export const saveParts = async (
  tx: Transaction,
  parts: readonly EventPart[],
  saved: SavedEvent,
  input: ParsedInput<typeof saveEvent>,
) => {
  for (const part of parts) await part.save?.(tx, saved, input)
}
