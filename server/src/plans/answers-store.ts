import { userStatus } from '@afterglow/contract/accounts/user'
import { plusOnesMax } from '@afterglow/contract/limits'
import type { albumFor } from '@afterglow/contract/plan-fields'
import { type RawBuilder, sql } from 'kysely'
import type { Person } from '../accounts/persons.ts'
import { notSuspended, personBeside } from '../accounts/persons-sql.ts'
import { roleMay } from '../events/standing-sql.ts'
import type { Db, Transaction } from '../platform/database/database.ts'
import { allRows, firstRow, oneRow, run } from '../platform/database/rows.ts'

/* The SQL of answers and places. Writes expect the event to be locked. */

export type Answer = 'going' | 'maybe' | 'no'

export type AnswerRow = {
  answer: Answer
  plus: number
  plus_names: string | null
  note: string | null
  seated: boolean
  line: number | null
  answered_at: Date
  /** The former beginning that it was given for, if the event has moved to another day since. */
  former_start: Date | null
}

const columns = sql`a.answer, a.plus, a.plus_names, a.note, a.seated, a.line, a.answered_at,
  answered_for(a.event_id, a.answered_at) as former_start`

export const answerOf = (db: Db, eventId: number, userId: number) => firstRow<AnswerRow>(db)`
    select ${columns} from answers a where a.event_id = ${eventId} and a.user_id = ${userId}`

export type Counts = {
  /** The event has ended. */
  over: boolean
  places: number | null
  plusMax: number
  taken: number
  line: number
  maybe: number
  no: number
  unanswered: number
  /** Guests whose answer was for another day. */
  unconfirmed: number
  /** Parties in the line before one of this number. */
  before: number
}

/** How many people come, with whom they bring; organizers who have not answered are not asked. */
export const countAnswers = (db: Db, eventId: number, line: number | null = null) => oneRow<Counts>(db)`
    select (select p.places from event_plans p where p.event_id = ${eventId}) as places,
      coalesce((select p.plus_max from event_plans p where p.event_id = ${eventId}), ${plusOnesMax}) as "plusMax",
      (select e.over_at <= now() from events e where e.id = ${eventId}) as over,
      coalesce(sum(1 + a.plus) filter (where a.seated), 0)::int as taken,
      coalesce(sum(1 + a.plus) filter (where a.line is not null), 0)::int as line,
      count(*) filter (where a.answer = 'maybe')::int as maybe,
      count(*) filter (where a.answer = 'no')::int as no,
      count(*) filter (where a.line < ${line}::bigint)::int as before,
      (select count(*) from members m where m.event_id = ${eventId} and ${unanswered})::int as unanswered,
      (select count(*) from members m where m.event_id = ${eventId} and ${unconfirmed})::int as unconfirmed
    from answers a where a.event_id = ${eventId}`

type StoredAnswer = Pick<AnswerRow, 'answer' | 'plus' | 'plus_names' | 'note' | 'seated'>

/** People already in the line keep their number. */
export const saveAnswer = async (tx: Transaction, eventId: number, userId: number, kept: StoredAnswer) => {
  const waits = kept.answer === 'going' && !kept.seated
  await sql`
    insert into answers as a (event_id, user_id, answer, plus, plus_names, note, seated, line, answered_at)
    values (${eventId}, ${userId}, ${kept.answer}, ${kept.plus}, ${kept.plus_names}, ${kept.note}, ${kept.seated},
      case when ${waits}::boolean then ${lastInLine(eventId)} end, clock_timestamp())
    on conflict (event_id, user_id) do update set answer = excluded.answer, plus = excluded.plus,
      plus_names = excluded.plus_names, note = excluded.note, seated = excluded.seated,
      line = case when ${waits}::boolean then coalesce(a.line, excluded.line) end,
      answered_at = excluded.answered_at`.execute(tx)
}

const lastInLine = (eventId: number) => sql`(
  select coalesce(max(line), 0) + 1 from answers where event_id = ${eventId})`

/** Gives free seats to the line, and tells who got one. */
export const moveLine = (tx: Transaction, eventId: number) => run(tx)`select move_line(${eventId})`

export type AlbumFor = (typeof albumFor)[number]
type Plan = { places: number | null } | { album_for: AlbumFor } | { plus_max: number }

export const savePlan = (tx: Transaction, eventId: number, plan: Plan) =>
  tx
    .insertInto('event_plans')
    .values({ event_id: eventId, ...plan })
    .onConflict(conflict => conflict.column('event_id').doUpdateSet(plan))
    .execute()

/** How many others somebody brings at most. */
export const mostPlus = async (tx: Transaction, eventId: number) => {
  const { rows } = await sql<{ most: number }>`
    select coalesce(max(plus), 0) as most from answers where event_id = ${eventId} and answer <> 'no'`.execute(tx)
  return rows[0]?.most ?? 0
}

/** To the front of the line. False if they are there already. */
export const moveToFront = async (tx: Transaction, eventId: number, userId: number) => {
  const { numAffectedRows } = await sql`
    update answers a set line = front.line - 1
    from (select min(line) as line from answers where event_id = ${eventId}) front
    where a.event_id = ${eventId} and a.user_id = ${userId} and a.line > front.line`.execute(tx)
  return numAffectedRows === 1n
}

/** Some of those who come, the first to say so first: none who hides from searches. */
export const listGoing = (db: Db, eventId: number, limit: number) => allRows<Person>(db)`
    select u.id, ${personBeside} from answers a join users u on u.id = a.user_id
    where a.event_id = ${eventId} and a.seated and u.visible and ${notSuspended(sql`u.id`)}
    order by a.answered_at, u.id limit ${limit}`

