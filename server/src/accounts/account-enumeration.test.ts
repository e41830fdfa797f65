import { expect, test } from 'vitest'
import { openTestApp } from '../../test/app.ts'
import { enter } from '../../test/cast.ts'
import { openIssuer } from '../../test/openid/issuer.ts'

const issuer = await openIssuer()
const app = await openTestApp({}, { env: issuer.env })
const [olivia, remy] = [await enter(app, 'olivia'), await enter(app, 'remy')]
await app.db.updateTable('users').set({ status: 3 }).where('id', '=', remy.id).execute()
const { user: clara } = await app.as().accounts.register({
  user_first_name: 'Clara',
  user_last_name: 'Club',
  user_username: 'clara',
  user_email: 'clara@example.com',
  user_password: await issuer.idToken('clara'),
  user_login_option_type: 10,
  user_login_option_unique_identifier: 'clara',
  device_id: 'phone',
  user_timezone: 'UTC',
  user_device_platform: 'ios',
})

/** Attempts to find out who has an account here. */
const attempts = {
  'a wrong password': { login: olivia.email, password: 'wrong password' },
  nobody: { login: 'nobody@example.com', password: 'wrong password' },
  'nobody by username': { login: 'nobody', password: olivia.password },
  'somebody suspended, with the right password': { login: remy.email, password: remy.password },
  'somebody without a password': { login: clara.user_email, password: 'wrong password' },
}
const rounds = 25

/**
 * Its answer, with the varying parts removed, and the CPU time it took in the service and its threads: what an attacker
 * could time if nobody else were served, and what other load does not change.
 */
const ask = async ({ login, password }: { login: string; password: string }) => {
  const before = process.cpuUsage()
  const reply = await fetch(`${app.url}/api/account/authenticate`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({
      user_login_option_type: 1,
      user_login_id: login,
      user_password: password,
      device_id: 'a phone',
      user_timezone: 'UTC',
      user_device_platform: 'web',
    }),
  })
  const body = await reply.text()
  const { user, system } = process.cpuUsage(before)
  const ms = (user + system) / 1000
  const headers = [...reply.headers].filter(
    ([name]) => !['date', 'x-ratelimit-remaining', 'x-request-id'].includes(name),
  )
  return { answer: { status: reply.status, body, headers }, ms }
}
test(`none of ${Object.keys(attempts).length} failed sign-ins, ${rounds} times each, tells by its answer or its time who has an account`, async () => {
  const took = new Map<string, number[]>(Object.keys(attempts).map(name => [name, []]))
  const answers = new Set<string>()
  // Interleaved, so that whatever else keeps the machine busy affects all of them.
  for (let round = 0; round < rounds; round++)
    for (const [name, attempt] of Object.entries(attempts)) {
      const { answer, ms } = await ask(attempt)
      answers.add(JSON.stringify(answer))
      took.get(name)?.push(ms)
    }
  const times = new Map([...took].map(([name, ms]) => [name, Math.round(Math.min(...ms) * 10) / 10]))
  console.log('least ms of a failed sign-in:', Object.fromEntries(times))
  expect([...answers]).toHaveLength(1)
  // Leaving out the hash would take a fifth of the time.
  expect(Math.max(...times.values()) / Math.min(...times.values())).toBeLessThan(1.4)
})
