import { sql } from 'kysely'
import type { Noticing } from '../notifications/notices.ts'

/** Requests that still stand, and stay until the transaction ends. */
export const peopleNoticing: Noticing = {
  'friend.requested': async (tx, changes) => {
    const { rows } = await sql<{ id: number; actor_id: number; user_id: number; actor: string }>`
      select c.id, c.actor_id, c.user_id, concat_ws(' ', a.first_name, nullif(a.last_name, '')) as actor
      from changes c join friend_requests r on r.asker_id = c.actor_id and r.asked_id = c.user_id
        join users a on a.id = c.actor_id
      where c.id = any(${changes.map(change => change.id)}::bigint[])
      order by r.asker_id, r.asked_id for share of r`.execute(tx)
    return new Map(
      rows.map(({ id, actor_id, user_id, actor }) => [
        id,
        [
          {
            kind: 'friend_request',
            to: [user_id],
            title: 'Friend request',
            body: `${actor} asks to be your friend.`,
            link: '/friends',
            eventId: null,
            subjectId: actor_id,
            tag: `friend_request:${actor_id}`,
            reason: 'You were asked.',
          },
        ],
      ]),
    )
  },
}
