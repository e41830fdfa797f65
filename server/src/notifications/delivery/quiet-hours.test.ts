import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { enter, type Member } from '../../../test/cast.ts'
import { notificationsOf, openNotifiedApp, settled as settledAt, traceOfNewest } from '../../../test/notified.ts'
import { bringIn, evening } from '../../../test/party.ts'

const { app, subscribe } = await openNotifiedApp({ timing: { ringAgainMs: 0 } })

const settled = () => settledAt(app)

const gathering = async () => {
  const [olivia, gus] = [await enter(app, 'olivia'), await enter(app, 'gus')]
  const { id: event_id, group_chat_id } = await olivia.api.events.saveEvent(evening())
  await bringIn(olivia, event_id, gus)
  await settled()
  await gus.api.notifications.readAllNotifications()
  await sql`delete from ring_budgets where user_id = ${gus.id}`.execute(app.db)
  const browser = await subscribe(gus)
  const say = async (message_content: string) => {
    await olivia.api.chats.saveMessage({ group_chat_id, message_content })
    await settled()
  }
  const rung = () => browser.messages().filter(message => !('silent' in message))
  return { olivia, gus, event_id, group_chat_id, browser, say, rung }
}
const why = async (member: Member) => {
  const [newest] = await notificationsOf(member)
  return (await member.api.notifications.traceNotification({ notification_id: newest?.id ?? 0 })).reason
}
const clock = (atMs: number) => new Date(atMs).toISOString().slice(11, 16)
const hour = 60 * 60_000

test('a guest hears everything of an event, what is for them, or nothing, and the trace says so', async () => {
  const { gus, event_id, say, rung } = await gathering()
  await gus.api.notifications.saveEventLevel({ event_id, level: 'for_me' })
  await say('to all')
  expect(rung()).toEqual([])
  expect(await why(gus)).toContain('you only get mentions and replies from this event')
  await say(`to @${gus.username}`)
  expect(rung()).toHaveLength(1)
  await gus.api.notifications.saveEventLevel({ event_id, level: 'nothing' })
  await say(`again to @${gus.username}`)
  expect(rung()).toHaveLength(1)
  expect(await why(gus)).toContain('you turned notifications off for this event')
  expect(await gus.api.notifications.readEventLevel({ event_id })).toEqual({
    event_id,
    level: 'nothing',
    muted_until: null,
    photos_at_once: false,
  })
})

test('a mute for some hours ends by itself, and the trace says when', async () => {
  const { gus, event_id, say, rung } = await gathering()
  const muted_until = new Date(Date.now() + hour).toISOString()
  await gus.api.notifications.saveNotificationSettings({ muted_until })
  await say('one')
  expect(await why(gus)).toMatch(/you muted notifications until \w+/)
  await gus.api.notifications.saveNotificationSettings({})
  await gus.api.notifications.saveEventLevel({ event_id, level: 'everything', muted_until })
  await say('two')
  expect(await why(gus)).toContain('you muted this event until')
  expect(rung()).toEqual([])
  await sql`update event_notification_settings set muted_until = now() where user_id = ${gus.id}`.execute(app.db)
  await say('three')
  expect(rung()).toHaveLength(1)
})

test('notifications in quiet hours are held on the clock of the device, and come as one, once, when they end', async () => {
  const { gus, say, rung } = await gathering()
  await sql`update devices set timezone = 'Etc/GMT-5' where user_id = ${gus.id}`.execute(app.db)
  const local = Date.now() + 5 * hour
  const quiet = { quiet_from: clock(local - hour), quiet_until: clock(local + 2 * hour) }
  await gus.api.notifications.saveNotificationSettings(quiet)
  await say('one')
  await say(`@${gus.username} two`)
  expect(rung()).toEqual([])
  expect((await traceOfNewest(gus))[0]).toMatch(
    /push held\. The app was not active\. It’s held until .*, when your quiet hours end/,
  )
  // They end by a change to them, as if by the clock.
  await gus.api.notifications.saveNotificationSettings({})
  await settled()
  expect(rung()).toMatchObject([{ title: 'During your quiet hours', tag: 'quiet', link: '/notifications' }])
  expect(rung()[0]?.body).toContain('2 notifications. The newest: Olivia Ortega mentioned you')
  await sql`update jobs set run_at = now()`.execute(app.db)
  await settled()
  expect(rung()).toHaveLength(1)
})

test('a notification that is read before quiet hours end comes no more', async () => {
  const { gus, say, rung } = await gathering()
  const now = Date.now()
  await sql`update devices set timezone = 'UTC' where user_id = ${gus.id}`.execute(app.db)
  await gus.api.notifications.saveNotificationSettings({
    quiet_from: clock(now - hour),
    quiet_until: clock(now + hour),
  })
  await say('one')
  await gus.api.notifications.readAllNotifications()
  await gus.api.notifications.saveNotificationSettings({})
  await settled()
  expect(rung()).toEqual([])
})

