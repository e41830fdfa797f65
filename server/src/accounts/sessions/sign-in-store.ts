import { loginName } from '@afterglow/contract/normalization'
import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../../platform/database/database.ts'

/* The SQL of signing in. */

/** Where somebody signs in: the device they name, which anyone could name, and their network, which they cannot choose. */
export type SignInPlace = { deviceId: string; network: string }

/** Hashed per person, so that one place of several people cannot be recognised as the same. */
const hashOf = (userId: RawBuilder<unknown>, kind: 'device' | 'network', value: string) =>
  sql`sha256(convert_to(concat_ws(' ', ${userId}, ${kind}::text, ${value}::text), 'UTF8'))`

type LoginRow = {
  folded: string
  id: number | null
  password_hash: string | null
  status: number
  knows_device: boolean
  knows_network: boolean
}

/**
 * Who signs in under a name, with the most specific meaning first: e-mail address, username, the local option's
 * identifier. This order makes an identifier that looks like somebody else's e-mail address worthless. `folded` is the
 * name as the database compares it: JavaScript folds some letters differently. An account from before addresses had one
 * spelling keeps its own if another has the mailbox. A device is known while it is signed in,
 * and it and its network for a while after that.
 */
export const findByLogin = async (db: Db, login: string, { deviceId, network }: SignInPlace) => {
  const mailbox = loginName(login)
  const knows = (kind: 'device' | 'network', value: string) =>
    sql`exists (select from known_places k where k.user_id = found.id and k.place = ${hashOf(sql`found.id`, kind, value)})`
  const { rows } = await sql<LoginRow>`
    select lower(${mailbox}) as folded, found.id, found.password_hash, found.status,
      ${knows('network', network)} as knows_network, ${knows('device', deviceId)}
        or exists (select from devices d where d.user_id = found.id and d.device_id = ${deviceId}) as knows_device
    from (select) asked left join lateral (
      select id, password_hash, status, 1 as rank, created_at from users where lower(email) = lower(${login})
      union all
      select id, password_hash, status, 2, created_at from users where lower(email) = lower(${mailbox})
      union all
      select id, password_hash, status, 3, created_at from users where lower(username) = lower(${mailbox})
      union all
      select u.id, u.password_hash, u.status, 4, o.created_at from login_options o join users u on u.id = o.user_id
      where o.type = 1 and lower(o.identifier) in (lower(${login}), lower(${mailbox}))
      order by rank, created_at limit 1
    ) found on true`.execute(db)
  const { folded, id, password_hash, status, ...known } = rows[0] as LoginRow
  return { folded, ...known, user: id === null ? undefined : { id, password_hash, status } }
}

/** Written once a day for a place that is used all the time. */
export const notePlace = (db: Db, userId: number, { deviceId, network }: SignInPlace) => {
  const id = sql`${userId}::bigint`
  return sql`
    insert into known_places (user_id, place)
    values (${id}, ${hashOf(id, 'device', deviceId)}), (${id}, ${hashOf(id, 'network', network)})
    on conflict (user_id, place) do update set seen_at = now() where known_places.seen_at < now() - interval '1 day'`.execute(
    db,
  )
}
