import type { Reason } from '@afterglow/contract/reasons'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { enter, type Member } from '../../../test/cast.ts'
import { acquaint, notificationsOf, openNotifiedApp, traceOfNewest } from '../../../test/notified.ts'
import { evening } from '../../../test/party.ts'
import type { WebPushAnswer } from '../../../test/push/web-push-service.ts'
import { sayReasons } from '../../words/reasons.ts'

const { app, subscribe, another, quiet } = await openNotifiedApp()
const olivia = await enter(app, 'olivia')

const ring = async (member: Member) => {
  await acquaint(app, olivia, member)
  const { id: event_id } = await olivia.api.events.saveEvent(evening())
  await olivia.api.events.invite({ event_id, user_ids: [member.id] })
}
const saying =
  (...statuses: [number, Record<string, string>?][]): WebPushAnswer =>
  reply => {
    const [status, headers] = (statuses.length > 1 ? statuses.shift() : statuses[0]) ?? [201]
    reply.writeHead(status, headers).end()
  }
/** The outcome of somebody's pushes according to the operator's database. */
const outcomesOf = async (member: Member) => {
  const { rows } = await sql<{ outcome: Reason[] | null }>`
    select d.outcome from deliveries d join notifications n on n.id = d.notification_id
    where n.user_id = ${member.id} and d.way = 'push' order by d.created_at, d.device_row`.execute(app.db)
  return rows.map(({ outcome }) => outcome && sayReasons('en', outcome))
}
const hasAddress = async (member: Member) => {
  const { rows } = await sql`select from push_addresses a join devices d on d.id = a.device_row
    where d.user_id = ${member.id}`.execute(app.db)
  return rows.length
}

test('an address that is gone is dropped, and only that one', async () => {
  const gus = await enter(app, 'gus')
  const laptop = await another(gus, 'laptop')
  await subscribe(gus, saying([410]))
  const other = await subscribe(laptop)
  await ring(gus)
  await quiet()
  expect(await hasAddress(gus)).toBe(1)
  expect(other.messages()).toHaveLength(1)
  expect((await outcomesOf(gus))[0]).toContain('so the address was removed.')
  await ring(gus)
  await quiet()
  expect(other.messages()).toHaveLength(2)
})

test('the next push says what was read elsewhere meanwhile, and how many wait unread', async () => {
  const gus = await enter(app, 'gus')
  const laptop = await another(gus, 'laptop')
  const browser = await subscribe(laptop)
  await ring(gus)
  await quiet()
  const [first] = await notificationsOf(gus)
  expect(browser.messages()).toMatchObject([{ id: String(first?.id), unread: 1 }])
  expect(browser.messages()[0]).not.toHaveProperty('read')
  await gus.api.notifications.readNotification({ notification_id: first?.id ?? 0 })
  await ring(gus)
  await quiet()
  expect(browser.messages()[1]).toMatchObject({ unread: 1, read: [String(first?.id)] })
})

test('a service in trouble is asked again, with the same id, until it takes the push', async () => {
  const gus = await enter(app, 'gus')
  const browser = await subscribe(gus, saying([500], [503], [201]))
  await ring(gus)
  await quiet()
  expect(browser.messages()).toHaveLength(3)
  expect(new Set(browser.messages().map(({ id }) => id)).size).toBe(1)
  expect((await traceOfNewest(gus))[0]).toMatch(/push delivered\..*The push service accepted it\.$/)
})

test('a service that asks for a pause gets it', async () => {
  const gus = await enter(app, 'gus')
  const arrived: number[] = []
  const answer = saying([429, { 'Retry-After': '2' }], [201])
  await subscribe(gus, (reply, request) => {
    arrived.push(performance.now())
    answer(reply, request)
  })
  await ring(gus)
  await expect.poll(() => arrived.length).toBe(1)
  await expect.poll(() => outcomesOf(gus)).toEqual([expect.stringContaining('The next attempt is in 2 seconds.')])
  await quiet()
  expect(arrived).toHaveLength(2)
  expect((arrived[1] ?? 0) - (arrived[0] ?? 0)).toBeGreaterThan(1950)
})

test('a person who reads it during the pause gets no second try', async () => {
  const gus = await enter(app, 'gus')
  const browser = await subscribe(gus, saying([500]))
  await ring(gus)
  await expect.poll(() => browser.messages()).toHaveLength(1)
  await gus.api.notifications.readAllNotifications()
  await quiet()
  expect(browser.messages().length).toBeLessThanOrEqual(2)
  expect((await traceOfNewest(gus))[0]).toMatch(/push skipped\..*It had already been read\.$/)
})

test('a refusal is final, noted for the operator, and keeps the address', async () => {
  const gus = await enter(app, 'gus')
  const browser = await subscribe(gus, saying([403]))
  await ring(gus)
  await quiet()
  expect(browser.messages()).toHaveLength(1)
  expect(await hasAddress(gus)).toBe(1)
  expect((await outcomesOf(gus))[0]).toContain("does not accept this server's credentials (403).")
})

