import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { openTestApp } from '../../test/app.ts'
import { enter } from '../../test/cast.ts'
import { evening } from '../../test/party.ts'

const app = await openTestApp()
const victim = await enter(app, 'olivia')
const { id: victims_event } = await victim.api.events.saveEvent(evening({ event_name: 'Mine' }))
const { link_code: code } = await victim.api.links.makeLink({ event_id: victims_event })

const fields = {
  id: victim.id,
  user_id: victim.id,
  viewer: { id: victim.id },
  user_status: 1,
  status: 1,
  status_before: 1,
  operator: true,
  is_admin: true,
  role: 'admin',
  event_role: 'organizer',
  organizer: true,
  event_owner: true,
  plan_title: 'Gold',
  plan_pricing: 99,
  subscription_plan: { subscription_plan_title: 'Gold', subscription_plan_pricing: 99 },
  password_hash: 'planted',
  user_login_options: [{ user_login_option_type: 10 }],
  email_verified: true,
  vouched: true,
  issuer: 'https://evil.example',
  token: 'x'.repeat(43),
  token_hash: 'x'.repeat(43),
  token_expiration: '2099-01-01T00:00:00.000Z',
  avatar_media_id: 1,
  created_at: '2001-01-01T00:00:00.000Z',
  updated_at: '2001-01-01T00:00:00.000Z',
  erase_at: '2001-01-01T00:00:00.000Z',
  erased_at: '2001-01-01T00:00:00.000Z',
  extra: { operator: true },
  constructor: { prototype: { operator: true } },
}
const names = Object.keys(fields)
/** Every one of our fields, and `__proto__` as only JSON can carry it. */
const laden = (body: object, without: readonly string[]) => {
  const added = Object.fromEntries(Object.entries(fields).filter(([name]) => !without.includes(name)))
  return `${JSON.stringify({ ...added, ...body }).slice(0, -1)},"__proto__":{"operator":true,"user_status":1}}`
}

/** Fields under a name that a reply carries are refused by it; all others are ignored. */
const post = async (path: string, body: object, token?: string) => {
  const send = (without: readonly string[]) =>
    fetch(`${app.url}/api/${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...(token && { authorization: `Bearer ${token}` }) },
      body: laden(body, without),
    })
  let reply = await send([])
  if (reply.status === 400) {
    const refused = Object.keys(await reply.json())
    expect(names).toEqual(expect.arrayContaining(refused))
    reply = await send(refused)
  }
  expect([path, reply.status]).toEqual([path, 200])
  return reply.json()
}
const rowOf = (id: number) => app.db.selectFrom('users').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
const ordinary = (id: number, status: number) => ({
  id,
  status,
  status_before: null,
  operator: false,
  plan_title: 'Free',
  plan_pricing: 0,
  avatar_media_id: null,
  erase_at: null,
  erased_at: null,
})
const device = { device_id: 'a phone', user_timezone: 'UTC', user_device_platform: 'web' }
const named = {
  user_first_name: 'Mallory',
  user_last_name: 'Moe',
  user_username: 'mallory',
  user_email: 'm@example.com',
}
const confirmed = { user_password: 'a long password', user_password_confirmation: 'a long password' }

test(`none of ${names.length + 1} undeclared fields changes anything, in eight operations that write accounts and events`, async () => {
  const before = await rowOf(victim.id)
  const started = Date.now()

  const { user, token } = await post('account/register', {
    ...named,
    ...confirmed,
    ...device,
    user_login_option_type: 1,
  })
  const own = async (status: number) => {
    const row = await rowOf(user.id)
    expect(row).toMatchObject(ordinary(user.id, status))
    expect(row.password_hash).toMatch(/^\$argon2id\$/)
    expect(row.created_at.getTime()).toBeGreaterThan(started - 60_000)
    const { rows } = await sql`select type, issuer, identifier from login_options where user_id = ${user.id}`.execute(
      app.db,
    )
    expect(rows).toEqual([{ type: 1, issuer: null, identifier: named.user_email }])
  }
  expect(user.id).not.toBe(victim.id)
  await own(2)
  await post('account/details/update', named, token)
  await post('account/settings/update', { user_setting_mute_notification: false }, token)
  await own(2)
  const login = { user_login_option_type: 1, user_login_id: 'mallory', user_password: confirmed.user_password }
  const signedIn = await post('account/authenticate', { ...login, ...device })
  expect(Date.parse(signedIn.token_expiration)).toBeLessThan(Date.now() + 31 * 24 * 60 * 60_000)
  await own(2)

  const event = await post('event', evening({ event_name: 'Hers' }), signedIn.token)
  expect(event.id).not.toBe(victims_event)
  expect(event).toMatchObject({ event_role: 'organizer', event_guests_count: 1 })
  await post('event', { ...evening({ event_name: 'Hers still' }), event_id: event.id }, signedIn.token)
  expect((await victim.api.events.readEvent({ event_id: victims_event })).event_name).toBe('Mine')

  const joined = await post(`event/link/join/${code}`, { user_first_name: 'Anna', device_id: 'another phone' })
  expect(await rowOf(joined.user.id)).toMatchObject(ordinary(joined.user.id, 5))
  const standing = sql<{ role: string }>`
    select role from guests where event_id = ${victims_event} and user_id = ${joined.user.id}`
  expect((await standing.execute(app.db)).rows).toEqual([{ role: 'guest' }])
  const claim = { user_email: 'anna@example.com', ...confirmed }
  await post('account/claim', claim, joined.token)
  expect(await rowOf(joined.user.id)).toMatchObject(ordinary(joined.user.id, 2))

  expect(await rowOf(victim.id)).toEqual(before)
})
