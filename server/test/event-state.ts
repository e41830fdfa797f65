import { sql } from 'kysely'
import { expect } from 'vitest'
import type { Database } from '../src/platform/database/database.ts'

const tables = {
  events: 'id',
  group_chats: 'event_id',
  guests: 'event_id',
  join_requests: 'event_id',
  invitations: 'event_id',
}

/** All rows about the people of an event, as text: equal before and after an operation that must write nothing. */
export const eventState = async (db: Database, eventId: number): Promise<string[]> => {
  const states = Object.entries(tables).map(async ([table, column]) => {
    const { rows } = await sql<{ row: string }>`
      select ${sql.ref(table)}::text as row from ${sql.table(table)} where ${sql.ref(column)} = ${eventId} order by 1`.execute(
      db,
    )
    return rows.map(({ row }) => `${table} ${row}`)
  })
  return (await Promise.all(states)).flat()
}

/** Runs an operation that must leave an event unchanged. */
export const unchanged = async <Result>(
  db: Database,
  eventId: number,
  work: () => Promise<Result>,
): Promise<Result> => {
  const before = await eventState(db, eventId)
  const result = await work()
  expect(await eventState(db, eventId)).toEqual(before)
  return result
}

/** Events whose stored guest count differs from a recount, or that nobody can manage. Always none. */
export const wrongEvents = async (db: Database) => {
  const { rows } = await sql`
    select e.id, e.guests_count, count(g.user_id) as counted, count(g.user_id) filter (where g.role = 'owner') as owners
    from events e left join guests g on g.event_id = e.id and g.ended_at is null and g.role <> 'drop'
    group by e.id
    having e.guests_count <> count(g.user_id) or count(g.user_id) filter (where g.role = 'owner') <> 1`.execute(db)
  return rows
}
