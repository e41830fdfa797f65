import type { Role, Standing } from '@afterglow/contract/capabilities'
import type * as event from '@afterglow/contract/events/event'
import { type Insertable, type RawBuilder, type Selectable, sql } from 'kysely'
import type { z } from 'zod'
import { notSuspended } from '../accounts/persons-sql.ts'
import type { Db, Transaction } from '../platform/database/database.ts'
import { allRows, anyRow, firstRow, run } from '../platform/database/rows.ts'
import type { Events } from '../platform/database/schema.ts'
import { inTime } from './deletion/deletion-sql.ts'
import { listed } from './event-list-sql.ts'
import type { Manageable, May } from './standing.ts'
import { fewMay, ownerId, roleMay } from './standing-sql.ts'

type PhotoApproval = z.output<typeof event.PhotoApproval>
type Theme = z.output<typeof event.EventTheme>

/** An event together with the viewer's standing. */
export type EventRow = Omit<
  Selectable<Events>,
  | 'barred'
  | 'created_by'
  | 'erased_at'
  | 'over_at'
  | 'photo_approval'
  | 'photos_per_guest'
  | 'planned_at'
  | 'revision'
  | 'theme'
> & {
  theme: Theme | null
  photo_approval: PhotoApproval
  chat_id: number
  standing: Standing
  /** There is no organizer except possibly the viewer. */
  no_other_organizer: boolean
  /** Null only for an event that nobody is in any more. */
  owner_id: number | null
  /** The owner has offered it to the viewer. */
  offered: boolean
  /** People who are not in it may know of it. */
  listed: boolean
}

export type Range = { offset: number; limit: number }

const eventColumns = sql`
  e.id, e.name, e.description, e.starts_at, e.ends_at, e.timezone, e.location, e.visibility, e.join_mode, e.status,
  e.attachments_to_album, e.guests_may_share, e.greetings_on_wall, e.location_hidden, e.guests_hidden, e.page_lives, e.photo_approval, e.theme, e.avatar_media_id, e.avatar_ending, e.guests_count, e.media_epoch, e.offered_to, e.again_of,
  e.created_at, e.updated_at, e.deleted_at, c.id as chat_id, ${listed} as listed,
  ${ownerId} as owner_id`
const isManager = fewMay(sql`o.role`, 'manage')
// The view has at most one row per pair, so a scalar subquery is safe; it costs four index lookups per row of a page.
const columns = (viewerId: number) => sql`
  ${eventColumns},
  coalesce((select s.standing from standings s where s.event_id = e.id and s.user_id = ${viewerId}
    and ${notSuspended(viewerId)}), 'none') as standing,
  not exists (select from members o where o.event_id = e.id and ${isManager}
    and o.user_id <> ${viewerId}) as no_other_organizer,
  coalesce(e.offered_to = ${viewerId}, false) as offered`

export const readEvent = (db: Db, viewerId: number, id: number) => firstRow<EventRow>(db)`
    select ${columns(viewerId)} from events e join group_chats c on c.event_id = e.id
    where e.id = ${id} and e.deleted_at is null`

/** Events that still exist, by ID. */
export const eventsById = async (db: Db, viewerId: number, ids: readonly number[]) => {
  const { rows } = await sql<EventRow>`
    select ${columns(viewerId)} from events e join group_chats c on c.event_id = e.id
    where e.id = any(${ids}::bigint[]) and e.deleted_at is null`.execute(db)
  return new Map(rows.map(row => [row.id, row]))
}

/**
 * Events as everybody with a given role sees them, in the order requested; undefined for a deleted one.
 */
export const eventsAsSeenBy = async (
  db: Db,
  asked: readonly { eventId: number; standing: Role }[],
): Promise<(EventRow | undefined)[]> => {
  const { rows } = await sql<EventRow & { n: number }>`
    select a.n, ${eventColumns}, a.standing, (select count(*) from members o
      where o.event_id = e.id and ${isManager}) = 1 as no_other_organizer, false as offered
    from unnest(${asked.map(each => each.eventId)}::bigint[], ${asked.map(each => each.standing)}::text[])
      with ordinality a (event_id, standing, n)
    join events e on e.id = a.event_id and e.deleted_at is null join group_chats c on c.event_id = e.id`.execute(db)
  const found: (EventRow | undefined)[] = asked.map(() => undefined)
  for (const { n, ...row } of rows) found[n - 1] = row
  return found
}

/** How many people are currently in each of these events, and whether guests see who. */
export const guestsCounts = async (db: Db, ids: readonly number[]) => {
  const { rows } = await sql<{ id: number; guests_count: number; guests_hidden: boolean }>`
    select id, guests_count, guests_hidden from events where id = any(${ids}::bigint[])`.execute(db)
  return new Map(rows.map(row => [row.id, row]))
}

/**
 * Locks the event for the rest of the transaction: everything that changes who is in it waits here, so counts and the
 * last organizer are decided one after another. Rows that merely refer to the event are not affected. False if it does
 * not exist (any more).
 */
