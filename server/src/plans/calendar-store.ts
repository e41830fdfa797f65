import { type RawBuilder, sql } from 'kysely'
import { notSuspended } from '../accounts/persons-sql.ts'
import type { Db, Transaction } from '../platform/database/database.ts'
import { anyRow, firstRow, oneRow, run } from '../platform/database/rows.ts'
import type { Holder } from '../platform/media/signed-url.ts'

/* The SQL of calendars. */

export type CalendarRow = {
  id: number
  name: string
  description: string | null
  location: string | null
  location_hidden: boolean
  starts_at: Date
  ends_at: Date | null
  timezone: string
  status: number
  revision: number
  created_at: Date
  updated_at: Date
  media_epoch: number
}

/** In somebody's own calendar, what they have not agreed to for certain is tentative. */
export type OwnCalendarRow = CalendarRow & { tentative: boolean }

const columns = sql`
  e.id, e.name, e.description, e.location, e.location_hidden, e.starts_at, e.ends_at, e.timezone, e.status, e.revision, e.created_at,
  e.updated_at, e.media_epoch`

/** One that exists. */
export const findCalendarEvent = (db: Db, eventId: number) => firstRow<CalendarRow>(db)`
    select ${columns} from events e where e.id = ${eventId} and e.deleted_at is null`

/** True if their sessions have not ended since they were given a link. */
export const holdsLinks = (db: Db, { userId, linkEpoch }: Holder) => anyRow(db)`
    select from users where id = ${userId} and link_epoch = ${linkEpoch} and status <> 3`

const eventsMax = 200

/**
 * The events that somebody is in and has not declined: those to come, the next first, and then those of the last year,
 * the latest first.
 */
const ownEvents = (userId: number, read: RawBuilder<unknown>) => sql`
  select ${read}, coalesce(not a.seated, false) as tentative
  from members m join events e on e.id = m.event_id
    left join answers a on a.event_id = m.event_id and a.user_id = m.user_id
  where m.user_id = ${userId} and e.deleted_at is null and e.over_at > now() - interval '1 year'
    and a.answer is distinct from 'no'
  order by e.over_at < now(), abs(extract(epoch from e.starts_at - now())), e.id limit ${sql.lit(eventsMax)}`

export const calendarOf = async (db: Db, userId: number) =>
  (await sql<OwnCalendarRow>`${ownEvents(userId, columns)}`.execute(db)).rows

/** A tag of the calendar's present content, and since when it is so. */
export const noteShown = async (db: Db, userId: number) => {
  const { rows } = await sql<{ shown_tag: string; changed_at: Date }>`
    with shows as (
      select md5(coalesce(string_agg(concat_ws(' ', id, revision, updated_at, tentative), ',' order by id), '')) as tag
      from (${ownEvents(userId, sql`e.id, e.revision, e.updated_at`)}) event
    ), changed as (
      update calendar_feeds f set shown_tag = shows.tag, changed_at = now() from shows
      where f.user_id = ${userId} and f.shown_tag is distinct from shows.tag returning f.shown_tag, f.changed_at
    )
    select * from changed union all
    select shown_tag, changed_at from calendar_feeds
    where user_id = ${userId} and not exists (select from changed)`.execute(db)
  return rows[0] as (typeof rows)[number]
}

export type Feed = { user_id: number; nonce: Buffer; created_at: Date; last_used_at: Date | null }

const findFeed = (db: Db, where: RawBuilder<unknown>) => firstRow<Feed>(db)`
    select f.user_id, f.nonce, f.created_at, f.last_used_at from calendar_feeds f where ${where}`

export const feedOf = (db: Db, userId: number) => findFeed(db, sql`f.user_id = ${userId}`)

/** The owner of a calendar; a suspended user has none. */
export const findFeedByCode = (db: Db, codeHash: Buffer) =>
  findFeed(db, sql`f.code_hash = ${codeHash} and ${notSuspended(sql`f.user_id`)}`)

/** Takes the place of one that was there. */
export const saveFeed = (
  tx: Transaction,
  userId: number,
  { nonce, codeHash }: { nonce: Buffer; codeHash: Buffer },
) => oneRow<Feed>(tx)`
    insert into calendar_feeds (user_id, nonce, code_hash) values (${userId}, ${nonce}, ${codeHash})
    on conflict (user_id) do update set nonce = excluded.nonce, code_hash = excluded.code_hash, created_at = now(),
      last_used_at = null
    returning user_id, nonce, created_at, last_used_at`

/** Once an hour: subscriptions ask all the time. */
export const noteFeedUsed = (db: Db, userId: number) => run(db)`
    update calendar_feeds set last_used_at = now()
    where user_id = ${userId} and coalesce(last_used_at < now() - interval '1 hour', true)`

export const deleteFeed = (db: Db, userId: number) => run(db)`delete from calendar_feeds where user_id = ${userId}`
