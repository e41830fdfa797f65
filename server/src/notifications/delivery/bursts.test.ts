import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { enter, type Member } from '../../../test/cast.ts'
import { listen } from '../../../test/channel.ts'
import { notificationsOf, openNotifiedApp } from '../../../test/notified.ts'
import { bringIn, evening } from '../../../test/party.ts'

/** Longer than a test takes to read what rang first, on a busy machine as well. */
const ringAgainMs = 500
const service = await openNotifiedApp({ timing: { ringAgainMs } })
const { app, quiet } = service
const patient = await openNotifiedApp({ timing: { ringAgainMs: 60 * 60_000 } })

/** An event with a guest whose phone receives pushes, and a way to change it so that it rings. */
const gathering = async ({ app, quiet, subscribe } = service) => {
  const olivia = await enter(app, 'olivia')
  const gus = await enter(app, 'gus')
  const event = await olivia.api.events.saveEvent(evening())
  await bringIn(olivia, event.id, gus)
  await quiet()
  await gus.api.notifications.readAllNotifications()
  const browser = await subscribe(gus)
  const { id: event_id, event_name, event_starts_at } = event
  const move = (event_location: string) =>
    olivia.api.events.saveEvent({ event_id, event_name, event_starts_at, event_location })
  return { gus, event_id, browser, move }
}
const unread = async (member: Member) => (await notificationsOf(member)).filter(({ read }) => !read)

test('a burst is one notification that counts, and rings twice: at once, and when it is over', async () => {
  const { gus, browser, move } = await gathering()
  const before = performance.now()
  await move('Place 0')
  await expect.poll(() => browser.messages()).toHaveLength(1)
  for (let number = 1; number < 12; number++) {
    await sleep(15)
    await move(`Place ${number}`)
  }
  await quiet()
  const lasted = performance.now() - before
  const [notification, ...others] = await unread(gus)
  expect(others).toEqual([])
  expect(notification).toMatchObject({ notification_kind: 'event_changed', notification_count: 12 })
  const rung = browser.messages().map(({ id, tag }) => [Number(id), tag])
  expect(rung.length).toBeGreaterThanOrEqual(2)
  expect(rung.length).toBeLessThanOrEqual(2 + Math.floor(lasted / ringAgainMs))
  expect(new Set(rung.map(String)).size).toBe(1)
})

test('a message long after the last ring rings at once, in the same notification while that is unread', async () => {
  const { gus, browser, move } = await gathering(patient)
  await move('Place 1')
  await expect.poll(() => browser.messages()).toHaveLength(1)
  await sql`update notifications set rung_at = rung_at - interval '1 hour'`.execute(patient.app.db)
  await move('Place 2')
  // Otherwise it would ring in an hour.
  await expect.poll(() => browser.messages()).toHaveLength(2)
  expect(await unread(gus)).toMatchObject([{ notification_count: 2 }])
})

test('once read, the next is a notification of its own', async () => {
  const { gus, browser, move } = await gathering()
  await move('Place 1')
  await quiet()
  await gus.api.notifications.readAllNotifications()
  await move('Place 2')
  await quiet()
  expect(await unread(gus)).toMatchObject([{ notification_count: 1 }])
  expect(new Set(browser.messages().map(({ id }) => id)).size).toBe(2)
})

test('a burst that is read before its second ring rings no more', async () => {
  const { gus, browser, move } = await gathering()
  await move('Place 1')
  await expect.poll(() => browser.messages()).toHaveLength(1)
  await move('Place 2')
  await expect.poll(async () => (await unread(gus))[0]?.notification_count).toBe(2)
  await gus.api.notifications.readAllNotifications()
  await quiet()
  expect(browser.messages()).toHaveLength(1)
})

test('a burst over the channel acknowledges each ring', { tags: 'slow' }, async () => {
  const { gus, browser, move } = await gathering()
  const listener = await listen(app, gus)
  await gus.api.accounts.ping()
  await move('Place 1')
  await listener.next('notification.created')
  await move('Place 2')
  await listener.next('notification.created', ({ notification_count }) => notification_count === 2)
  await quiet()
  expect(browser.messages()).toEqual([])
})
