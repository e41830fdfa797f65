import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { openTestApp } from '../../../test/app.ts'
import { enter, type Member } from '../../../test/cast.ts'
import { later } from '../../../test/later.ts'
import { refusal } from '../../../test/refused.ts'

const app = await openTestApp()
const paged = { page: 1, page_length: 100 }

const signIn = async ({ email, password }: Member, device_id: string, user_timezone = 'UTC') => {
  const { token, user } = await app.as().accounts.authenticate({
    user_login_option_type: 1,
    user_login_id: email,
    user_password: password,
    device_id,
    user_timezone,
    user_device_platform: 'web',
  })
  return { token, user, api: app.as(token) }
}
const devicesOf = async (member: Pick<Member, 'api'>) =>
  (await member.api.accounts.listDevices(paged)).data.map(({ device_id }) => device_id)
const isOver = async (token: string) => (await refusal(app.as(token).accounts.readAccount())).status === 401
const serves = (token: string) =>
  app
    .as(token)
    .accounts.readAccount()
    .then(
      () => true,
      () => false,
    )

describe('an account has at most twenty sessions', () => {
  test('and the longest unused ends when there is one more', async () => {
    const olivia = await enter(app, 'olivia')
    const tokens = [olivia.token]
    for (let at = 1; at < 20; at++) tokens.push((await signIn(olivia, `device ${at}`)).token)
    expect(await devicesOf(olivia)).toHaveLength(20)
    // The first device is used; the second has now been unused the longest.
    await sql`update devices set last_used_at = now() + interval '1 second' where device_id like 'phone of%'`.execute(
      app.db,
    )
    const newest = await signIn(olivia, 'one more')
    expect(await isOver(tokens[1] ?? '')).toBe(true)
    expect(await serves(tokens[0] ?? '')).toBe(true)
    expect(await devicesOf(newest)).toHaveLength(20)
  })

  test('however many devices sign in at once', async () => {
    const gus = await enter(app, 'gus')
    const opened = await Promise.all(Array.from({ length: 30 }, (_, at) => signIn(gus, `at once ${at}`)))
    const alive = await Promise.all(opened.map(({ token }) => serves(token)))
    expect(alive.filter(Boolean)).toHaveLength(20)
    const { rows } = await sql<{ n: number }>`select count(*) as n from devices where user_id = ${gus.id}`.execute(
      app.db,
    )
    expect(rows[0]?.n).toBe(20)
  })
})

describe('a refreshed token', () => {
  test('leaves the old one a minute, and not a second more', async () => {
    const ana = await enter(app, 'ana')
    const { token } = await ana.api.accounts.refreshToken()
    const { rows } = await sql<{ seconds: number }>`
      select extract(epoch from previous_token_expires_at - now())::float8 as seconds from devices
      where user_id = ${ana.id}`.execute(app.db)
    expect(rows[0]?.seconds).toBeGreaterThan(55)
    expect(rows[0]?.seconds).toBeLessThanOrEqual(60)
    expect(await serves(ana.token)).toBe(true)
    await sql`update devices set previous_token_expires_at = now() where user_id = ${ana.id}`.execute(app.db)
    await expect.poll(() => serves(ana.token)).toBe(false)
    expect(await serves(token)).toBe(true)
  })

  test('by two tabs at once leaves both with one that serves', async () => {
    const sam = await enter(app, 'sam')
    const [one, two] = await Promise.all([sam.api.accounts.refreshToken(), sam.api.accounts.refreshToken()])
    expect([await serves(one.token), await serves(two.token)]).toEqual([true, true])
  })

  test('lives thirty days from then', async () => {
    const rita = await enter(app, 'rita')
    await sql`update devices set token_expires_at = now() + interval '1 hour' where user_id = ${rita.id}`.execute(
      app.db,
    )
    const { token_expiration } = await rita.api.accounts.refreshToken()
    expect((Date.parse(token_expiration) - Date.now()) / 86_400_000).toBeCloseTo(30, 1)
  })
})

describe('signing out', () => {
  test('on every device ends every session at once, one’s own included', async () => {
    const gwen = await enter(app, 'gwen')
    const others = [await signIn(gwen, 'laptop'), await signIn(gwen, 'tv')]
    await gwen.api.accounts.logout({ all_devices: true })
    for (const token of [gwen.token, ...others.map(each => each.token)]) expect(await isOver(token)).toBe(true)
  })

  test('one device from another ends that one alone', async () => {
    const asha = await enter(app, 'asha')
    const laptop = await signIn(asha, 'laptop')
    await asha.api.accounts.removeDevice({ device_id: 'laptop' })
    expect(await isOver(laptop.token)).toBe(true)
    expect(await devicesOf(asha)).toEqual([`phone of ${asha.username}`])
  })

  test('a device of somebody else is not found, and stays signed in', async () => {
    const [remy, sam] = [await enter(app, 'remy'), await enter(app, 'sam')]
    const theirs = await signIn(sam, 'their laptop')
    expect((await refusal(remy.api.accounts.removeDevice({ device_id: 'their laptop' }))).status).toBe(404)
    expect(await serves(theirs.token)).toBe(true)
  })
})

test('signing in elsewhere leaves the other sessions, and tells the time zone', async () => {
  const olivia = await enter(app, 'olivia')
  const there = await signIn(olivia, 'abroad', 'Asia/Tokyo')
  expect(there.user.user_timezone).toBe('Asia/Tokyo')
  expect(await serves(olivia.token)).toBe(true)
})

test('a suspended account loses every session within a second, and gets none', async () => {
  const gus = await enter(app, 'gus')
  const laptop = await signIn(gus, 'laptop')
  await sql`update users set status = 3 where id = ${gus.id}`.execute(app.db)
  for (const token of [gus.token, laptop.token]) await expect.poll(() => serves(token)).toBe(false)
  expect((await refusal(signIn(gus, 'again'))).status).toBe(401)
})

test('a look at a token that began before its session ended is not believed after', async () => {
  const ana = await enter(app, 'ana')
  for (let round = 0; round < 10; round++) {
    const { token, api } = await signIn(ana, 'a race')
    const looks = later(Array.from({ length: 5 }, () => serves(token)))
    await api.accounts.logout()
    await Promise.all(looks)
    expect(await isOver(token)).toBe(true)
  }
})
