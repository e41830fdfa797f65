import { sql } from 'kysely'
import { expect, test, vi } from 'vitest'
import { enter, type Member } from '../../../test/cast.ts'
import { listen } from '../../../test/channel.ts'
import { acquaint, notificationsOf, openNotifiedApp, traceOfNewest } from '../../../test/notified.ts'
import { evening } from '../../../test/party.ts'

/** How long an app has to acknowledge here, on a busy machine as well. */
const acknowledgeMs = 1500
const { app, subscribe, another, quiet } = await openNotifiedApp({ timing: { acknowledgeMs } })
const olivia = await enter(app, 'olivia')

/** Something that rings for a member, once: an invitation to an event of its own. */
const ring = async (member: Member) => {
  await acquaint(app, olivia, member)
  const { id: event_id } = await olivia.api.events.saveEvent(evening())
  await olivia.api.events.invite({ event_id, user_ids: [member.id] })
}
const ids = (notifications: { id: number | string }[]) => notifications.map(({ id }) => Number(id))
const deviceOf = ({ username }: Member) => `phone of ${username}`

/** Waits until what was sent last stands like this in its trace. */
const traced = (member: Member, words: string) =>
  expect.poll(async () => (await traceOfNewest(member)).join()).toContain(words)
/** As if the time for an acknowledgement had passed. */
const tooLate = async () => {
  await sql`update deliveries set updated_at = updated_at - make_interval(secs => ${acknowledgeMs / 1000})
    where way = 'channel' and state = 'waiting'`.execute(app.db)
  await sql`update jobs set run_at = now() where task = 'escalate'`.execute(app.db)
  await quiet()
}

test('an active app rings over the channel, acknowledges, and gets no push', async () => {
  const gus = await enter(app, 'gus')
  const browser = await subscribe(gus)
  const listener = await listen(app, gus)
  await gus.api.accounts.ping()
  await ring(gus)
  const rung = await listener.next('notification.created')
  await traced(gus, 'channel acknowledged')
  await tooLate()
  expect(await notificationsOf(gus)).toEqual([rung])
  expect(browser.messages()).toEqual([])
  expect(await traceOfNewest(gus)).toEqual([
    `${deviceOf(gus)}: channel acknowledged. The app was active, so it was sent over the channel. The app received it.`,
  ])
})

test('after its disconnect the same message is a push, and not on the channel', async () => {
  const gus = await enter(app, 'gus')
  const browser = await subscribe(gus)
  const listener = await listen(app, gus)
  await gus.api.accounts.ping()
  await gus.api.accounts.disconnect()
  await ring(gus)
  await quiet()
  const [notification] = await notificationsOf(gus)
  const { id, notification_title: title, notification_body: body, notification_link: link } = notification ?? {}
  expect(browser.messages()).toEqual([
    { id: String(id), kind: 'invitation', title, body, link, tag: expect.stringMatching(/^invitation:/), unread: 1 },
  ])
  expect(listener.of('notification.created')).toEqual([])
  expect(await traceOfNewest(gus)).toEqual([
    `${deviceOf(gus)}: push delivered. The app was not active. So it was sent as a push. The push service accepted it.`,
  ])
})

test('an app that vanished without a word gets the push after the time for its acknowledgement, with the same id', async () => {
  const gus = await enter(app, 'gus')
  const browser = await subscribe(gus)
  await gus.api.accounts.ping()
  const before = performance.now()
  await ring(gus)
  await quiet()
  expect(performance.now() - before).toBeGreaterThan(acknowledgeMs)
  expect(ids(browser.messages())).toEqual(ids(await notificationsOf(gus)))
  expect(await traceOfNewest(gus)).toEqual([
    `${deviceOf(gus)}: channel failed. The app was active, so it was sent over the channel. The app did not receive it within ${acknowledgeMs / 1000} seconds.`,
    `${deviceOf(gus)}: push delivered. The app did not receive it within ${acknowledgeMs / 1000} seconds. So it was also sent as a push. The push service accepted it.`,
  ])
})

