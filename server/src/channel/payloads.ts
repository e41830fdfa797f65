import { can, capabilityToHear, type Role, type Standing } from '@afterglow/contract/capabilities'
import type { ChannelEventKind } from '@afterglow/contract/realtime'
import type { RawBuilder } from 'kysely'
import type { Logger } from 'pino'
import type { ChangeRow } from '../log/announce.ts'
import type { Db } from '../platform/database/database.ts'
import { isDatabaseAway } from '../platform/database/database-away.ts'
import type { Urls } from '../platform/http/urls.ts'

/** A recipient of a change, and their role in the event that it belongs to. */
export type Recipient = { id: number; standing: Standing }

export const idsOf = (people: readonly { id: number }[] = []) => people.map(({ id }) => id)

/**
 * One payload of a change and its recipients: everyone who would get the same is in one group, so it is made and
 * encoded once.
 */
export type AddressedPayload = {
  payload: unknown
  to: readonly number[]
  /** The name of the event on the channel; by default the kind of the change. */
  kind?: ChannelEventKind
  /** Only these devices of theirs. */
  devices?: readonly number[]
  /** Called when a device acknowledges it. */
  acknowledged?: (deviceRow: number) => void
}

/** How changes of one kind are shown on the channel, by change ID; none if the subject is gone. */
export type ChangePresenter = (
  db: Db,
  changes: readonly ChangeRow[],
  recipientsOf: (change: ChangeRow) => readonly Recipient[],
  urls: Urls,
) => Promise<ReadonlyMap<number, readonly AddressedPayload[]>>

/** Each slice defines how its kinds are shown; app.ts combines them. */
export type ChangePresenters = Partial<Record<ChannelEventKind, ChangePresenter>>

/**
 * The people of an event, the roles of those who are not ordinary guests, and the viewers and uploaders that a link
 * lets in.
 */
export type Members = {
  ids: readonly number[]
  roles: ReadonlyMap<number, Role>
  viewers: ReadonlyMap<number, Role>
}

/** Provided by the slice that knows event memberships. */
export type Membership = {
  /** By event ID; deleted events are missing. */
  membersOf(db: Db, eventIds: readonly number[]): Promise<ReadonlyMap<number, Members>>
  /**
   * For a statement that finds the events itself, given their IDs as SQL: one value, which `membersAt` turns into the
   * same.
   */
  readWithin(eventIds: RawBuilder<unknown>): RawBuilder<unknown>
  membersAt(db: Db, read: unknown): Promise<ReadonlyMap<number, Members>>
  /** Every event that somebody is currently in, or is something to by a link. */
  eventsOf(db: Db, userId: number): Promise<readonly { id: number; role: Role }[]>
  /** The same for many users, including deleted events. */
  eventsOfMembers(db: Db, userIds: readonly number[]): Promise<readonly { userId: number; eventId: number }[]>
}

type PresentOptions = {
  recipientsOf: (change: ChangeRow) => readonly Recipient[]
  urls: Urls
  log: Pick<Logger, 'error'>
}

/**
 * Presents changes of any kind, in a number of statements that does not grow with theirs. A change that cannot be
 * presented is skipped and logged: one bug of ours must not withhold everything after it from everybody. Throws if the
 * database is unavailable.
 */
export const showChanges = async (
  db: Db,
  showing: ChangePresenters,
  changes: readonly ChangeRow[],
  given: PresentOptions,
) => {
  const present = { ...given, recipientsOf: recipientsOfKind(given.recipientsOf) }
  const told = changes.filter(change => present.recipientsOf(change).length > 0)
  const kinds = [...Map.groupBy(told, ({ kind }) => kind)].map(([kind, ofKind]) => {
    const show = showing[kind as ChannelEventKind]
    return show ? showKind(db, show, ofKind, present) : []
  })
  return new Map((await Promise.all(kinds)).flat())
}

/** Without those who may not hear of it, such as viewers of links, who see less of an event than its people. */
const recipientsOfKind = (recipientsOf: PresentOptions['recipientsOf']): PresentOptions['recipientsOf'] => {
  const heard = new Map<readonly Recipient[], Map<string, readonly Recipient[]>>()
  return change => {
    const told = recipientsOf(change)
    const what = capabilityToHear(change.kind)
    if (change.audience === 'user' || told.every(({ standing }) => can(standing, what))) return told
    const ofKind = heard.get(told) ?? new Map<string, readonly Recipient[]>()
    heard.set(told, ofKind)
    const theirs = ofKind.get(what) ?? told.filter(({ standing }) => can(standing, what))
    ofKind.set(what, theirs)
    return theirs
  }
}

const showKind = async (
  db: Db,
  show: ChangePresenter,
  changes: readonly ChangeRow[],
  { recipientsOf, urls, log }: PresentOptions,
): Promise<(readonly [number, readonly AddressedPayload[]])[]> => {
  try {
    return [...(await show(db, changes, recipientsOf, urls))]
  } catch (err) {
    // If it were skipped for lack of a connection, its recipients would miss it.
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