export type GuestAnswerRow = Person & Partial<AnswerRow> & { added: boolean }

const rank = sql`case when a.seated then 1 when a.line is not null then 2 when a.answer = 'maybe' then 3
  when a.answer = 'no' then 4 else 5 end`

/** Companions already named by others who came by the same link without a password; null for a person with one. */
export const plusOfNames = async (db: Db, eventId: number, userId: number) => {
  const { rows } = await sql<{ brought: number | null }>`
    select case when u.status = ${sql.lit(userStatus.guest)} then (
      select coalesce(sum(a.plus), 0)::int from answers a join users o on o.id = a.user_id
      where a.event_id = ${eventId} and a.answer = 'going' and o.status = u.status and o.id <> u.id
        and o.came_by is not distinct from u.came_by) end as brought
    from users u where u.id = ${userId}`.execute(db)
  return rows[0]?.brought ?? null
}

/** Everybody in the event with their answer: those who come, the line, maybe, no, and who has not answered. */
export const listAnswers = async (
  db: Db,
  eventId: number,
  page?: { offset: number; limit: number },
  userId?: number,
): Promise<GuestAnswerRow[]> => {
  const cut: RawBuilder<unknown> = page ? sql`offset ${page.offset} limit ${page.limit}` : sql``
  return allRows<GuestAnswerRow>(db)`
    select u.id, ${personBeside}, ${columns}, u.added_to is not null as added
    from members m join users u on u.id = m.user_id
      left join answers a on a.event_id = m.event_id and a.user_id = m.user_id
    where m.event_id = ${eventId} ${userId === undefined ? sql`` : sql`and m.user_id = ${userId}`}
    order by ${rank}, a.line, a.answered_at, m.user_id ${cut}`
}

/**
 * Events that begin within three days, where some have answered and others have not; the start of each once. People who
 * joined within the last day have only just seen the question.
 */
export const takeUnanswered = (tx: Transaction) => allRows<{ event_id: number; created_by: number }>(tx)`
    with due as (
      select e.id, e.starts_at from events e
      where e.status = 1 and e.deleted_at is null
        and e.starts_at between now() + interval '1 day' and now() + interval '3 days'
        and exists (select from answers a where a.event_id = e.id)
        and exists (select from members m where m.event_id = e.id and ${asked})
    ), taken as (
      insert into asked_answers (event_id, starts_at) select id, starts_at from due on conflict do nothing
      returning event_id
    )
    select taken.event_id, e.created_by from taken join events e on e.id = taken.event_id order by taken.event_id`

/** False if they were reminded within the last day. */
export const noteReminded = async (tx: Transaction, eventId: number) => {
  const { rows } = await sql`
    insert into event_plans as p (event_id, reminded_at) values (${eventId}, now())
    on conflict (event_id) do update set reminded_at = now()
      where p.reminded_at is null or p.reminded_at < now() - interval '1 day'
    returning event_id`.execute(tx)
  return rows.length === 1
}

/** For queries with `members m`: guests and what they answered. */
const isGuest = sql`not ${roleMay(sql`m.role`, 'manage')}`
const itsAnswers = sql`select from answers b where b.event_id = m.event_id and b.user_id = m.user_id`
/** The index rules nearly all out, at a tenth of the price of the function. */
const isForAnotherDay = sql`exists (
  select from event_moves v where v.event_id = b.event_id and v.moved_at > b.answered_at)
  and answered_for(b.event_id, b.answered_at) is not null`
const unanswered = sql`(${isGuest} and not exists (${itsAnswers}))`
const unconfirmed = sql`(${isGuest} and exists (${itsAnswers} and ${isForAnotherDay}))`
/** People without a device are never asked. */
const reachable = sql`((${unanswered} or ${unconfirmed}) and not exists (select from users u where u.id = m.user_id and u.added_to is not null))`
const asked = sql`(m.joined_at < now() - interval '1 day' and ${reachable})`

/**
 * The name of a planned event, and the guests who are asked for an answer or a new one. `everyone` includes guests who
 * joined lately.
 */
export const readPendingAnswers = (db: Db, eventId: number, everyone: boolean) =>
  firstRow<{ name: string; asked: number[] }>(db)`
    select e.name, (select coalesce(json_agg(m.user_id), '[]') from members m
      where m.event_id = e.id and ${everyone ? reachable : asked}) as asked
    from events e where e.id = ${eventId} and e.status = 1 and e.deleted_at is null`

/** The name of the event, if this person has a seat in it. */
export const readSeat = (db: Db, eventId: number, userId: number) => firstRow<{ name: string }>(db)`
    select e.name from events e join answers a on a.event_id = e.id and a.user_id = ${userId} and a.seated
    where e.id = ${eventId} and e.status = 1 and e.deleted_at is null`

/** Events in which more people have a seat than there is room for. */
export const overbooked = sql`
  select p.event_id as id from event_plans p where p.places < (
    select sum(1 + a.plus) from answers a where a.event_id = p.event_id and a.seated)`

export const deleteAnswersOf = async (db: Db, userId: number) => {
  for (const table of ['answers', 'answers_away'])
    await sql`delete from ${sql.table(table)} where user_id = ${userId}`.execute(db)
}

export const eraseEventPlans = async (db: Db, eventId: number) => {
  for (const table of ['answers', 'answers_away', 'event_plans', 'asked_answers', 'event_moves', 'programme_entries'])
    await sql`delete from ${sql.table(table)} where event_id = ${eventId}`.execute(db)
}
