import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { operations } from '@afterglow/contract/operations'
import { sql } from 'kysely'
import { describe, expect, test, vi } from 'vitest'
import { networkOf } from '../src/platform/http/limits.ts'
import { openTestApp } from './app.ts'
import { enter, type Member } from './cast.ts'
import { full } from './full.ts'
import { evening } from './party.ts'
import { openRawSocket } from './raw-socket.ts'

const app = await openTestApp({ rateFactor: 1 })

/** The table of the interface, §8. */
const documented: Record<string, number> = {
  'PUT api/realtime/ping': 10,
  'PUT api/realtime/disconnect': 10,
  'DELETE api/realtime/disconnect': 10,
  'POST api/account/register': 10,
  'POST api/account/authenticate': 10,
  'GET api/account': 120,
  'POST api/account/details/update': 120,
  'GET api/message/group/list': 120,
  'GET api/message/group/{group_chat_id}': 240,
  'GET api/message/list': 240,
  'POST api/message': 200,
  'GET api/message/reacted': 120,
  'PUT api/message/attachment/add-to-album/{message_attachment_id}': 120,
  'POST api/gallery/upload': 120,
  'GET api/gallery/photo/details/{event_photo_id}': 180,
  'GET api/gallery/comments/{event_photo_id}': 240,
  'GET api/gallery/comment/replies/{event_photo_comment_id}': 240,
  'GET api/gallery/comment/reactions/{comment_reaction_id}': 240,
  'POST api/gallery/comment': 120,
  'GET api/user/mention/search': 180,
  'GET api/event/join/requests/{event_id}': 120,
}

test('every documented address has its documented limit', () => {
  const stated = Object.fromEntries(
    operations.flatMap(({ at, perMinute }) => at.map(([method, path]) => [`${method} ${path}`, perMinute])),
  )
  expect(stated).toMatchObject(documented)
})

const send = (member: Member | undefined, method: string, path: string) =>
  fetch(`${app.url}/${path}`, { method, headers: member ? { authorization: `Bearer ${member.token}` } : {} })
const limitOf = ({ status, headers }: Response) => ({
  status,
  limit: headers.get('x-ratelimit-limit'),
  remaining: headers.get('x-ratelimit-remaining'),
})

describe('the budget of an operation', () => {
  test('is in every reply, with its reset when it is used up', async () => {
    const gus = await enter(app, 'gus')
    for (let remaining = 9; remaining >= 0; remaining--)
      expect(limitOf(await send(gus, 'PUT', 'api/realtime/ping'))).toEqual({
        status: 200,
        limit: '10',
        remaining: String(remaining),
      })
    const refused = await send(gus, 'PUT', 'api/realtime/ping')
    expect(limitOf(refused)).toEqual({ status: 429, limit: '10', remaining: '0' })
    expect(await refused.json()).toEqual({ message: 'Too Many Attempts.' })
    const after = Number(refused.headers.get('retry-after'))
    expect(after).toBeGreaterThan(0)
    expect(after).toBeLessThanOrEqual(60)
    const resets = Number(refused.headers.get('x-ratelimit-reset')) - Date.now() / 1000
    expect(Math.abs(resets - after)).toBeLessThan(2)
  })

  test('is shared by all its addresses, and separate for each user', async () => {
    const [gus, ana] = [await enter(app, 'gus'), await enter(app, 'ana')]
    for (let at = 0; at < 10; at++) await send(gus, at % 2 ? 'PUT' : 'DELETE', 'api/realtime/disconnect')
    expect((await send(gus, 'DELETE', 'api/realtime/disconnect')).status).toBe(429)
    expect((await send(gus, 'PUT', 'api/realtime/ping')).status).toBe(200)
    expect((await send(ana, 'DELETE', 'api/realtime/disconnect')).status).toBe(200)
  })

  test('is used by refused requests, but not by those without a token', async () => {
    const gus = await enter(app, 'gus')
    for (let at = 0; at < 20; at++) expect((await send(undefined, 'GET', 'api/account/device/list')).status).toBe(401)
    expect(limitOf(await send(gus, 'GET', 'api/account/device/list'))).toEqual({
      status: 400,
      limit: '120',
      remaining: '119',
    })
  })
})