export const lockEvent = (tx: Transaction, id: number) =>
  anyRow(tx)`select from events where id = ${id} and deleted_at is null for no key update`

export type EventList = 'mine' | 'upcoming' | 'past' | 'hosting' | 'public' | 'deleted'

const own = (viewerId: number, which: RawBuilder<unknown>) =>
  sql`members m join events e on e.id = m.event_id
    where m.user_id = ${viewerId} and e.deleted_at is null ${which}`

/** The source and order of each list. The public one scans its index from the current time on. */
const lists: Record<EventList, (viewerId: number) => { from: RawBuilder<unknown>; order: RawBuilder<unknown> }> = {
  mine: viewerId => ({ from: own(viewerId, sql``), order: sql`e.starts_at desc, e.id desc` }),
  upcoming: viewerId => ({ from: own(viewerId, sql`and e.over_at >= now()`), order: sql`e.starts_at, e.id` }),
  past: viewerId => ({ from: own(viewerId, sql`and e.over_at < now()`), order: sql`e.starts_at desc, e.id desc` }),
  hosting: viewerId => ({
    from: own(viewerId, sql`and ${roleMay(sql`m.role`, 'manage')}`),
    order: sql`e.starts_at desc, e.id desc`,
  }),
  public: () => ({
    from: sql`events e where e.visibility = 1 and e.status = 1 and e.deleted_at is null and e.over_at >= now() and ${listed}`,
    order: sql`e.over_at, e.id`,
  }),
  deleted: viewerId => ({
    from: sql`members m join events e on e.id = m.event_id where m.user_id = ${viewerId} and ${roleMay(sql`m.role`, 'own')}
      and ${inTime} and e.barred is distinct from 'deleted'`,
    order: sql`e.deleted_at desc, e.id desc`,
  }),
}

export const listEvents = async (db: Db, viewerId: number, list: EventList, { offset, limit }: Range) => {
  const { from, order } = lists[list](viewerId)
  // The page is cut by ID first: skipped events cost no standing.
  return allRows<EventRow>(db)`
    select ${columns(viewerId)}
    from (select e.id from ${from} order by ${order} offset ${offset} limit ${limit}) page
    join events e on e.id = page.id join group_chats c on c.event_id = e.id
    order by ${order}`
}

/** Undefined: unchanged, or the default for a new event. */
export type EventDetails = Partial<
  Pick<
    Insertable<Events>,
    | 'name'
    | 'description'
    | 'starts_at'
    | 'ends_at'
    | 'location'
    | 'timezone'
    | 'visibility'
    | 'join_mode'
    | 'attachments_to_album'
    | 'guests_may_share'
    | 'greetings_on_wall'
    | 'location_hidden'
    | 'guests_hidden'
    | 'page_lives'
    | 'photo_approval'
    | 'theme'
    | 'avatar_media_id'
  >
>

/** A new event, in its owner's time zone unless it names one. Returns its ID. */
export const insertEvent = async (
  tx: Transaction,
  ownerId: number,
  details: EventDetails & Required<Pick<EventDetails, 'name' | 'starts_at'>>,
) => {
  const { id } = await tx
    .insertInto('events')
    .values(eb => ({
      ...details,
      timezone:
        details.timezone ??
        eb.selectFrom('users').select('users.timezone').where('users.id', '=', ownerId).$asScalar().$notNull(),
      created_by: ownerId,
      guests_count: 1,
    }))
    .returning('id')
    .executeTakeFirstOrThrow()
  await tx.insertInto('group_chats').values({ event_id: id }).execute()
  await tx.insertInto('guests').values({ event_id: id, user_id: ownerId, role: 'owner' }).execute()
  return id
}

/** Later than any earlier version, whatever the clock says, so that an edit of an outdated version is detected. */
const renewed = sql<Date>`greatest(clock_timestamp(), updated_at + interval '1 millisecond')`

export const updateEvent = (tx: Transaction, { id }: EventRow & Manageable, details: EventDetails) =>
  tx
    .updateTable('events')
    .set({
      ...details,
      ...(details.starts_at && {
        planned_at: sql`case when starts_at = ${details.starts_at} then planned_at else now() end`,
      }),
      updated_at: renewed,
    })
    .where('id', '=', id)
    .execute()

export const setGreetings = (tx: Transaction, { id }: EventRow & May<'moderate'>, shown: boolean) =>
  run(tx)`update events set greetings_on_wall = ${shown}, updated_at = ${renewed} where id = ${id}`

/** Sets the status of the event and its chat, which is closed while the event is cancelled. */
export const setStatus = async (tx: Transaction, { id }: EventRow & Manageable, status: 1 | 2) => {
  await tx.updateTable('events').set({ status, updated_at: renewed }).where('id', '=', id).execute()
  await tx.updateTable('group_chats').set({ status }).where('event_id', '=', id).execute()
}
