import { setTimeout as sleep } from 'node:timers/promises'
import type { Afterglow } from '@afterglow/sdk'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { openDatabase } from '../src/platform/database/database.ts'
import { enter, type Member } from './cast.ts'
import { later } from './later.ts'
import { type Node, openNodes } from './nodes.ts'
import { refusal } from './refused.ts'
import { acrossSilentProxy } from './silent-proxy.ts'
import { whenDone } from './when-done.ts'

const nodes = await openNodes()
const db = openDatabase(nodes.databaseUrl, { connections: 2 })
whenDone(() => db.destroy())

/** A node whose log can be cut off, while its requests still reach the database. */
const cutOff = async () => {
  const { proxy, url } = await acrossSilentProxy(nodes.databaseUrl, 'afterglow relay')
  return { proxy, node: await nodes.another({ DATABASE_URL: url }) }
}

type Phone = Member & { tablet: Afterglow }
const device = { user_login_option_type: 1, user_timezone: 'UTC', user_device_platform: 'web' }
const signIn = ({ email, password }: Member, device_id: string) =>
  nodes.first.as().accounts.authenticate({ ...device, device_id, user_login_id: email, user_password: password })

/** Everything that ends the session of a phone. */
const ends: Record<string, (phone: Phone) => Promise<unknown>> = {
  'signing out': ({ api }) => api.accounts.logout(),
  'signing out everywhere': ({ tablet }) => tablet.accounts.logout({ all_devices: true }),
  'removing the device': ({ tablet, username }) => tablet.accounts.removeDevice({ device_id: `phone of ${username}` }),
  'signing in again on it': phone => signIn(phone, `phone of ${phone.username}`),
  'a new password': ({ tablet, password }) =>
    tablet.accounts.updatePassword({
      current_password: password,
      user_password: 'another password',
      user_password_confirmation: 'another password',
    }),
  'deleting the account': ({ tablet, password }) => tablet.privacy.deleteAccount({ user_password: password }),
  'suspension by another program': ({ id }) => sql`update users set status = 3 where id = ${id}`.execute(db),
  'erasure by another program': ({ id }) => sql`delete from devices where user_id = ${id}`.execute(db),
}

const status = (node: Node, { token }: Member) =>
  node
    .as(token)
    .accounts.readAccount()
    .then(
      () => 200,
      async error => (await refusal(Promise.reject(error))).status,
    )

test('an ended session is over on all three nodes within a second, even where the log does not arrive', async () => {
  const [second, third] = [await nodes.another(), await cutOff()]
  const all = [nodes.first, second, third.node]
  const phones = await Promise.all(
    Object.keys(ends).map(async () => {
      const member = await enter(nodes.first as unknown as Parameters<typeof enter>[0], 'gus')
      return { ...member, tablet: nodes.first.as((await signIn(member, 'tablet')).token) }
    }),
  )
  const use = () => Promise.all(phones.flatMap(phone => all.map(node => status(node, phone))))
  // Long enough for every node to have read the log, and so to know the tokens.
  for (let times = 0; times < 6; times++, await sleep(200)) expect(new Set(await use())).toEqual(new Set([200]))

  third.proxy.silence()
  expect(new Set(await use())).toEqual(new Set([200]))
  let ended = false
  const goOn = later(
    (async () => {
      for (; !ended; await sleep(50)) await use()
    })(),
  )
  for (const [at, end] of Object.values(ends).entries()) await end(phones[at] as Phone)
  await sleep(1000)
  const left = Object.keys(ends).map(async (name, at) => [
    name,
    await Promise.all(all.map(node => status(node, phones[at] as Phone))),
  ])
  expect(Object.fromEntries(await Promise.all(left))).toEqual(
    Object.fromEntries(Object.keys(ends).map(name => [name, [401, 401, 401]])),
  )
  ended = true
  await goOn
  await Promise.all([second.stop(), third.node.stop()])
})

test('a node stores its notes of device use when it stops', async () => {
  const node = await nodes.another()
  const gus = await enter(node as unknown as Parameters<typeof enter>[0], 'gus')
  const lastUsed = async () => {
    const { rows } = await sql<{ at: Date }>`select last_used_at as at from devices where user_id = ${gus.id}`.execute(
      db,
    )
    return rows[0]?.at.getTime() ?? 0
  }
  await sql`update devices set last_used_at = now() - interval '1 day' where user_id = ${gus.id}`.execute(db)
  const before = await lastUsed()
  await gus.api.accounts.readAccount()
  expect(await lastUsed()).toBe(before)
  await node.stop()
  expect(await lastUsed()).toBeGreaterThan(Date.now() - 60_000)
})