test('a service that hangs holds up nobody who acts', async () => {
  const gus = await enter(app, 'gus')
  const hanging: (() => void)[] = []
  const browser = await subscribe(gus, reply => {
    hanging.push(() => reply.writeHead(201).end())
  })
  await ring(gus)
  await expect.poll(() => hanging).toHaveLength(1)
  // The whole act, including its reply, while the first push waits for its answer; the second is queued behind it.
  await ring(gus)
  expect(hanging).toHaveLength(1)
  hanging[0]?.()
  await expect.poll(() => hanging).toHaveLength(2)
  hanging[1]?.()
  await quiet()
  expect(browser.messages()).toHaveLength(2)
  expect(await traceOfNewest(gus)).toEqual([expect.stringContaining('push delivered')])
})

test('a push that a killed process left half sent is sent once more, with the same id, and never a third time', async () => {
  const gus = await enter(app, 'gus')
  const browser = await subscribe(gus)
  await ring(gus)
  await quiet()
  /** As left by a process that dies between a push and its record: marked as sent, with the job still there. */
  const die = async (interruptions: number) => {
    const { rows } = await sql<{ notification_id: number; device_row: number }>`
      update deliveries set state = 'sent', outcome = null, interruptions = ${interruptions}
      where notification_id in (select id from notifications where user_id = ${gus.id})
      returning notification_id, device_row`.execute(app.db)
    const pairs = rows.map(row => [row.notification_id, row.device_row])
    await sql`insert into jobs (task, payload) values ('push', ${JSON.stringify({ pairs, lane: 'push web' })})`.execute(
      app.db,
    )
    await quiet()
  }
  await die(0)
  expect(browser.messages()).toHaveLength(2)
  expect(new Set(browser.messages().map(({ id }) => id)).size).toBe(1)
  await die(1)
  expect(browser.messages()).toHaveLength(2)
  expect((await traceOfNewest(gus))[0]).toContain('This server stopped twice while sending it.')
})

test('a subscription that leads inside, or is none, is refused', async () => {
  const gus = await enter(app, 'gus')
  const { p256dh: push_p256dh, auth: push_auth } = (await subscribe(gus)).subscription
  for (const push_endpoint of ['https://127.0.0.1/push', 'http://push.example/x', 'https://localhost/x', 'nonsense'])
    await expect(gus.api.notifications.registerDevice({ push_endpoint, push_p256dh, push_auth })).rejects.toMatchObject(
      { status: 400, body: { push_endpoint: [expect.any(String)] } },
    )
  expect(await hasAddress(gus)).toBe(1)
})

test('a trace tells nobody whether or how the host of an address answered, and nothing of when', async () => {
  const members = await Promise.all(Array.from({ length: 5 }, () => enter(app, 'gus')))
  const [answers, ...others] = members as [Member, Member, Member, Member, Member]
  const statuses = [[403], [302], [404], [500]] as const
  await subscribe(answers)
  await Promise.all(others.map((member, at) => subscribe(member, saying([...(statuses[at] ?? [500])]))))
  const { p256dh: push_p256dh, auth: push_auth } = (await subscribe(answers)).subscription
  const deaf = await enter(app, 'gus')
  const push_endpoint = 'https://no-such-host.invalid/push'
  await deaf.api.notifications.registerDevice({ push_endpoint, push_p256dh, push_auth })
  const foreign = [...others, deaf]
  for (const member of [...members, deaf]) await ring(member)
  const noted = () => Promise.all([...members, deaf].map(async member => (await outcomesOf(member))[0]))
  await expect.poll(noted).toEqual([...members, deaf].map(() => expect.any(String)))
  expect(new Set(await noted()).size).toBe(6)

  const shown = async (member: Member) => {
    const [newest] = await notificationsOf(member)
    const { deliveries } = await member.api.notifications.traceNotification({ notification_id: newest?.id ?? 0 })
    return deliveries.map(({ state, reason, created_at, updated_at }) => [state, reason, updated_at === created_at])
  }
  expect((await shown(answers))[0]?.[0]).toBe('delivered')
  const soon = ['waiting', 'The app was not active. So it was sent as a push.', true]
  for (const member of foreign) expect(await shown(member)).toEqual([soon])
  await sql`update deliveries set created_at = created_at - interval '1 minute'`.execute(app.db)
  await sql`update notifications set rung_at = rung_at - interval '1 minute'`.execute(app.db)
  const later = [
    'failed',
    "The app was not active. So it was sent as a push. The browser's push service did not accept it.",
    expect.any(Boolean),
  ]
  for (const member of foreign) expect(await shown(member)).toEqual([later])
})