test('a client may connect to the channel 120 times a minute, however early each socket ends; others are not delayed', {
  tags: 'slow',
}, async () => {
  const [gus, ana] = [await enter(app, 'gus'), await enter(app, 'ana')]
  const greeting = async (token: string, closesAt: 'once' | 'greeted') => {
    const socket = await openRawSocket(app.url, { token })
    if (closesAt === 'once') return void socket.close()
    const said = await vi.waitUntil(() => socket.texts.find(text => /^4(?:4|2\["ready")/.test(text)), 20_000)
    socket.close()
    await socket.closes()
    return said
  }
  for (let at = 0; at < 60; at++) await greeting(gus.token, 'once')
  for (let at = 0; at < 50; at++) expect(await greeting(gus.token, 'greeted')).toMatch(/ready/)
  const refused = '44{"message":"Too Many Attempts.","data":{"status":429}}'
  let more = 0
  while ((await greeting(gus.token, 'greeted')) !== refused) expect(++more).toBeLessThanOrEqual(10)
  expect(await greeting(ana.token, 'greeted')).toMatch(/ready/)
})

/** Headers that proxies add and attackers forge. No proxy is trusted here. */
const forged: Record<string, string>[] = [
  ...[
    'x-forwarded-for',
    'x-real-ip',
    'x-client-ip',
    'client-ip',
    'true-client-ip',
    'cf-connecting-ip',
    'fastly-client-ip',
    'x-cluster-client-ip',
    'x-original-forwarded-for',
    'x-originating-ip',
    'x-remote-ip',
  ].map(name => ({ [name]: '203.0.113.9' })),
  { 'x-forwarded-for': '203.0.113.9, 127.0.0.1' },
  { 'x-forwarded-for': '127.0.0.1, 203.0.113.10' },
  { 'x-forwarded-for': '2001:db8::9' },
  { 'x-forwarded-for': '203.0.113.9', 'x-forwarded-host': 'party.example', 'x-forwarded-proto': 'https' },
  { forwarded: 'for=203.0.113.9;proto=https' },
]

describe('limits before signing in:', () => {
  const attempt = (user_login_id: string, device_id: string, headers: Record<string, string> = {}) =>
    fetch(`${app.url}/api/account/authenticate`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify({
        user_login_option_type: 1,
        user_login_id,
        user_password: 'wrong',
        device_id,
        user_timezone: 'UTC',
        user_device_platform: 'web',
      }),
    }).then(({ status }) => status)

  test('a device has ten attempts, and its neighbour behind the same address has its own', async () => {
    for (let at = 0; at < 10; at++) expect(await attempt(`someone${at}`, 'one phone')).toBe(401)
    expect(await attempt('someone', 'one phone')).toBe(429)
    expect(await attempt('someone', 'another phone')).toBe(401)
  })

  test('an account allows ten failures, from any number of devices, and a forged address allows no more', async () => {
    for (let at = 0; at < 10; at++) expect(await attempt('Target', `phone ${at}`)).toBe(401)
    expect(await attempt('target', 'fresh phone')).toBe(429)
    expect(await attempt('target', 'other phone', { 'x-forwarded-for': '203.0.113.9' })).toBe(429)
  })

  test(`none of ${forged.length} headers that claim another address allows another attempt`, async () => {
    const guessed = await openTestApp({ rateFactor: 1, signInsPerAddressPerMinute: 300 })
    const host = await enter(guessed, 'gus')
    const { id: event_id } = await host.api.events.saveEvent(evening())
    const { link_code } = await host.api.links.makeLink({ event_id, pin: '4711' })
    const guess = (pin: number, headers: Record<string, string> = {}) =>
      fetch(`${guessed.url}/api/event/link/join/${link_code}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', ...headers },
        body: JSON.stringify({ pin: String(pin), user_first_name: 'Mallory', device_id: `phone ${pin}` }),
      }).then(({ status }) => status)
    for (let at = 0; at < 10; at++) {
      expect(await attempt('somebody wanted', `phone ${at}`)).toBe(401)
      expect(await attempt(`anybody ${at}`, 'the same phone')).toBe(401)
      expect(await guess(1000 + at)).toBe(400)
    }
    for (const [at, headers] of forged.entries()) {
      expect([headers, await attempt('somebody wanted', `other phone ${at}`, headers)]).toEqual([headers, 429])
      expect([headers, await attempt(`anybody else ${at}`, 'the same phone', headers)]).toEqual([headers, 429])
      expect([headers, await guess(4711, headers)]).toEqual([headers, 429])
    }
  })

  test('an account’s name has one budget, in any letter case', async () => {
    const ivan = {
      user_username: 'ivan.ilic',
      user_email: 'ivan.ilic@party.example',
      user_password: 'a right password',
    }
    await app.as().accounts.register({
      ...ivan,
      user_first_name: 'Ivan',
      user_last_name: 'Ilić',
      user_password_confirmation: ivan.user_password,
      user_login_option_type: 1,
      device_id: 'his own',
      user_timezone: 'UTC',
      user_device_platform: 'web',
    })
    const { rows } = await sql<{ same: boolean }>`select lower('İ') = 'i' as same`.execute(app.db)
    const names = ['ivan.ilic', 'IVAN.ILIC', 'iVaN.iLiC', ...(rows[0]?.same ? ['İvan.ilic'] : [])]
    const statuses = []
    for (let at = 0; at < 30; at++)
      statuses.push(await attempt(names[at % names.length] as string, `phone of a guesser ${at}`))
    expect(statuses.filter(status => status === 401)).toHaveLength(10)
    expect(statuses.slice(10)).toEqual(Array.from({ length: 20 }, () => 429))
  })

  test('an unknown name has one budget too, by the database’s case folding', async () => {
    const { rows } = await sql<{ same: boolean }>`select lower('İ') = 'i' as same`.execute(app.db)
    const names = ['niobody', 'NIOBODY', 'Niobody', ...(rows[0]?.same ? ['nİobody'] : [])]
    const statuses = []
    for (let at = 0; at < 20; at++) statuses.push(await attempt(names[at % names.length] as string, `a phone ${at}`))
    expect(statuses.filter(status => status === 401)).toHaveLength(10)
  })

  test('a correct sign-in uses no failure', async () => {
    const ana = await enter(app, 'ana')
    for (let at = 0; at < 12; at++) {
      const asked = { user_login_option_type: 1, user_login_id: ana.email, user_password: ana.password }
      const device = { device_id: `device ${at}`, user_timezone: 'UTC', user_device_platform: 'web' }
      expect((await app.as().accounts.authenticate({ ...asked, ...device })).user.id).toBe(ana.id)
    }
  })

  test('one network has a coarse cap for all its devices', async () => {
    const capped = await openTestApp({ rateFactor: 1, signInsPerAddressPerMinute: 3 })
    const statuses = []
    for (let at = 0; at < 5; at++)
      statuses.push((await fetch(`${capped.url}/api/account/register`, { method: 'POST' })).status)
    expect(statuses).toEqual([400, 400, 400, 429, 429])
  })
})

describe('one address of many guests, one of whom fails endlessly under new device names', async () => {
  const perNetwork = 30
  const venue = await openTestApp({ rateFactor: 1, signInsPerAddressPerMinute: perNetwork })
  const host = await enter(venue, 'olivia')
  const { id: event_id } = await host.api.events.saveEvent(evening())
  const { link_code: code } = await host.api.links.makeLink({ event_id })
  let people = 0
  const post = (path: string, body: object) =>
    fetch(`${venue.url}/api/${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({
        device_id: randomUUID(),
        user_timezone: 'UTC',
        user_device_platform: 'web',
        ...body,
      }),
    })
  /** A phone retries when it is told to. */
  const patiently = async (path: string, body: object) => {
    for (;;) {
      const { status, headers } = await post(path, body)
      if (status !== 429) return status
      const after = Number(headers.get('retry-after'))
      expect(after).toBeLessThanOrEqual(1)
      await sleep(after * 1000)
    }
  }
  const account = (n: number) => ({
    user_first_name: 'New',
    user_last_name: 'Guest',
    user_username: `newcomer${n}`,
    user_email: `newcomer${n}@party.example`,
    user_password: 'a right password',
    user_password_confirmation: 'a right password',
    user_login_option_type: 1,
  })
  const asHost = { user_login_option_type: 1, user_login_id: host.email, user_password: host.password }
  const attacks: Record<string, [string, object]> = {
    'joins by codes that there are not': ['event/link/join/AAAAAAAAAAAAAAAAAAAAAA', { user_first_name: 'Mallory' }],
    'sign-ins of nobody': [
      'account/authenticate',
      { ...asHost, user_login_id: 'nobody', user_password: 'wrong wrong' },
    ],
    'registrations that are none': ['account/register', { user_first_name: 'Mallory' }],
    'codes that nobody got': ['account/password/reset', { reset_code: 'x', user_password: 'a new password' }],
  }

  for (const [attack, [path, body]] of Object.entries(attacks)) {
    const tags = attack === 'sign-ins of nobody' ? [] : 'slow'
    test(`with ${attack}, the others join, register, sign in and ask for a password`, { tags }, async () => {
      const statuses = []
      for (let at = 0; at < perNetwork + 15; at++) statuses.push((await post(path, body)).status)
      expect(statuses).toContain(429)
      for (let at = 0; at < (full ? 5 : 2); at++) {
        expect(await patiently(`event/link/join/${code}`, { user_first_name: `Guest ${at}` })).toBe(200)
        people += 1
        expect(await patiently('account/register', account(people))).toBe(200)
        expect(await patiently('account/authenticate', asHost)).toBe(200)
        expect(await patiently('account/password/forgot', { user_email: `somebody${people}@party.example` })).toBe(200)
      }
    })
  }
})

test.each([
  ['192.0.2.7', '192.0.2.7'],
  ['::ffff:192.0.2.7', '192.0.2.7'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2'],
  ['2001:0db8:1:2::9', '2001:db8:1:2'],
  ['fe80::1%eth0', 'fe80:0:0:0'],
  [undefined, 'left'],
])('the network of %s is %s', (address, network) => expect(networkOf(address)).toBe(network))
