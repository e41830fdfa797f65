import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { enter, type Member } from '../../test/cast.ts'
import { listen } from '../../test/channel.ts'
import { acquaint, notificationsOf, openNotifiedApp, traceOfNewest } from '../../test/notified.ts'
import { bringIn, evening } from '../../test/party.ts'

const { app, subscribe, quiet } = await openNotifiedApp()
const olivia = await enter(app, 'olivia')

/** A member who would hear everything: by push, about one event's changes, before any act of the test. */
const hearing = async () => {
  const gus = await enter(app, 'gus')
  // The request of a stranger would wait for an hour if it rang before it was answered.
  await acquaint(app, olivia, gus)
  const event = await olivia.api.events.saveEvent(evening())
  await bringIn(olivia, event.id, gus)
  await quiet()
  const browser = await subscribe(gus)
  await ringOnce(gus)
  expect(browser.messages()).toHaveLength(1)
  browser.deliveries.length = 0
  return { gus, event_id: event.id, browser }
}
const ringOnce = async (member: Member) => {
  const { id: event_id } = await olivia.api.events.saveEvent(evening())
  await olivia.api.events.invite({ event_id, user_ids: [member.id] })
  await quiet()
}

test('nobody hears of what they did themselves', async () => {
  const browser = await subscribe(olivia)
  const { event_id } = await hearing()
  await olivia.api.events.cancelEvent({ event_id })
  await quiet()
  // The request of the guest may have rung before it was answered.
  expect(browser.messages().filter(({ kind }) => kind !== 'join_request')).toEqual([])
  expect(await notificationsOf(olivia)).toEqual([])
})

test('a muted account is told in its list, which says why nothing rang', async () => {
  const { gus, browser } = await hearing()
  const listener = await listen(app, gus)
  await gus.api.accounts.ping()
  await gus.api.accounts.updateSettings({ user_setting_mute_notification: true })
  await ringOnce(gus)
  expect(browser.messages()).toEqual([])
  expect(listener.of('notification.created')).toEqual([])
  const [notification] = await notificationsOf(gus)
  const trace = await gus.api.notifications.traceNotification({ notification_id: notification?.id ?? 0 })
  expect(trace).toMatchObject({
    reason: 'You were invited to this event. It was silent because you muted notifications.',
    deliveries: [],
  })
})

test('a person who mutes before the push leaves gets none', async () => {
  const { gus, browser } = await hearing()
  await gus.api.accounts.ping()
  const { id: event_id } = await olivia.api.events.saveEvent(evening())
  await olivia.api.events.invite({ event_id, user_ids: [gus.id] })
  await expect.poll(() => traceOfNewest(gus)).toEqual([expect.stringContaining('channel waiting')])
  await gus.api.accounts.updateSettings({ user_setting_mute_notification: true })
  await quiet()
  expect(browser.messages()).toEqual([])
  expect((await traceOfNewest(gus)).at(-1)).toContain('push skipped. The app did not receive it within 0.3 seconds.')
})

test.each(['gus', 'olivia'] as const)('a block by %s silences both', async by => {
  const { gus, event_id, browser } = await hearing()
  if (by === 'gus') await gus.api.people.block({ user_id: olivia.id })
  else await olivia.api.people.block({ user_id: gus.id })
  const { group_chat_id } = await olivia.api.events.readEvent({ event_id })
  const say = async () => {
    await olivia.api.chats.saveMessage({ group_chat_id, message_content: 'Hello' })
    await quiet()
  }
  const before = await notificationsOf(gus)
  await say()
  expect(browser.messages()).toEqual([])
  expect(await notificationsOf(gus)).toEqual(before)
  const blocker = by === 'gus' ? gus : olivia
  await blocker.api.people.unblock({ user_id: by === 'gus' ? olivia.id : gus.id })
  await say()
  expect(browser.messages()).toHaveLength(1)
})

test('a guest who was removed in time hears nothing, though they listened', async () => {
  const { gus, event_id, browser } = await hearing()
  const listener = await listen(app, gus)
  await gus.api.accounts.ping()
  await ringOnce(gus)
  expect(listener.of('notification.created')).toHaveLength(1)
  await Promise.all([
    olivia.api.events.removeGuest({ event_id, user_id: gus.id }),
    olivia.api.events.cancelEvent({ event_id }).catch(() => {}),
  ])
  await gus.api.accounts.disconnect()
  await quiet()
  // The cancellation may have come first; then it was sent, and is withdrawn.
  expect((await notificationsOf(gus)).map(one => one.notification_kind)).not.toContain('event_cancelled')
  browser.deliveries.length = 0
  await olivia.api.events.saveEvent({ event_id, ...evening({ event_name: 'Renamed' }) }).catch(() => {})
  await quiet()
  expect(browser.messages()).toEqual([])
})

test('a suspended account hears nothing', async () => {
  const { gus, event_id, browser } = await hearing()
  await sql`update users set status = 3 where id = ${gus.id}`.execute(app.db)
  await olivia.api.events.cancelEvent({ event_id })
  await quiet()
  expect(browser.messages()).toEqual([])
})

test('a notification of what is deleted before it rang is withdrawn, and its text is gone from the trace', async () => {
  const { gus, event_id, browser } = await hearing()
  await gus.api.accounts.ping()
  await olivia.api.events.cancelEvent({ event_id })
  await expect
    .poll(async () => (await notificationsOf(gus)).map(one => one.notification_kind))
    .toContain('event_cancelled')
  const [{ id: notification_id } = { id: 0 }] = await notificationsOf(gus)
  await olivia.api.events.deleteEvent({ event_id })
  await quiet()
  expect(browser.messages().filter(({ kind }) => kind !== 'event_deleted')).toEqual([])
  const trace = await gus.api.notifications.traceNotification({ notification_id })
  expect(trace.notification.notification_body).toBe('')
  expect(trace.deliveries).toMatchObject([{ way: 'channel', state: 'skipped' }])
})
