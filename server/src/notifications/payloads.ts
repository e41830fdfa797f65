import type { ChannelEventKind } from '@afterglow/contract/realtime'
import type { RawBuilder } from 'kysely'
import type { Logger } from 'pino'
import type { Db } from '../platform/database/database.ts'
import { isDatabaseAway } from '../platform/database/database-away.ts'
import type { Urls } from '../platform/http/urls.ts'
import type { ChangeRow } from './announce.ts'

/** Somebody who is told of a change, and what they are to the event that it belongs to. */
export type Recipient = { id: number; standing: 'organizer' | 'guest' | 'none' }

/** One payload of a change and who gets it: whoever would get the same stands in one group, so it is made and encoded once. */
export type Shown = {
  payload: unknown
  to: readonly number[]
  /** Only these devices of theirs. */
  devices?: readonly number[]
  /** Called when a device says that it has it. */
  acknowledged?: (deviceRow: number) => void
}

/** What changes of one kind look like on the channel, by change id; none for one whose subject is gone. */
export type ShowChanges = (
  db: Db,
  changes: readonly ChangeRow[],
  recipientsOf: (change: ChangeRow) => readonly Recipient[],
  urls: Urls,
) => Promise<ReadonlyMap<number, readonly Shown[]>>

/** Each slice says how its kinds are shown; app.ts puts them together. */
export type Showing = Partial<Record<ChannelEventKind, ShowChanges>>

/** Who is in an event now. */
export type Members = { ids: readonly number[]; organizers: ReadonlySet<number> }

/** What the slice that knows who is in an event tells of it. */
export type Membership = {
  /** By event id; a deleted event is not there. */
  membersOf(db: Db, eventIds: readonly number[]): Promise<ReadonlyMap<number, Members>>
  /** For a statement that finds the events itself, given their ids as SQL: one value, of which `membersAt` makes the same. */
  readWithin(eventIds: RawBuilder<unknown>): RawBuilder<unknown>
  membersAt(db: Db, read: unknown): Promise<ReadonlyMap<number, Members>>
  /** Every event that somebody is in now. */
  eventsOf(db: Db, userId: number): Promise<readonly { id: number; standing: 'organizer' | 'guest' }[]>
  /** The same of many, deleted events too. */
  eventsOfMembers(db: Db, userIds: readonly number[]): Promise<readonly { userId: number; eventId: number }[]>
}

type Present = { recipientsOf: (change: ChangeRow) => readonly Recipient[]; urls: Urls; log: Pick<Logger, 'error'> }

/**
 * Shows changes of any kind, in statements that do not grow with their number. A change that cannot be shown is left out
 * and logged: one fault of ours must not keep everything after it from everybody. Without a database it throws.
 */
export const showChanges = async (db: Db, showing: Showing, changes: readonly ChangeRow[], present: Present) => {
  const told = changes.filter(change => present.recipientsOf(change).length > 0)
  const kinds = [...Map.groupBy(told, ({ kind }) => kind)].map(([kind, ofKind]) => {
    const show = showing[kind as ChannelEventKind]
    return show ? showKind(db, show, ofKind, present) : []
  })
  return new Map((await Promise.all(kinds)).flat())
}

const showKind = async (
  db: Db,
  show: ShowChanges,
  changes: readonly ChangeRow[],
  { recipientsOf, urls, log }: Present,
): Promise<(readonly [number, readonly Shown[]])[]> => {
  try {
    return [...(await show(db, changes, recipientsOf, urls))]
  } catch (err) {
    // Left out for want of a connection, it would be lost to whoever is told.
    if (isDatabaseAway(err)) throw err
    const [first, ...others] = changes
    if (others.length > 0) {
      const each = []
      for (const change of changes) each.push(...(await showKind(db, show, [change], { recipientsOf, urls, log })))
      return each
    }
    log.error({ err, kind: first?.kind, change: first?.id }, 'a change could not be shown and is left out')
    return []
  }
}
