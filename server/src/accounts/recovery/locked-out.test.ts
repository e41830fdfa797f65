import { describe, expect, test, vi } from 'vitest'
import { openTestApp } from '../../../test/app.ts'
import { enter, type Member } from '../../../test/cast.ts'
import { openIssuer } from '../../../test/openid/issuer.ts'

const issuer = await openIssuer()
// Its callers say where they come from, as behind a proxy.
const app = await openTestApp({ rateFactor: 1 }, { env: { ...issuer.env, TRUSTED_PROXIES: '127.0.0.1' } })

type SignInAttempt = { name: string; password: string; device: string; network?: string; type?: number }

const signIn = async ({ name, password, device, network = '198.51.100.1', type = 1 }: SignInAttempt) => {
  const reply = await fetch(`${app.url}/api/account/authenticate`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-forwarded-for': network },
    body: JSON.stringify({
      user_login_option_type: type,
      user_login_id: name,
      user_password: password,
      device_id: device,
      user_timezone: 'UTC',
      user_device_platform: 'web',
    }),
  })
  const body = (await reply.json()) as { token?: string }
  return { status: reply.status, retryAfter: Number(reply.headers.get('retry-after')), token: body.token }
}

let guessers = 0
const guess = async (name: string, times: number) => {
  const statuses = []
  for (let at = 0; at < times; at++) {
    guessers += 1
    const from = { device: `guesser ${guessers}`, network: `203.0.113.${guessers % 250}` }
    statuses.push((await signIn({ name, password: 'a wrong guess', ...from })).status)
  }
  return statuses
}
const refused = (statuses: number[]) => statuses.filter(status => status === 429).length

/** Signed in at home once, and signed out again. */
const atHome = async (person: Member, device: string, network: string) => {
  const { token } = await signIn({ name: person.email, password: person.password, device, network })
  await app.as(token).accounts.logout({})
}

describe('while strangers guess somebody’s password', async () => {
  const olivia = await enter(app, 'olivia')
  const rightly = { name: olivia.email, password: olivia.password }
  await atHome(olivia, 'phone at home', '192.0.2.1')
  expect(refused(await guess(olivia.email, 12))).toBe(2)

  test('a device that nobody knows has to wait', async () => {
    const { status, retryAfter } = await signIn({ ...rightly, device: 'a new phone' })
    expect(status).toBe(429)
    expect(retryAfter).toBeLessThanOrEqual(60)
  })

  test('the owner signs in on a device that is known, wherever it is', async () => {
    expect((await signIn({ ...rightly, device: 'phone at home', network: '192.0.2.99' })).status).toBe(200)
  })

  test('the owner signs in on a new device in a network that is known', async () => {
    expect((await signIn({ ...rightly, device: 'a new laptop', network: '192.0.2.1' })).status).toBe(200)
  })

  test('a stranger who names a known device locks nobody out at home', async () => {
    for (let at = 0; at < 12; at++)
      await signIn({ ...rightly, password: 'wrong', device: 'phone at home', network: `203.0.113.${at}` })
    expect((await signIn({ ...rightly, device: 'phone at home', network: '192.0.2.1' })).status).toBe(200)
  })

  test('a known place bears ten wrong passwords a minute too', async () => {
    const statuses = []
    for (let at = 0; at < 12; at++) {
      const asked = { ...rightly, password: 'wrong', device: `a neighbour ${at}`, network: '192.0.2.1' }
      statuses.push((await signIn(asked)).status)
    }
    expect(refused(statuses)).toBe(2)
  })
})

test('a device that is still signed in is known', async () => {
  const gus = await enter(app, 'gus')
  await guess(gus.email, 12)
  const device = `phone of ${gus.username}`
  expect((await signIn({ name: gus.email, password: gus.password, device })).status).toBe(200)
})

test('failures under one name of an account do not tell which other name is its own', async () => {
  const ana = await enter(app, 'ana')
  expect(refused(await guess(ana.username, 12))).toBe(2)
  expect(await guess(ana.email, 1)).toEqual(await guess('nobody@party.example', 1))
})

test('a guesser who goes on waits longer than a minute', async () => {
  vi.useFakeTimers({ toFake: ['Date'] })
  try {
    let waits = 0
    for (let minute = 0; minute < 6; minute++) {
      await guess('guessed.for.long', 11)
      vi.setSystemTime(Date.now() + 61_000)
      const last = await signIn({ name: 'guessed.for.long', password: 'wrong', device: `late ${minute}` })
      waits = Math.max(waits, last.status === 429 ? last.retryAfter : 0)
    }
    expect(waits).toBeGreaterThan(60)
  } finally {
    vi.useRealTimers()
  }
})

test('forged tokens do not keep out whom they name', async () => {
  const asked = { name: 'subject of clara', type: 10, device: 'phone' }
  await app.as().accounts.register({
    user_first_name: 'Clara',
    user_last_name: 'Club',
    user_username: 'clara',
    user_email: 'clara@example.com',
    user_password: await issuer.idToken('subject of clara'),
    user_login_option_type: 10,
    user_login_option_unique_identifier: 'subject of clara',
    device_id: 'phone',
    user_timezone: 'UTC',
    user_device_platform: 'ios',
  })
  const statuses = []
  for (let at = 0; at < 12; at++)
    statuses.push((await signIn({ ...asked, device: `forger ${at}`, password: 'no.such.token' })).status)
  expect(refused(statuses)).toBe(2)
  expect((await signIn({ ...asked, password: await issuer.idToken('subject of clara') })).status).toBe(200)
})