test('an active app without a channel acknowledges by asking on from what it was told, and gets no push', async () => {
  const gus = await enter(app, 'gus')
  const browser = await subscribe(gus)
  await gus.api.accounts.ping()
  const { cursor } = await gus.api.notifications.syncRealtime({})
  await ring(gus)
  const told = await vi.waitFor(async () => {
    const { cursor: now, changes } = await gus.api.notifications.syncRealtime({ cursor })
    expect(changes.map(({ kind }) => kind)).toContain('notification.created')
    return now
  })
  await gus.api.notifications.syncRealtime({ cursor: told })
  await traced(gus, 'channel acknowledged')
  await tooLate()
  expect(browser.messages()).toEqual([])
})

test('an app that never learned what it was told gets the push, whatever it had asked', async () => {
  const gus = await enter(app, 'gus')
  const browser = await subscribe(gus)
  await gus.api.accounts.ping()
  const { cursor } = await gus.api.notifications.syncRealtime({})
  await ring(gus)
  await traced(gus, 'channel waiting')
  await gus.api.notifications.syncRealtime({ cursor })
  await tooLate()
  expect(browser.messages()).toHaveLength(1)
})

test('a channel that begins with what it missed acknowledges that, too', async () => {
  const gus = await enter(app, 'gus')
  const browser = await subscribe(gus)
  await gus.api.accounts.ping()
  const { cursor } = await gus.api.notifications.syncRealtime({})
  await ring(gus)
  await vi.waitFor(async () => expect(await notificationsOf(gus)).toHaveLength(1))
  const listener = await listen(app, gus, { cursor })
  await listener.next('notification.created')
  await traced(gus, 'channel acknowledged')
  await tooLate()
  expect(browser.messages()).toEqual([])
})

test('two devices of one user each get it their own way', async () => {
  const gus = await enter(app, 'gus')
  const laptop = await another(gus, 'laptop')
  const [phones, laptops] = [await subscribe(gus), await subscribe(laptop)]
  const listener = await listen(app, laptop)
  await laptop.api.accounts.ping()
  await ring(gus)
  await listener.next('notification.created')
  await traced(gus, 'laptop: channel acknowledged')
  await tooLate()
  expect(laptops.messages()).toEqual([])
  expect(ids(phones.messages())).toEqual(ids(await notificationsOf(gus)))
  expect((await traceOfNewest(gus)).map(line => line.split('. ')[0]).sort()).toEqual([
    'laptop: channel acknowledged',
    `${deviceOf(gus)}: push delivered`,
  ])
})

test('a connected app that never pinged counts as inactive', async () => {
  const gus = await enter(app, 'gus')
  const browser = await subscribe(gus)
  const listener = await listen(app, gus)
  await ring(gus)
  await quiet()
  expect(browser.messages()).toHaveLength(1)
  expect(listener.of('notification.created')).toEqual([])
})

test('a device that cannot be reached is told of, and the notification waits in the list', {
  tags: 'slow',
}, async () => {
  const gus = await enter(app, 'gus')
  await ring(gus)
  await quiet()
  expect(await traceOfNewest(gus)).toEqual([
    `${deviceOf(gus)}: none skipped. The app was not active. The device has registered no push address.`,
  ])
  expect(await notificationsOf(gus)).toHaveLength(1)

  await gus.api.accounts.ping()
  await gus.api.notifications.registerDevice({ push_token: 'token-of-an-android-phone' })
  await ring(gus)
  await quiet()
  expect((await traceOfNewest(gus))[1]).toBe(
    `${deviceOf(gus)}: none skipped. The app did not receive it within ${acknowledgeMs / 1000} seconds. This server cannot push to android.`,
  )
})

