import type { Client } from 'pg'
import { tokenOf } from './fill/sessions.ts'
import { sociable } from './fill/size.ts'

export type Member = { event: number; userId: number; token: string }

/** Of each of the events (whose chats have the same ids) so many guests, who are in few others. */
export const membersOf = async (db: Client, events: { from: number; to: number }, each: number): Promise<Member[]> => {
  const { rows } = await db.query<{ event: number; user: number }>(
    `select event, "user" from (
       select event_id::int as event, user_id::int as "user", row_number() over (partition by event_id order by joined_at, user_id) as n
       from guests where event_id between $1 and $2 and user_id > $3 and ended_at is null
     ) members where n <= $4 order by event, n`,
    [events.from, events.to, sociable, each],
  )
  return rows.map(({ event, user }) => ({ event, userId: user, token: tokenOf(user) }))
}
