import { fileURLToPath } from 'node:url'
import { sql } from 'kysely'
import { afterAll, expect, test } from 'vitest'
import { enter, type Member } from '../../test/cast.ts'
import { full } from '../../test/full.ts'
import { openMailServer } from '../../test/mail/mail-server.ts'
import { type Node, openNodes } from '../../test/nodes.ts'
import { notificationsOf, traceOfNewest } from '../../test/notified.ts'
import { bringIn, evening } from '../../test/party.ts'
import { png } from '../../test/pictures.ts'
import { openWebPushService } from '../../test/push/web-push-service.ts'
import { whenDone } from '../../test/when-done.ts'
import { openDatabase } from '../platform/database/database.ts'

const service = await openWebPushService()
afterAll(() => service.close())
const mails = await openMailServer()
const { first, another, databaseUrl } = await openNodes({
  ...mails.env,
  PUBLIC_URL: 'https://party.example',
  PUSH_PRIVATE_ORIGINS: service.origin,
  NODE_EXTRA_CA_CERTS: fileURLToPath(new URL('../../test/tls/authority.pem', import.meta.url)),
})
let living: Node = first

test('a server killed while it sends, or before it told anybody, loses nothing: the next one sends it, with the same id', async () => {
  const olivia = await enter(first, 'olivia')
  const gus = await enter(first, 'gus')
  let hangs = true
  const browser = service.subscribe(reply => {
    if (!hangs) reply.writeHead(201).end()
  })
  const { endpoint: push_endpoint, p256dh: push_p256dh, auth: push_auth } = browser.subscription
  // Strangers ring once an hour; these two know each other.
  await gus.api.people.befriend({ user_id: olivia.id })
  await olivia.api.people.befriend({ user_id: gus.id })
  await gus.api.notifications.registerDevice({ push_endpoint, push_p256dh, push_auth })
  const invite = async () => {
    const { id: event_id } = await olivia.api.events.saveEvent(evening())
    await olivia.api.events.invite({ event_id, user_ids: [gus.id] })
  }
  await invite()
  await expect.poll(() => browser.messages()).toHaveLength(1)
  await invite()
  await first.kill()
  hangs = false

  living = await another()
  const later: Pick<Member, 'api'> = { api: living.as(gus.token) }
  const ids = async () => (await notificationsOf(later)).map(({ id }) => id)
  await expect.poll(async () => (await ids()).length).toBe(2)
  const [newest, oldest] = await ids()
  const sent = () => browser.messages().map(({ id }) => Number(id))
  await expect.poll(() => sent().sort()).toEqual(expect.arrayContaining([oldest, oldest, newest]))
  await expect.poll(() => traceOfNewest(later)).toEqual([expect.stringContaining('push delivered')])
  expect(sent().filter(id => id === oldest)).toHaveLength(2)
  expect(sent().filter(id => id === newest).length).toBeLessThanOrEqual(2)
})

/* Everything held, folded, postponed or sent by the clock, while one of two processes is killed again and again. */

const db = openDatabase(databaseUrl, { connections: 2 })
whenDone(() => db.destroy())

/** Everything that is due is done, including what a killed process had begun. */
const settled = async () => {
  const left = async () =>
    (
      await sql<{ left: number }>`select (select count(*) from unnotified_changes) + (select count(*)
        from jobs where run_at <= now()) as left`.execute(db)
    ).rows[0]?.left
  await expect.poll(left).toBe(0)
}
/** An hour passes for everything waiting for a ring, and everybody's quiet hours end. */
const later = async () => {
  await sql`update ring_budgets set rung_at = array(select at - 3600000 from unnest(rung_at) at)`.execute(db)
  await sql`update notifications set ring_at = now() where ring_at is not null`.execute(db)
  await sql`update notification_settings set quiet_from = null, quiet_until = null`.execute(db)
  await sql`update jobs set run_at = now() where held_by is null`.execute(db)
  await settled()
}
/** By two processes at once. */
const clock = () =>
  sql`insert into jobs (task, payload) select task, '{}' from unnest(array['tellPhotos', 'tellRecaps', 'remind', 'digest']) task,
    generate_series(1, 2)`.execute(db)

const rounds = full ? 12 : 1

