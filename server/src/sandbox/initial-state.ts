import { sql } from 'kysely'
import { hashOf } from '../accounts/sessions/sessions.ts'
import type { Database } from '../platform/database/database.ts'
import { growing } from '../platform/database/growing-tables.ts'
import { tables } from '../slices.ts'

/* A sandbox's initial state: the same people, IDs and tokens each time. */

export const password = 'sandbox password'
/** When everything in the initial state happened: one row a second. */
const beganAt = '2026-06-20T18:00:00.000Z'

export const people = [
  { username: 'olivia', first: 'Olivia', last: 'Ortega', platform: 'android' },
  { username: 'gus', first: 'Gus', last: 'Grant', platform: 'ios' },
  { username: 'ana', first: 'Ana', last: 'Álvarez', platform: 'web' },
  { username: 'sam', first: 'Sam', last: 'Stranger', platform: 'android' },
] as const

type Name = (typeof people)[number]['username']

/** Bearer tokens are fixed, and worthless outside a sandbox. */
export const tokenOf = (username: string) => `sandbox-token-of-${username}`

const emailOf = (username: string) => `${username}@example.com`

/** Fills a new instance through the interface, as an app would. */
export const fillInitialState = async (url: string) => {
  const ask = async (method: string, path: string, body?: object, token?: string) => {
    const reply = await fetch(`${url}/api/${path}`, {
      method,
      headers: {
        ...(body && { 'content-type': 'application/json' }),
        ...(token && { authorization: `Bearer ${token}` }),
      },
      ...(body && { body: JSON.stringify(body) }),
    })
    if (!reply.ok) throw new Error(`${method} ${path}: ${reply.status} ${await reply.text()}`)
    return reply.json()
  }

  const tokens = new Map<Name, string>()
  for (const { username, first, last, platform } of people) {
    const { token } = await ask('POST', 'account/register', {
      user_first_name: first,
      user_last_name: last,
      user_username: username,
      user_email: emailOf(username),
      user_password: password,
      user_password_confirmation: password,
      user_login_option_type: 1,
      device_id: `phone of ${username}`,
      user_timezone: 'Europe/Madrid',
      user_device_platform: platform,
    })
    tokens.set(username, token)
    if (platform !== 'web')
      await ask(
        'POST',
        'account/device',
        { push_token: platform === 'ios' ? 'ab'.repeat(32) : `push of ${username}` },
        token,
      )
  }
  const as = (name: Name) => (method: string, path: string, body?: object) => ask(method, path, body, tokens.get(name))
  const [olivia, gus, ana, sam] = [as('olivia'), as('gus'), as('ana'), as('sam')]

  const { id: event_id, group_chat_id } = await olivia('POST', 'event', {
    event_name: 'Midsummer by the lake',
    event_starts_at: '2027-06-21T18:00:00.000Z',
    event_timezone: 'Europe/Madrid',
    event_visibility: 1,
    event_join_mode: 2,
  })
  for (const guest of [gus, ana]) await guest('POST', `event/join/request/${event_id}`)
  for (const user_id of [2, 3]) await olivia('PUT', `event/join/requests/approve/${event_id}/${user_id}`)
  await sam('POST', `event/join/request/${event_id}`)
  await olivia('POST', 'message', { group_chat_id, message_content: 'Who brings the lanterns?' })
  await gus('POST', 'message', { group_chat_id, message_content: 'I have twelve.' })
  await ana('POST', 'message', { group_chat_id, message_content: 'And I have matches.' })
}

/**
 * Fixes values that a service chooses or takes from its clock. `db` is the superuser's, of a database nobody serves.
 */
export const fixInitialState = async (db: Database) => {
  const passing = growing(tables).map(({ table }) => table)
  await db.transaction().execute(async tx => {
    // Its notifications would ring after each reset.
    for (const table of ['unnotified_changes', 'notifications', 'ring_budgets', 'jobs'])
      await sql`delete from ${sql.table(table)}`.execute(tx)
    // No trigger takes this for an act.
    await sql`set local session_replication_role = replica`.execute(tx)
    for (const { username } of people)
      await sql`
        update devices set token_hash = ${hashOf(tokenOf(username))}, token_expires_at = '9999-12-31'
        where user_id = (select id from users where username = ${username})`.execute(tx)
    await sql`update users set status = 1`.execute(tx)
    const { rows } = await sql<{ table: string; column: string; numbered: boolean }>`
      select c.table_name as table, c.column_name as column, exists (select from information_schema.columns i
        where i.table_schema = 'public' and i.table_name = c.table_name and i.column_name = 'id'
          and i.data_type = 'bigint') as numbered
      from information_schema.columns c join information_schema.tables t using (table_schema, table_name)
      where c.table_schema = 'public' and t.table_type = 'BASE TABLE' and c.data_type = 'timestamp with time zone'
        and c.is_generated = 'NEVER'
        and c.table_name <> all(${passing}::text[])`.execute(tx)
    for (const { table, column, numbered } of rows)
      await sql`
        update ${sql.table(table)}
        set ${sql.ref(column)} = ${beganAt}::timestamptz + ${numbered ? sql`id` : sql`0`} * interval '1 second'
        where ${sql.ref(column)} between now() - interval '1 hour' and now() + interval '1 minute'`.execute(tx)
  })
}
