import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { enter } from '../../test/cast.ts'
import { openNotifiedApp } from '../../test/notified.ts'
import { evening } from '../../test/party.ts'
import { statementsOf } from '../../test/statements.ts'

const { app, quiet, service } = await openNotifiedApp()
const olivia = await enter(app, 'olivia')

/** An event with that many guests, each with a phone that gets push; made by SQL, as registering takes a password's time. */
const crowd = async (guests: number) => {
  const { id } = await olivia.api.events.saveEvent(evening())
  const { subscription } = service.subscribe()
  await sql`
    with people as (
      insert into users (first_name, last_name, username, email, timezone)
      select 'Guest', n::text, ${`crowd${id}.`} || n, ${`crowd${id}.`} || n || '@example.com', 'UTC'
      from generate_series(1, ${guests}::int) n returning id
    ), phones as (
      insert into devices (user_id, device_id, platform, timezone, token_hash, token_expires_at)
      select id, 'phone', 'web', 'UTC', sha256(id::text::bytea), now() + interval '1 day' from people returning id
    ), reached as (
      insert into push_addresses (device_row, address, fingerprint)
      select id, jsonb_build_object('platform', 'web', 'subscription', jsonb_build_object('p256dh',
        ${subscription.p256dh}::text, 'auth', ${subscription.auth}::text, 'endpoint', ${subscription.endpoint}::text)),
        sha256(('address' || id)::bytea) from phones
    )
    insert into guests (event_id, user_id) select ${id}, id from people`.execute(app.db)
  return id
}
const lastJob = async () =>
  (await sql<{ id: number }>`select last_value as id from graphile_worker.jobs_id_seq1`.execute(app.db)).rows[0]?.id ??
  0

/** What a cancellation costs apart from its request. */
const costOf = async (guests: number) => {
  const event_id = await crowd(guests)
  const before = await lastJob()
  const began = performance.now()
  const statements = await statementsOf(async () => {
    await olivia.api.events.cancelEvent({ event_id })
    await quiet()
  }, 'afterglow background')
  const { rows } = await sql<{ state: string; count: number }>`
    select d.state, count(*) from deliveries d join notifications n on n.id = d.notification_id
    where n.event_id = ${event_id} group by 1`.execute(app.db)
  return { statements, ms: performance.now() - began, jobs: (await lastJob()) - before, rows }
}

test('telling 300 people takes as many statements and jobs as telling one', async () => {
  await costOf(1)
  const one = await costOf(1)
  const many = await costOf(300)
  expect(one.rows).toEqual([{ state: 'delivered', count: 1 }])
  expect(many.rows).toEqual([{ state: 'delivered', count: 300 }])
  // The job of the change rings, and one job sends all pushes; what is done each minute may come in between.
  expect(many.jobs).toBeLessThanOrEqual(3)
  // While pushes are on their way their outcomes are noted every 200 ms, not one by one.
  expect(many.statements - one.statements).toBeLessThan(20 + many.ms / 100)
})