test('reminders, held notifications and those that wait for a ring come exactly once, though processes are killed', {
  timeout: 60_000 + rounds * 60_000,
}, async () => {
  let other = await another()
  const olivia = await enter(living, 'olivia')
  const [gus, ana] = [await enter(living, 'gus'), await enter(living, 'ana')]
  const browsers = new Map<number, ReturnType<typeof service.subscribe>>()
  for (const guest of [gus, ana]) {
    const browser = service.subscribe(reply => setTimeout(() => reply.writeHead(201).end(), 50))
    const { endpoint: push_endpoint, p256dh: push_p256dh, auth: push_auth } = browser.subscription
    await guest.api.notifications.registerDevice({ push_endpoint, push_p256dh, push_auth })
    browsers.set(guest.id, browser)
  }
  const sent = (to: Member) => browsers.get(to.id)?.messages() ?? []

  for (let round = 1; round <= rounds; round += 1) {
    const { id: event_id, group_chat_id } = await olivia.api.events.saveEvent(evening())
    const { id: soon } = await olivia.api.events.saveEvent(evening({ event_name: 'Breakfast' }))
    for (const id of [event_id, soon]) for (const guest of [gus, ana]) await bringIn(olivia, id, guest)
    for (const shade of [1, 2])
      await olivia.api.gallery.uploadPhoto({
        event_id,
        image: new Blob([await png({ width: 8 * round, height: 8 * shade })]),
      })
    const { id: message } = await olivia.api.chats.saveMessage({ group_chat_id, message_content: 'Bring blankets.' })
    // Somebody who was never here has missed that.
    await sql`
      with asha as (insert into users (first_name, last_name, username, email, status, timezone)
        values ('Asha', 'A', ${`asha.${event_id}`}, ${`asha.${event_id}@party.example`}, 1, ${noon()}) returning id),
      missed as (insert into notifications (user_id, kind, actor_id, tag, text_values, link, reasons)
        select id, 'friend_request', ${olivia.id}, 'x', '{"actor": "Olivia"}', '/', '[]' from asha)
      insert into guests (event_id, user_id) select ${event_id}, id from asha`.execute(db)
    await settled()
    await later()
    for (const guest of [gus, ana]) await guest.api.notifications.readAllNotifications()
    const before = new Map([gus, ana].map(guest => [guest.id, sent(guest).length]))
    // Gus sleeps; Ana is rung once an hour.
    await gus.api.notifications.saveNotificationSettings({ quiet_from: hourFrom(-2), quiet_until: hourFrom(3) })
    await ana.api.notifications.saveNotificationSettings({ rings_per_hour: 1 })
    await sql`delete from ring_budgets where user_id in (${gus.id}, ${ana.id})`.execute(db)
    await sql`update events set planned_at = now() - interval '9 days', starts_at = now() + interval '100 minutes' where id = ${soon}`.execute(
      db,
    )
    await sql`update untold_photos set added_at = now() - interval '5 minutes' where event_id = ${event_id}`.execute(db)

    await Promise.all([
      olivia.api.announcements.makeAnnouncement({ event_id, announcement_text: 'The boat leaves at nine.' }),
      olivia.api.chats.pinMessage({ message_id: Number(message) }),
    ])
    await sql`update events set starts_at = now() - interval '30 hours', ends_at = now() - interval '25 hours' where id = ${event_id}`.execute(
      db,
    )
    await clock()
    await expect.poll(() => sent(ana).length).toBeGreaterThan(before.get(ana.id) ?? 0)
    await living.kill()
    living = other
    for (const member of [olivia, gus, ana]) member.api = living.as(member.token)
    if (round < rounds) other = await another()
    await clock()
    await settled()
    for (let hour = 0; hour < 4; hour += 1) await later()

    const { rows: told } = await sql<{ kind: string; user_id: number; rows: number; acts: number }>`
      select kind, user_id, count(*) as rows, sum(count)::int as acts from notifications
      where event_id in (${event_id}, ${soon}) and user_id in (${gus.id}, ${ana.id})
        and kind in ('announcement', 'message_pinned', 'photos_added', 'recap', 'reminder')
      group by 1, 2 order by 1, 2`.execute(db)
    expect(told).toEqual(
      ['announcement', 'message_pinned', 'photos_added', 'recap', 'reminder'].flatMap(kind =>
        [gus, ana].map(({ id: user_id }) => ({ kind, user_id, rows: 1, acts: kind === 'photos_added' ? 2 : 1 })),
      ),
    )
    const { rows: pushes } = await sql<{ id: number; user_id: number; kind: string; state: string; most: number }>`
      select n.id, n.user_id, n.kind, d.state, 1 + d.interruptions as most from deliveries d join notifications n on n.id = d.notification_id
      where n.user_id in (${gus.id}, ${ana.id}) and n.event_id in (${event_id}, ${soon}) and n.read_at is null and d.way = 'push'`.execute(
      db,
    )
    expect(pushes.filter(({ state }) => !['delivered', 'skipped'].includes(state))).toEqual([])
    const times = (guest: Member, id: string) =>
      sent(guest)
        .slice(before.get(guest.id))
        .filter(message => message.id === id && message.tag !== 'rolling').length
    for (const { id, user_id, state, most } of pushes) {
      const came = times(user_id === gus.id ? gus : ana, String(id))
      expect([came >= (state === 'delivered' ? 1 : 0), came <= most], `${id}: ${state}, ${came} times`).toEqual([
        true,
        true,
      ])
    }
    // Her one ring an hour goes to the most important; after his night, everything arrives at once as one.
    const better = (guest: Member) =>
      [
        ...new Set(pushes.filter(one => one.user_id === guest.id && one.state === 'delivered').map(({ kind }) => kind)),
      ].sort()
    expect(better(ana)).toEqual(expect.arrayContaining(['announcement', 'reminder']))
    const together = sent(gus)
      .slice(before.get(gus.id))
      .filter(({ tag }) => tag === 'quiet')
    expect(new Set(together.map(({ id }) => id)).size).toBe(1)
    const { rows: digests } = await sql<{ sent: boolean }>`
      select g.sent_at is not null as sent from mail_digests g join users u on u.id = g.user_id where u.username = ${`asha.${event_id}`}`.execute(
      db,
    )
    const mailed = mails.arrived.filter(({ envelopeTo }) =>
      envelopeTo.includes(`asha.${event_id}@party.example`),
    ).length
    expect(digests).toHaveLength(1)
    expect(mailed).toBeLessThanOrEqual(1)
    for (const guest of [gus, ana]) await guest.api.notifications.readAllNotifications()
  }
})

const hourFrom = (hours: number) => new Date(Date.now() + hours * 3_600_000).toISOString().slice(11, 16)
/** A time zone where it is noon: nobody is mailed at night. */
const noon = () => {
  const ahead = 12 - new Date().getUTCHours()
  return `Etc/GMT${ahead > 0 ? '-' : '+'}${Math.abs(ahead)}`
}
