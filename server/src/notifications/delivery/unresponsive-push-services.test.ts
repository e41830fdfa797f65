import { once } from 'node:events'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import type { Reason } from '@afterglow/contract/reasons'
import { sql } from 'kysely'
import { pino } from 'pino'
import { expect, test } from 'vitest'
import { openTestApp } from '../../../test/app.ts'
import { enter, type Member } from '../../../test/cast.ts'
import { quick } from '../../../test/notified.ts'
import { evening } from '../../../test/party.ts'
import { openWebPushService } from '../../../test/push/web-push-service.ts'
import { whenDone } from '../../../test/when-done.ts'
import { openPush } from '../../platform/push/senders.ts'
import { newVapidKeys } from '../../platform/push/web-push/vapid-keys.ts'
import { sayReasons } from '../../words/reasons.ts'

/** Accepts connections and never says a word. */
const openSilentHost = async () => {
  const sockets = new Set<Socket>()
  let taken = 0
  const server = createServer(socket => {
    taken += 1
    sockets.add(socket.on('error', () => {}).resume())
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  whenDone(async () => {
    for (const socket of sockets) socket.destroy()
    server.close()
  })
  return { origin: `https://localhost:${(server.address() as AddressInfo).port}`, taken: () => taken }
}

const honest = await openWebPushService()
const stranger = await openWebPushService()
whenDone(async () => {
  await honest.close()
  await stranger.close()
})
const silent = await Promise.all(Array.from({ length: 6 }, openSilentHost))
const [silentHost] = silent

const openApp = (connectMs: number) => {
  const privateOrigins = [honest.origin, stranger.origin, ...silent.map(({ origin }) => origin)]
  const { ca } = honest
  const subject = 'mailto:operator@party.example'
  const webPush = { keys: newVapidKeys(), subject, privateOrigins, knownOrigins: [honest.origin], ca, connectMs }
  const push = openPush({ webPush: { ...webPush, timeoutMs: 60_000 }, log: pino({ level: 'silent' }) })
  return openTestApp({}, { env: { PUSH_PRIVATE_ORIGINS: privateOrigins.join(',') }, push, timing: quick })
}
type App = Awaited<ReturnType<typeof openApp>>

/** A browser of the member's that receives pushes at this host. */
const subscribeAt = async (member: Member, origin: string, service = honest) => {
  const browser = service.subscribe()
  const { endpoint, p256dh, auth } = browser.subscription
  await member.api.notifications.registerDevice({
    push_endpoint: endpoint.replace(service.origin, origin),
    push_p256dh: p256dh,
    push_auth: auth,
  })
  return browser
}
const addressOf = async (app: App, member: Member) => {
  const { rows } = await sql<{ silences: number; rests: boolean }>`
    select a.silences, coalesce(a.rests_until > now(), false) as rests from push_addresses a
    join devices d on d.id = a.device_row where d.user_id = ${member.id}`.execute(app.db)
  return rows[0]
}
/** The newest push to somebody according to the operator's database. */
const outcomeOf = async (app: App, member: Member) => {
  const { rows } = await sql<{ outcome: Reason[] | null }>`
    select d.outcome from deliveries d join notifications n on n.id = d.notification_id
    where n.user_id = ${member.id} and d.way = 'push' order by n.id desc limit 1`.execute(app.db)
  return rows[0]?.outcome && sayReasons('en', rows[0].outcome)
}
/** As one that has been silent that often and for that long, and is paused until then. */
const havingBeenSilent = (app: App, member: Member, silences: number, since: string, restsFor: string) =>
  sql`update push_addresses a set silences = ${silences}, silent_since = now() - ${since}::interval,
    rests_until = now() + ${restsFor}::interval from devices d
    where d.id = a.device_row and d.user_id = ${member.id}`.execute(app.db)

const inviting = async (app: App) => {
  const olivia = await enter(app, 'olivia')
  /** Strangers ring only once an hour. */
  const befriend = async (member: Member) => {
    await member.api.people.befriend({ user_id: olivia.id })
    await olivia.api.people.befriend({ user_id: member.id })
  }
  const invite = async (...members: Member[]) => {
    const { id: event_id } = await olivia.api.events.saveEvent(evening())
    await olivia.api.events.invite({ event_id, user_ids: members.map(({ id }) => id) })
  }
  return { befriend, invite }
}

test('180 addresses that take connections and say nothing hold up no push to others', { tags: 'slow' }, async () => {
  const app = await openApp(120_000)
  const { befriend, invite } = await inviting(app)
  const quiet = await Promise.all(Array.from({ length: 9 }, () => enter(app, 'sam')))
  const gus = await enter(app, 'gus')
  await befriend(gus)
  for (const [at, member] of quiet.entries()) {
    const { endpoint, ...keys } = honest.subscribe().subscription
    await sql`with theirs as (
        insert into devices (user_id, device_id, platform, timezone, token_hash, token_expires_at)
        select ${member.id}, 'silent ' || n, 'web', 'UTC', sha256((${member.id} || ' ' || n)::bytea), now() + interval '1 day'
        from generate_series(1, 20) n returning id)
      insert into push_addresses (device_row, address, fingerprint)
      select id, jsonb_build_object('platform', 'web', 'subscription', ${JSON.stringify(keys)}::jsonb
        || jsonb_build_object('endpoint', ${silent[at % silent.length]?.origin}::text || '/' || id)), sha256(id::text::bytea)
      from theirs`.execute(app.db)
  }
  const browser = await subscribeAt(gus, honest.origin)
  await invite(...quiet)
  await expect.poll(() => silent.reduce((sum, { taken }) => sum + taken(), 0)).toBeGreaterThan(0)
  for (let times = 1; times <= 5; times++) {
    await invite(gus)
    await expect.poll(() => browser.messages().length).toBe(times)
  }
  // None of the others was waited for.
  const { rows } = await sql<{ state: string }>`select distinct d.state from deliveries d
    join notifications n on n.id = d.notification_id where d.way = 'push' and n.user_id <> ${gus.id}`.execute(app.db)
  expect(rows.map(({ state }) => state).filter(state => state !== 'sent' && state !== 'waiting')).toEqual([])
})

test('an address that does not answer rests longer each time, and is dropped after a week of silence', async () => {
  const app = await openApp(300)
  const { befriend, invite } = await inviting(app)
  const gus = await enter(app, 'gus')
  await befriend(gus)
  await subscribeAt(gus, silentHost?.origin ?? '')
  await invite(gus)
  await expect.poll(() => outcomeOf(app, gus)).toEqual(expect.stringContaining('The next attempt is in 30 seconds.'))
  expect(await addressOf(app, gus)).toEqual({ silences: 1, rests: true })

  // While it is paused nobody tries, and pushes are not kept for hours.
  await havingBeenSilent(app, gus, 9, '2 days', '3 hours')
  const before = silentHost?.taken()
  await invite(gus)
  await expect
    .poll(() => outcomeOf(app, gus))
    .toEqual(expect.stringContaining('so we are waiting before trying again.'))
  expect(silentHost?.taken()).toBe(before)

  await havingBeenSilent(app, gus, 9, '8 days', '-1 second')
  await invite(gus)
  await expect.poll(() => outcomeOf(app, gus)).toEqual(expect.stringContaining('has not answered for a week'))
  expect(await addressOf(app, gus)).toBe(undefined)
})

test('one that answers again has its silence forgotten', async () => {
  const app = await openApp(5_000)
  const { befriend, invite } = await inviting(app)
  const gus = await enter(app, 'gus')
  await befriend(gus)
  const browser = await subscribeAt(gus, stranger.origin, stranger)
  await havingBeenSilent(app, gus, 9, '8 days', '-1 second')
  await invite(gus)
  await expect.poll(() => browser.messages()).toHaveLength(1)
  await expect.poll(() => addressOf(app, gus)).toEqual({ silences: 0, rests: false })
})
