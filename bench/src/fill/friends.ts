import type { Client } from 'pg'
import { bulk } from './bulk.ts'
import type { Size } from './size.ts'

const friendly = 400

/** Forty friendships for each of the first four hundred people, some of them with distant IDs. */
export const fillFriends = (db: Client, { users }: Size): Promise<void> =>
  bulk(db, ['friendships'], () =>
    db.query(`
      insert into friendships (user_id, friend_id, found_by)
      select pair.one, pair.other, line_of(u)
      from (
        select n as one, 1 + (n + k * 37) % ${users} as other from generate_series(1, ${friendly}) n, generate_series(1, 20) k
        union
        select 1 + (n + k * 37) % ${users}, n from generate_series(1, ${friendly}) n, generate_series(1, 20) k
      ) pair join users u on u.id = pair.other where pair.one <> pair.other`),
  )
