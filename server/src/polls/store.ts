import { type RawBuilder, sql } from 'kysely'
import type { Person } from '../accounts/persons.ts'
import { personBeside } from '../accounts/persons-sql.ts'
import { standsTo } from '../events/standing-sql.ts'
import type { Db, Transaction } from '../platform/database/database.ts'
import { allRows, anyRow, firstRow, run } from '../platform/database/rows.ts'

/* Every change to a poll expects its chat to be locked: that lock orders the votes. */

export type NewPoll = { choices: readonly string[]; multiple: boolean; anonymous: boolean; closesAt: Date | undefined }

/** The choices below the question, in the text of the message. */
export const choicesAsText = ({ choices }: { choices: readonly string[] }) =>
  choices.map(choice => `\n• ${choice}`).join('')

const isOpen = sql`coalesce(closes_at > clock_timestamp(), true)`

/** False if the poll would be closed already. */
export const insertPoll = (tx: Transaction, messageId: number, poll: NewPoll) => anyRow(tx)`
    insert into polls (message_id, choices, multiple, anonymous, closes_at)
    select * from (
      select ${messageId}::bigint, ${poll.choices}::text[], ${poll.multiple}::boolean, ${poll.anonymous}::boolean,
        ${poll.closesAt ?? null}::timestamptz as closes_at) made
    where ${isOpen} returning message_id`

export const findPoll = (db: Db, messageId: number) =>
  firstRow<{ choices_count: number; multiple: boolean; anonymous: boolean; open: boolean }>(db)`
    select cardinality(choices) as choices_count, multiple, anonymous, ${isOpen} as open
    from polls where message_id = ${messageId}`

export const setClosed = async (tx: Transaction, messageId: number, closed: boolean) => {
  const { numAffectedRows } = await sql`
    update polls set closes_at = ${closed ? sql`clock_timestamp()` : null}
    where message_id = ${messageId} and (${isOpen}) = ${closed}`.execute(tx)
  return numAffectedRows === 1n
}

/** Replaces a person's votes. False if nothing changes. */
export const setVotes = (tx: Transaction, messageId: number, userId: number, choices: readonly number[]) => anyRow(tx)`
    with gone as (
      delete from poll_votes
      where message_id = ${messageId} and user_id = ${userId} and choice <> all(${choices}::integer[]) returning 1
    ), given as (
      insert into poll_votes (message_id, choice, user_id)
      select ${messageId}, choice, ${userId} from unnest(${choices}::integer[]) choice on conflict do nothing returning 1
    )
    select from gone union all select from given`

export type PollRow = {
  message_id: number
  content: string
  choices: string[]
  multiple: boolean
  anonymous: boolean
  closes_at: Date | null
  /** How many people chose each option. */
  votes: number[]
  voters: number
}

/** Polls with their votes counted. */
export const readPolls = (db: Db, messageIds: readonly number[]) => allRows<PollRow>(db)`
    select p.*, m.content, counted.votes, (
      select count(distinct v.user_id)::int from poll_votes v where v.message_id = p.message_id) as voters
    from polls p join messages m on m.id = p.message_id cross join lateral (
      select array_agg(coalesce(v.votes, 0)::int order by n) as votes
      from generate_series(1, cardinality(p.choices)) n left join (
        select choice, count(*) as votes from poll_votes where message_id = p.message_id group by choice
      ) v on v.choice = n) counted
    where p.message_id = any(${messageIds}::bigint[]) order by p.message_id`

/** The choices of each of these people in these polls. */
export const votesOf = (db: Db, messageIds: readonly number[], userIds: readonly number[]) =>
  allRows<{ message_id: number; user_id: number; choices: number[] }>(db)`
    select message_id, user_id, array_agg(choice order by choice) as choices from poll_votes
    where message_id = any(${messageIds}::bigint[]) and user_id = any(${userIds}::bigint[])
    group by message_id, user_id`

/** People who chose an option, in the order of their votes; bounded by the people of one event. */
export const listVoters = (
  db: Db,
  { messageId, choice }: { messageId: number; choice: number },
  { offset, limit }: { offset: number; limit: number },
) => allRows<Person>(db)`
    select u.id, ${personBeside} from poll_votes v join users u on u.id = v.user_id
    where v.message_id = ${messageId} and v.choice = ${choice}
    order by v.voted_at, v.user_id offset ${offset} limit ${limit}`

/** A person's polls, and whether that person may still see each result. */
export const pollsOf = async (db: Db, userId: number) => {
  const { rows } = await sql<{ message_id: number; content: string; choices: string[]; seen: boolean }>`
    select p.message_id, m.content, p.choices, ${standsTo(userId)} as seen
    from polls p join messages m on m.id = p.message_id join group_chats c on c.id = m.group_chat_id
      join events e on e.id = c.event_id
    where m.user_id = ${userId} order by p.message_id`.execute(db)
  return rows.map(({ content, ...poll }) => ({ ...poll, question: content.slice(0, -choicesAsText(poll).length) }))
}

export const votesBy = (db: Db, userId: number) => allRows<object>(db)`
    select v.message_id, p.choices[v.choice] as choice, v.voted_at
    from poll_votes v join polls p on p.message_id = v.message_id
    where v.user_id = ${userId} order by v.message_id, v.choice`

/** Deletes a person's votes, and their polls in events that nobody sees any more. */
export const deletePollTraces = async (db: Db, userId: number) => {
  await sql`delete from poll_votes where user_id = ${userId}`.execute(db)
  await sql`
    delete from polls p using messages m, group_chats c, events e
    where m.id = p.message_id and m.user_id = ${userId} and c.id = m.group_chat_id and e.id = c.event_id
      and e.deleted_at is not null`.execute(db)
}

export const deletePollsOf = (db: Db, eventId: number) => run(db)`
    delete from polls p using messages m, group_chats c
    where m.id = p.message_id and c.id = m.group_chat_id and c.event_id = ${eventId}`

export const pollRecounts: Record<string, RawBuilder<unknown>> = {
  'a vote is for a choice that its poll does not have': sql`
    select v.message_id as id from poll_votes v join polls p using (message_id)
    where v.choice not between 1 and cardinality(p.choices)`,
  'somebody has two votes in a poll of a single choice': sql`
    select message_id as id from poll_votes v join polls p using (message_id)
    where not p.multiple group by message_id, user_id having count(*) > 1`,
}
