import { reasons } from '@afterglow/contract/reasons'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { enter } from '../../test/cast.ts'
import { openNotifiedApp } from '../../test/notified.ts'
import { evening } from '../../test/party.ts'
import { textsOf } from '../../test/statements.ts'
import { transact } from '../platform/database/database.ts'
import { saveNotifications } from './notification-writer-store.ts'
import { markWithdrawn } from './notifications-store.ts'

const { app, quiet, service } = await openNotifiedApp()
const olivia = await enter(app, 'olivia')

/**
 * An event with this many guests, each with a phone that receives pushes; created by SQL, because registration takes
 * the time of a password hash.
 */
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
  (await sql<{ id: number }>`select last_value as id from jobs_id_seq`.execute(app.db)).rows[0]?.id ?? 0

/** The statements of a cancellation apart from its request. */
const costOf = async (guests: number) => {
  const event_id = await crowd(guests)
  const before = await lastJob()
  const texts = await textsOf(async () => {
    await olivia.api.events.cancelEvent({ event_id })
    await quiet()
  }, 'afterglow background')
  const { rows } = await sql<{ state: string; count: number }>`
    select d.state, count(*) from deliveries d join notifications n on n.id = d.notification_id
    where n.event_id = ${event_id} group by 1`.execute(app.db)
  // While pushes are being sent, their outcomes are recorded every 200 ms: as often as a busy machine makes it.
  const recorded = texts.filter(text => text.includes('update deliveries d set state')).length
  return { statements: texts.length, recorded, jobs: (await lastJob()) - before, rows }
}

test('telling 300 people takes as many statements and jobs as telling one', async () => {
  await costOf(1)
  const one = await costOf(1)
  const many = await costOf(300)
  expect(one.rows).toEqual([{ state: 'delivered', count: 1 }])
  expect(many.rows).toEqual([{ state: 'delivered', count: 300 }])
  // The change's job rings, and one job sends all pushes; work done every minute may come in between.
  expect(many.jobs).toBeLessThanOrEqual(3)
  // Outcomes are recorded many at once, each time by a few statements.
  expect(many.recorded).toBeLessThan(150)
  expect(many.statements - one.statements).toBeLessThan(20 + 6 * (many.recorded - one.recorded))
})

test('telling people something newer than what they have not read yet writes to no index', async () => {
  const eventId = await crowd(4)
  const updates = await transact(app.db, async tx => {
    const { rows: guests } = await sql<{ id: number }>`
      select user_id as id from members where event_id = ${eventId}`.execute(tx)
    for (const subjectId of [1, 2])
      await saveNotifications(tx, {
        notices: [
          {
            kind: 'message',
            to: [],
            values: { text: `message ${subjectId}` },
            link: `/events/${eventId}/chat?message=${subjectId}`,
            eventId,
            subjectId,
            tag: 'chat:1',
            actorId: olivia.id,
            reason: reasons.inChat,
          },
        ],
        told: guests.map(({ id }) => ({ notice: 0, userId: id, count: 1, silenced: null, by: new Set([olivia.id]) })),
        changeId: subjectId,
        ringAgainMs: 10_000,
      })
    const { rows } = await sql<{ all: number; in_place: number }>`
      select n_tup_upd as all, n_tup_hot_upd as in_place from pg_stat_xact_user_tables
      where relname = 'notifications'`.execute(tx)
    return rows
  })
  expect(updates).toEqual([{ all: 5, in_place: 5 }])
})

test('a deletion finds its notifications without reading the thousands of its event', async () => {
  const eventId = await crowd(50)
  const asked = await olivia.api.events.readEvent({ event_id: eventId })
  const message = await olivia.api.chats.saveMessage({
    group_chat_id: asked.group_chat_id,
    message_content: 'Look here',
  })
  await olivia.api.chats.pinMessage({ message_id: Number(message.id) })
  await quiet()
  await sql`
    insert into notifications (user_id, kind, actor_id, event_id, subject_id, tag, text_values, link, reasons, read_at)
    select user_id, 'message', user_id, event_id, n, 'chat:' || n, '{}', '/', '[]', now()
    from generate_series(1, 100) n, members where event_id = ${eventId}`.execute(app.db)
  await sql`analyze notifications`.execute(app.db)
  const [withdrawn, seen] = await transact(app.db, async tx => {
    const taken = await markWithdrawn(tx, { eventId, tags: [`message:${message.id}:pin`] }, reasons.deleted)
    const { rows } = await sql<{ seen: number }>`
      select (pg_stat_get_xact_tuples_returned('notifications'::regclass)
        + coalesce(sum(pg_stat_get_xact_tuples_returned(indexrelid)), 0))::int as seen
      from pg_index where indrelid = 'notifications'::regclass`.execute(tx)
    return [taken, rows[0]?.seen ?? 0]
  })
  expect(withdrawn).toHaveLength(50)
  expect(seen).toBeLessThan(1000)
})