test('a person who signed out meanwhile gets nothing on that device', async () => {
  const gus = await enter(app, 'gus')
  const laptop = await another(gus, 'laptop')
  const browser = await subscribe(laptop)
  await laptop.api.accounts.logout({})
  await ring(gus)
  await quiet()
  expect(browser.messages()).toEqual([])
  expect((await traceOfNewest(gus)).join()).not.toContain('laptop')
})

test('read on one device, it is cleared on the others and pushed to none of them later', async () => {
  const gus = await enter(app, 'gus')
  const laptop = await another(gus, 'laptop')
  const browser = await subscribe(laptop)
  await laptop.api.accounts.ping()
  const listener = await listen(app, gus)
  await gus.api.accounts.ping()
  await ring(gus)
  const { id } = await listener.next('notification.created')
  await gus.api.notifications.readNotification({ notification_id: id })
  expect(await listener.next('notification.read')).toEqual({ notification_ids: [id], unread_count: 0 })
  await tooLate()
  expect(browser.messages()).toEqual([])
  expect((await traceOfNewest(gus)).find(line => line.startsWith('laptop'))).toBe(
    'laptop: channel skipped. The app was active, so it was sent over the channel. It had already been read.',
  )
})

test('a phone rings for the account that registered its address last, and for nobody else', async () => {
  const gus = await enter(app, 'gus')
  const remy = await enter(app, 'remy')
  const browser = await subscribe(gus)
  const { endpoint: push_endpoint, p256dh: push_p256dh, auth: push_auth } = browser.subscription
  expect(await remy.api.notifications.registerDevice({ push_endpoint, push_p256dh, push_auth })).toEqual({
    push: 'web',
  })
  await ring(gus)
  await quiet()
  expect(browser.messages()).toEqual([])
  await ring(remy)
  await quiet()
  expect(ids(browser.messages())).toEqual(ids(await notificationsOf(remy)))
  expect(await remy.api.notifications.registerDevice({})).toEqual({ push: 'none' })
  await ring(remy)
  await quiet()
  expect(browser.messages()).toHaveLength(1)
})

test('a test push reaches the own device, muted or not, and only with an address', async () => {
  const gus = await enter(app, 'gus')
  await expect(gus.api.notifications.testDevice()).rejects.toMatchObject({ status: 400 })
  const browser = await subscribe(gus)
  await gus.api.accounts.updateSettings({ user_setting_mute_notification: true })
  const test = await gus.api.notifications.testDevice()
  await quiet()
  expect(browser.messages()).toMatchObject([{ id: String(test.id), kind: 'test' }])
})

test('a change waits for no channel and no push: its rows and one job are what it costs, for any number of people', async () => {
  const many = await Promise.all(Array.from({ length: 6 }, () => enter(app, 'gus')))
  const { id: event_id } = await olivia.api.events.saveEvent(evening())
  const one = await enter(app, 'gus')
  const { id: small } = await olivia.api.events.saveEvent(evening())
  await olivia.api.events.invite({ event_id, user_ids: many.map(({ id }) => id) })
  for (const member of many) {
    const { data } = await member.api.events.listInvitations({ page: 1, page_length: 1 })
    await member.api.events.acceptInvitation({ invitation_id: data[0]?.id ?? 0 })
  }
  await olivia.api.events.invite({ event_id: small, user_ids: [one.id] })
  const { data } = await one.api.events.listInvitations({ page: 1, page_length: 1 })
  await one.api.events.acceptInvitation({ invitation_id: data[0]?.id ?? 0 })
  await quiet()

  const jobsAdded = async (work: () => Promise<unknown>) => {
    const last = () =>
      sql<{ id: number }>`select last_value as id from jobs_id_seq`.execute(app.db).then(r => r.rows[0]?.id ?? 0)
    const before = await last()
    await work()
    await quiet()
    return (await last()) - before
  }
  const forOne = await jobsAdded(() => olivia.api.events.cancelEvent({ event_id: small }))
  const forMany = await jobsAdded(() => olivia.api.events.cancelEvent({ event_id }))
  expect([forOne, forMany]).toEqual([1, 1])
})
