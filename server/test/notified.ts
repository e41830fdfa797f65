import { setTimeout as sleep } from 'node:timers/promises'
import { type RawBuilder, sql } from 'kysely'
import { pino } from 'pino'
import { openPush } from '../src/platform/push/senders.ts'
import { newVapidKeys } from '../src/platform/push/web-push/vapid-keys.ts'
import { openTestApp, type Surroundings, type TestApp } from './app.ts'
import type { Member } from './cast.ts'
import { openWebPushService, type WebPushAnswer } from './push/web-push-service.ts'
import { whenDone } from './when-done.ts'

/** Delays short enough for a test. */
export const quick = {
  ringsPerHour: 1000,
  acknowledgeMs: 300,
  ringAgainMs: 60,
  pushRetryMs: 100,
  gatherMs: 5,
  restsFor: 3,
}

/** The service with a push service, and functions to read deliveries. */
export const openNotifiedApp = async ({ env, timing, webClient, video }: Surroundings = {}) => {
  const service = await openWebPushService()
  whenDone(() => service.close())
  const log = pino({ level: process.env.TEST_LOG ?? 'silent' })
  const subject = 'mailto:operator@party.example'
  const { origin, ca } = service
  const push = openPush({
    // A hanging service is released by its test; a busy machine does not hang.
    webPush: { keys: newVapidKeys(), subject, privateOrigins: [origin], ca, timeoutMs: 60_000 },
    log,
  })
  const app = await openTestApp(
    {},
    { env: { PUSH_PRIVATE_ORIGINS: origin, ...env }, push, timing: { ...quick, ...timing }, webClient, video },
  )

  /** Subscribes a browser of the member to push; returns what reached it. */
  const subscribe = async (member: Pick<Member, 'api'>, answer?: WebPushAnswer) => {
    const browser = service.subscribe(answer)
    const { endpoint, p256dh, auth } = browser.subscription
    await member.api.notifications.registerDevice({ push_endpoint: endpoint, push_p256dh: p256dh, push_auth: auth })
    return browser
  }

  /** Signs the member in on one more device. */
  const another = async (member: Member, device_id: string): Promise<Member> => {
    const { token } = await app.as().accounts.authenticate({
      user_login_option_type: 1,
      user_login_id: member.email,
      user_password: member.password,
      device_id,
      user_timezone: 'UTC',
      user_device_platform: 'web',
    })
    return { ...member, token, api: app.as(token), extra: app.withExtra(token) }
  }

  /** A member's unread notifications: kind, title, text, link and the number of acts behind each. */
  const unread = async (member: Pick<Member, 'api'>) => {
    await quiet(app)
    const waiting = (await notificationsOf(member)).filter(({ read }) => !read)
    return waiting.map(one => [
      one.notification_kind,
      one.notification_title,
      one.notification_body,
      one.notification_link,
      one.notification_count,
    ])
  }
  const kinds = async (member: Pick<Member, 'api'>) => (await unread(member)).map(([kind]) => kind)

  return { app, service, subscribe, another, unread, kinds, quiet: () => quiet(app) }
}

/** Makes two people friends, whose invitations ring each time: those of strangers ring once an hour. */
export const acquaint = (app: TestApp, one: Pick<Member, 'id'>, other: Pick<Member, 'id'>) =>
  sql`insert into friendships (user_id, friend_id, found_by) values (${one.id}, ${other.id}, ''), (${other.id}, ${one.id}, '')
    on conflict do nothing`.execute(app.db)

/** Waits until nothing is left that could ring: every change has its notices, and no job is left, now or later. */
export const quiet = async (app: TestApp) => {
  // Links to an event's pictures end seconds after a removal; tests about that check it themselves.
  await sql`update jobs set run_at = now() where task = 'endLinks' and run_at > now()`.execute(app.db)
  await nothingLeft(app, sql`true`)
}

/** The same for due work: postponed work may wait. */
export const settled = (app: TestApp) => nothingLeft(app, sql`run_at <= now()`)

const nothingLeft = async ({ db }: TestApp, awaited: RawBuilder<unknown>) => {
  for (const until = Date.now() + 40_000; ; ) {
    const { rows } = await sql<{ left: number; due: boolean }>`
      select (select count(*) from unnotified_changes) + (select count(*) from jobs where failed_at is null and ${awaited}) as left,
        exists (select from jobs where failed_at is null and run_at <= now() and held_by is null) as due`.execute(db)
    if (rows[0]?.left === 0) return
    if (Date.now() > until) throw new Error(`${rows[0]?.left} changes or jobs are left`)
    // A queue polls for postponed jobs twice a second, and at once after a notification.
    if (rows[0]?.due) await sql`notify jobs`.execute(db)
    await sleep(20)
  }
}

const first = { page: 1, page_length: 50 }

/** The member's notifications, newest first. */
export const notificationsOf = async (member: Pick<Member, 'api'>) =>
  (await member.api.notifications.listNotifications(first)).data

/** The delivery trace of the member's newest notification: a line for each device and channel. */
export const traceOfNewest = async (member: Pick<Member, 'api'>) => {
  const [newest] = await notificationsOf(member)
  const { deliveries } = await member.api.notifications.traceNotification({ notification_id: newest?.id ?? 0 })
  return deliveries.map(({ device_id, way, state, reason }) => `${device_id}: ${way} ${state}. ${reason}`)
}
