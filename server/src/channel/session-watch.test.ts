import { sql } from 'kysely'
import { expect, test, vi } from 'vitest'
import { openTestApp } from '../../test/app.ts'
import { enter, type Member } from '../../test/cast.ts'
import { listen } from '../../test/channel.ts'
import { later } from '../../test/later.ts'
import { evening } from '../../test/party.ts'

const app = await openTestApp()

const secondDevice = {
  user_login_option_type: 1,
  device_id: 'tablet',
  user_timezone: 'UTC',
  user_device_platform: 'web',
}
const signIn = async ({ email, password }: Member, device_id = 'tablet') => {
  const { token } = await app
    .as()
    .accounts.authenticate({ ...secondDevice, device_id, user_login_id: email, user_password: password })
  return { token, api: app.as(token) }
}

/** Everything that ends the session of a phone, and nothing else of its owner's. */
const ends: Record<string, (member: Member, tablet: Awaited<ReturnType<typeof signIn>>) => Promise<unknown>> = {
  'signing out': ({ api }) => api.accounts.logout(),
  'taking the device off the account': ({ username }, { api }) =>
    api.accounts.removeDevice({ device_id: `phone of ${username}` }),
  'signing in again on the device': member => signIn(member, `phone of ${member.username}`),
  'changing the password elsewhere': ({ password }, { api }) =>
    api.accounts.updatePassword({
      current_password: password,
      user_password: 'another password',
      user_password_confirmation: 'another password',
    }),
  'the end of its time, known to the database alone': ({ username }) =>
    sql`update devices set token_expires_at = now() where device_id = ${`phone of ${username}`}`.execute(app.db),
  'its deletion by hand': ({ username }) =>
    sql`delete from devices where device_id = ${`phone of ${username}`}`.execute(app.db),
}

test.each(Object.entries(ends))('%s closes the socket of the device within a second, and no other', async (_, end) => {
  const member = await enter(app, 'gus')
  const tablet = await signIn(member)
  const [phone, other] = await Promise.all([listen(app, member), listen(app, tablet)])
  await end(member, tablet)
  await vi.waitFor(() => expect(phone.states).toMatchObject({ lost: 1, signedOut: 1 }), {
    timeout: 60_000,
    interval: 5,
  })
  const { id } = await tablet.api.events.saveEvent(evening())
  await tablet.api.events.cancelEvent({ event_id: id })
  await other.next('event.cancelled')
  expect(phone.kinds()).toEqual([])
  expect(other.states).toMatchObject({ lost: 0, live: 1 })
})

test('suspension by hand closes every socket of the account within a second', async () => {
  const member = await enter(app, 'gus')
  const listeners = await Promise.all([listen(app, member), listen(app, await signIn(member))])
  await sql`update users set status = 3 where id = ${member.id}`.execute(app.db)
  for (const { states } of listeners)
    await vi.waitFor(() => expect(states).toMatchObject({ lost: 1, signedOut: 1 }), { timeout: 60_000, interval: 5 })
})

test('a token that ends by itself closes its socket', async () => {
  const member = await enter(app, 'gus')
  await sql`update devices set token_expires_at = now() + interval '1 second' where user_id = ${member.id}`.execute(
    app.db,
  )
  const phone = await listen(app, member)
  await vi.waitFor(() => expect(phone.states.signedOut).toBe(1), { timeout: 60_000, interval: 5 })
})

test('a renewed token keeps the socket; the old one ends with its minute', async () => {
  const member = await enter(app, 'gus')
  const phone = await listen(app, member)
  await member.api.accounts.refreshToken()
  const { id } = await member.api.events.saveEvent(evening())
  await member.api.events.cancelEvent({ event_id: id })
  await phone.next('event.cancelled')
  expect(phone.states.lost).toBe(0)
  await sql`update devices set previous_token_expires_at = now() where user_id = ${member.id}`.execute(app.db)
  await vi.waitFor(() => expect(phone.states.signedOut).toBe(1), { timeout: 60_000, interval: 5 })
})

test('a session that ends while its socket is being opened leaves none open', async () => {
  const members = await Promise.all(Array.from({ length: 12 }, () => enter(app, 'gus')))
  const opened = await Promise.all(
    members.map(async (member, at) => {
      const listening = later(listen(app, member, { fromNow: false }))
      await new Promise(resolve => setTimeout(resolve, at))
      await sql`delete from devices where user_id = ${member.id}`.execute(app.db)
      return listening
    }),
  )
  for (const { states } of opened) await vi.waitFor(() => expect(states.signedOut).toBe(1), { timeout: 60_000 })
})
