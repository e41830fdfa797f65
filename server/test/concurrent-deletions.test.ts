import { type RawBuilder, sql } from 'kysely'
import { expect, test } from 'vitest'
import { openTestApp } from './app.ts'
import { enter } from './cast.ts'
import { evening } from './party.ts'

/* A row disappears while a request that has already found it is about to write: that is refused as if it came later. */

const hook = 'https://hooks.example.org/'
const app = await openTestApp()

/** The outcome of a call that meets the uncommitted statement. */
const meanwhile = async (statement: RawBuilder<unknown>, call: () => Promise<unknown>) => {
  const deletion = await app.db.startTransaction().execute()
  await statement.execute(deletion)
  const outcome = call().then(
    () => 'done',
    fault => ({ status: fault.status, body: fault.body }),
  )
  await expect
    .poll(async () => {
      const { rows } = await sql`
        select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`.execute(app.db)
      return rows.length
    })
    .toBeGreaterThan(0)
  await deletion.commit().execute()
  return outcome
}
const unauthenticated = { status: 401, body: { message: 'Unauthenticated.' } }
const sessionOf = (token: string) => sql`delete from devices where token_hash = sha256(${token}::bytea)`

test.each([
  ['a transfer is made', 'makeTransfer'],
  ['a token is refreshed', 'refreshToken'],
  ['an address for pushes is registered', 'registerDevice'],
] as const)('a session that ends during %s is refused', async (_, act) => {
  const { api, token } = await enter(app, 'gus')
  await api.accounts.readAccount()
  const acts = {
    makeTransfer: () => api.transfers.makeTransfer(),
    refreshToken: () => api.accounts.refreshToken(),
    registerDevice: () => api.notifications.registerDevice({ push_token: 'token-of-a-phone' }),
  }
  expect(await meanwhile(sessionOf(token), acts[act])).toEqual(unauthenticated)
})

test('a webhook deleted during its delivery is refused', async () => {
  const olivia = await enter(app, 'olivia')
  const { id: event_id } = await olivia.api.events.saveEvent(evening())
  const { id } = await olivia.api.webhooks.makeWebhook({ event_id, webhook_url: hook })
  const outcome = await meanwhile(sql`delete from webhooks where id = ${id}`, () =>
    olivia.api.webhooks.tryWebhook({ webhook_id: id }),
  )
  expect(outcome).toEqual({ status: 404, body: 'Webhook not found!' })
})