test('rings of an hour are few: the rest is one notification without a sound, and a mention waits for the next ring', async () => {
  const { olivia, gus, event_id, group_chat_id, say, rung, browser } = await gathering()
  const [ana, rita] = [await enter(app, 'ana'), await enter(app, 'rita')]
  for (const guest of [ana, rita]) await bringIn(olivia, event_id, guest)
  await gus.api.notifications.saveNotificationSettings({ rings_per_hour: 2 })
  await say('one')
  await gus.api.notifications.readAllNotifications()
  await ana.api.chats.saveMessage({ group_chat_id, message_content: 'two' })
  await settled()
  await gus.api.notifications.readAllNotifications()
  expect(rung()).toHaveLength(2)
  await rita.api.chats.saveMessage({ group_chat_id, message_content: 'three' })
  await settled()
  expect(rung()).toHaveLength(2)
  expect((await traceOfNewest(gus))[0]).toMatch(
    /none skipped\. .*you already had your 2 alerts this hour\. The next may come at/,
  )
  await expect.poll(() => browser.messages().filter(({ tag }) => tag === 'rolling')).toHaveLength(1)
  expect(browser.messages().at(-1)).toMatchObject({ silent: true, title: 'More from your events' })
  await say(`@${gus.username} four`)
  expect(rung()).toHaveLength(2)
  // An hour later, by the clock of the rows.
  await sql`update ring_budgets set rung_at = array(select r - 3600000 from unnest(rung_at) r)`.execute(app.db)
  await sql`update notifications set ring_at = now() where ring_at is not null`.execute(app.db)
  await sql`update jobs set run_at = now()`.execute(app.db)
  await settled()
  expect(rung()).toHaveLength(3)
  expect(rung().at(-1)).toMatchObject({ kind: 'mention' })
})

test('eight strangers who ask for friendship ring once, and the organizer is heard nevertheless', async () => {
  const { olivia, gus, event_id, say, rung } = await gathering()
  for (let at = 0; at < 8; at++) {
    const stranger = await enter(app, 'sam')
    await stranger.api.people.befriend({ user_id: gus.id })
    await settled()
  }
  expect(rung().map(({ kind }) => kind)).toEqual(['friend_request'])
  expect(await traceOfNewest(gus)).toEqual([
    expect.stringMatching(/people you don’t know alert you once an hour, all together\. The next alert may come at/),
  ])
  await say('hello')
  await say(`@${gus.username} are you coming?`)
  await olivia.api.announcements.makeAnnouncement({ event_id, announcement_text: 'The boats leave at nine.' })
  await settled()
  expect(rung().map(({ kind }) => kind)).toEqual(['friend_request', 'message', 'mention', 'announcement'])
})

test('an announcement rings when all rings of the hour are used up', async () => {
  const { olivia, gus, event_id, say, rung } = await gathering()
  await gus.api.notifications.saveNotificationSettings({ rings_per_hour: 1 })
  await say(`@${gus.username} one`)
  await gus.api.notifications.readAllNotifications()
  await say(`@${gus.username} two`)
  expect(rung()).toHaveLength(1)
  await olivia.api.announcements.makeAnnouncement({ event_id, announcement_text: 'The boats leave at nine.' })
  await settled()
  expect(rung().map(({ kind }) => kind)).toEqual(['mention', 'announcement'])
})

test('wrong wishes are refused, and an unknown language says what is spoken instead', async () => {
  const { gus, event_id } = await gathering()
  const { saveNotificationSettings: save, saveEventLevel: saveEvent } = gus.api.notifications
  const refused = (message: RegExp | object) => expect.objectContaining({ status: 400, ...(message as object) })
  for (const wrong of [
    { muted_until: new Date(Date.now() - 1000).toISOString() },
    { rings_per_hour: -1 },
    { rings_per_hour: 61 },
    { quiet_from: '24:00', quiet_until: '07:00' },
    { quiet_from: '22:00' },
  ])
    await expect(save(wrong)).rejects.toEqual(refused({}))
  await expect(saveEvent({ event_id, level: 'some' as 'nothing' })).rejects.toEqual(refused({}))
  expect(await save({ language: 'tlh', quiet_from: '07:00', quiet_until: '07:00', rings_per_hour: 0 })).toEqual({
    muted_until: null,
    quiet_from: '07:00',
    quiet_until: '07:00',
    rings_per_hour: 0,
    mails_digest: true,
    language: 'en',
    language_not_spoken: 'tlh',
  })
  expect(await save({ language: 'de-AT' })).toMatchObject({
    language: 'de',
    language_not_spoken: null,
    quiet_from: null,
  })
})
