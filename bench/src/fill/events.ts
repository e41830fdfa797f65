import type { Client } from 'pg'
import { bulk } from './bulk.ts'
import { guestOf } from './people-of.ts'
import { greatEvent, guestsEach, type Size, sociable, sociableEvents } from './size.ts'

/** Events with their guests, and a long queue of join requests before the great one. */
export const fillEvents = (db: Client, size: Size): Promise<void> =>
  bulk(db, ['events', 'group_chats', 'guests', 'join_requests'], async () => {
    await db.query(
      `insert into events (id, name, description, starts_at, timezone, location, created_by, created_at, updated_at)
       overriding system value
       select e, 'Evening ' || e, 'We meet at eight.', now() + (e % 60 - 20) * interval '1 day', 'Europe/Madrid',
         'Calle Mayor ' || e, 1, now() - interval '90 days', now() - interval '90 days'
       from generate_series(1, $1::int) e`,
      [size.events],
    )
    await db.query(
      `insert into guests (event_id, user_id, role, joined_at)
       select e, u, case k when 0 then 'owner' else 'guest' end, now() - interval '89 days' + k * interval '1 minute'
       from generate_series(1, $1::int) e,
         lateral (
           select k, ${guestOf('e', 'k', size)} as u from generate_series(0, ${guestsEach - 1}) k
           union all
           select 100 + k, k from generate_series(1, ${sociable}) k where e <= ${sociableEvents}
         ) guest
       where u % 500 <> 0
       order by e, u`,
      [size.events],
    )
    await db.query(
      `insert into guests (event_id, user_id, joined_at)
       select $1, u, now() - interval '80 days' + k * interval '1 second'
       from generate_series(1, $2::int) k, lateral (select ${sociable} + 1 + (k * 13) % ${size.users - sociable} as u) guest
       where u % 500 <> 0 on conflict do nothing`,
      [greatEvent, size.crowd],
    )
    await db.query('update events set guests_count = (select count(*) from guests g where g.event_id = events.id)')
    await db.query(
      `insert into join_requests (event_id, user_id, status, sequence, asked_at)
       select $1, u.id, 'asked', row_number() over (order by u.id), now() - interval '30 days' + u.id * interval '1 second'
       from users u
       where u.id > $2 and u.status <> 3 and not exists (select from guests g where g.event_id = $1 and g.user_id = u.id)
       order by u.id limit $3`,
      [greatEvent, sociable, size.asked],
    )
    await db.query(
      'update events set last_asked_sequence = (select count(*) from join_requests r where r.event_id = id)',
    )
    await db.query(
      `insert into group_chats (id, event_id, created_at) overriding system value
       select id, id, created_at from events order by id`,
    )
  })
