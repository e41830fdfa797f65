import { sql } from 'kysely'
import { pino } from 'pino'
import { expect, test } from 'vitest'
import { openTestApp } from '../../../test/app.ts'
import { enter, type Member } from '../../../test/cast.ts'
import { acquaint, notificationsOf, quick, settled } from '../../../test/notified.ts'
import { evening } from '../../../test/party.ts'
import { openApple } from '../../../test/push/apple.ts'
import { openGoogle } from '../../../test/push/google.ts'
import { authority as ca } from '../../../test/push/loopback-tls.ts'
import { whenDone } from '../../../test/when-done.ts'
import { openPush } from '../../platform/push/senders.ts'

/* Inactive phones, with their push services on the loopback interface. */

const [google, apple] = await Promise.all([openGoogle(), openApple()])
whenDone(() => Promise.all([google.close(), apple.close()]))
const push = openPush({
  fcm: { serviceAccount: google.serviceAccount, origin: google.origin, ca },
  apns: apple.options,
  log: pino({ level: 'silent' }),
})
const app = await openTestApp({}, { push, timing: quick })
const olivia = await enter(app, 'olivia')

/** As if the time had passed for which a phone is left alone. */
const soon = async () => {
  await settled(app)
  await sql`update push_addresses set clears_at = now() where clears_at is not null`.execute(app.db)
  await sql`update jobs set run_at = now()`.execute(app.db)
  await settled(app)
}
const invite = async (...guests: Member[]) => {
  for (const guest of guests) await acquaint(app, olivia, guest)
  const { id: event_id } = await olivia.api.events.saveEvent(evening())
  await olivia.api.events.invite({ event_id, user_ids: guests.map(({ id }) => id) })
  await settled(app)
  return event_id
}
let phones = 0
const phone = async (member: Member, user_device_platform: 'android' | 'ios') => {
  phones += 1
  const token = phones.toString(16).padStart(64, '0')
  const { token: bearer } = await app.as().accounts.authenticate({
    user_login_option_type: 1,
    user_login_id: member.email,
    user_password: member.password,
    device_id: token,
    user_timezone: 'UTC',
    user_device_platform,
  })
  const api = app.as(bearer)
  await api.notifications.registerDevice({ push_token: token })
  const onAndroid = () => google.messages().map(({ body }) => JSON.parse(body).message)
  const onIos = () =>
    apple.calls
      .filter(({ path }) => path.endsWith(token))
      .map(({ body, headers }) => ({ ...JSON.parse(body), headers }))
  const sent = () => (user_device_platform === 'ios' ? onIos() : onAndroid().filter(one => one.token === token))
  return {
    api,
    /** The silent pushes it received. */
    cleared: () => sent().filter(({ aps, notification }) => !(aps?.alert ?? notification)),
    rung: () => sent().length,
  }
}

test('a notification read elsewhere goes away from every phone that shows it, with the badge, by one push without a sound', async () => {
  const gus = await enter(app, 'gus')
  const [android, iphone] = [await phone(gus, 'android'), await phone(gus, 'ios')]
  await invite(gus)
  await invite(gus)
  await invite(gus)
  const [third, second, first] = (await notificationsOf(gus)).map(({ id }) => id)
  for (const notification_id of [first, second])
    await gus.api.notifications.readNotification({ notification_id: notification_id ?? 0 })
  expect([android.cleared(), iphone.cleared()]).toEqual([[], []])
  await soon()
  const [onAndroid, onIphone] = [android.cleared(), iphone.cleared()]
  expect(onAndroid).toMatchObject([{ data: { unread: '1' }, android: { priority: 'NORMAL', collapse_key: 'read' } }])
  expect(onIphone).toMatchObject([
    {
      aps: { badge: 1, 'content-available': 1 },
      headers: { 'apns-push-type': 'alert', 'apns-priority': '5', 'apns-collapse-id': 'read' },
    },
  ])
  expect(onAndroid[0].data.read.split(' ').map(Number).sort()).toEqual([first, second].sort())
  expect(onIphone[0].read.map(Number).sort()).toEqual([first, second].sort())
  await soon()
  expect(android.cleared()).toHaveLength(1)
  await gus.api.notifications.readNotification({ notification_id: third ?? 0 })
  // Not before half a minute has passed.
  const { rows } = await sql<{ seconds: number }>`select extract(epoch from clears_at - cleared_at)::float8 as seconds
    from push_addresses where clears_at is not null`.execute(app.db)
  expect(rows.map(({ seconds }) => Math.round(seconds))).toEqual([30, 30])
  await soon()
  expect(iphone.cleared().at(-1)).toMatchObject({ aps: { badge: 0 } })
})

test('a notification that is taken back goes away, too, and a phone that is open or shows nothing is left alone', async () => {
  const [gus, ana] = [await enter(app, 'gus'), await enter(app, 'ana')]
  const [closed, open] = [await phone(gus, 'android'), await phone(ana, 'ios')]
  const event_id = await invite(gus, ana)
  expect([closed.rung(), open.rung()]).toEqual([1, 1])
  const late = await phone(gus, 'ios')
  await open.api.accounts.ping()
  await olivia.api.events.deleteEvent({ event_id })
  await soon()
  expect(closed.cleared()).toMatchObject([{ data: { unread: '0' } }])
  expect([open.cleared(), late.cleared()]).toEqual([[], []])
})

test('a signed-out phone hears nothing of it', async () => {
  const gus = await enter(app, 'gus')
  const android = await phone(gus, 'android')
  await invite(gus)
  await gus.api.notifications.readAllNotifications()
  await android.api.accounts.logout({})
  await soon()
  expect(android.cleared()).toEqual([])
})
