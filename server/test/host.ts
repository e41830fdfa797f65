import { sql } from 'kysely'
import { hashPassword } from '../src/accounts/passwords/passwords.ts'
import type { TestApp } from './app.ts'

/** A user from before registration closed. */
export const hostOf = async (app: TestApp) => {
  const host = { username: 'olivia', email: 'olivia@example.com', password: 'olivia-has-a-password' }
  await sql`with host as (insert into users (first_name, last_name, username, email, timezone, password_hash)
      values ('Olivia', 'Ortega', ${host.username}, ${host.email}, 'UTC', ${await hashPassword(host.password)}) returning id)
    insert into login_options (user_id, type, identifier) select id, 1, ${host.email} from host`.execute(app.db)
  const { user, token } = await app.as().accounts.authenticate({
    user_login_option_type: 1,
    user_login_id: host.email,
    user_password: host.password,
    device_id: 'the device of the host',
    user_device_platform: 'web',
    user_timezone: 'UTC',
  })
  return { ...host, id: user.id, api: app.as(token) }
}
