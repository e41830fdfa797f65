import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { enter } from '../../../test/cast.ts'
import { notificationsOf, openNotifiedApp, traceOfNewest } from '../../../test/notified.ts'
import { bringIn, evening } from '../../../test/party.ts'
import { anew, png } from '../../../test/pictures.ts'
import { invalid, notFound, refusal, says } from '../../../test/refused.ts'

const { app, unread, subscribe, quiet } = await openNotifiedApp({ timing: { ringAgainMs: 0 } })

const gathering = async () => {
  const [olivia, gus, ana] = [await enter(app, 'olivia'), await enter(app, 'gus'), await enter(app, 'ana')]
  const { id: event_id } = await olivia.api.events.saveEvent(evening())
  for (const guest of [gus, ana]) await bringIn(olivia, event_id, guest)
  await quiet()
  for (const one of [olivia, gus, ana]) await one.api.notifications.readAllNotifications()
  const announce = async (announcement_text: string) => {
    const made = await olivia.api.announcements.makeAnnouncement({ event_id, announcement_text })
    await quiet()
    return made
  }
  const listed = async (who: typeof gus) =>
    (await who.api.announcements.listAnnouncements({ event_id, page: 1, page_length: 10 })).data
  /** A minute passes. */
  const pass = () => sql`update announcements set created_at = created_at - interval '2 minutes'`.execute(app.db)
  return { olivia, gus, ana, event_id, announce, listed, pass }
}

test('everybody hears it once, and the organizer sees who has read it', async () => {
  const { olivia, gus, ana, event_id, announce, listed } = await gathering()
  const { id: announcement_id } = await announce('The bus leaves at five.')
  const told = ['announcement', 'Olivia Ortega to everyone in Midsummer at the lake', 'The bus leaves at five.']
  for (const guest of [gus, ana]) expect(await unread(guest)).toEqual([[...told, `/events/${event_id}`, 1]])
  expect(await unread(olivia)).toEqual([])
  expect(await listed(gus)).toMatchObject([{ announcement_seen: false, announcement_seens: null }])
  await gus.api.announcements.seeAnnouncement({ announcement_id })
  await gus.api.announcements.seeAnnouncement({ announcement_id })
  await olivia.api.announcements.seeAnnouncement({ announcement_id })
  expect(await unread(gus)).toEqual([])
  expect(await listed(gus)).toMatchObject([{ announcement_seen: true, announcement_seens_count: null }])
  const [seen] = await listed(olivia)
  expect(seen).toMatchObject({ announcement_seen: true, announcement_seens_count: 1 })
  expect(seen?.announcement_seens?.map(({ id }) => id)).toEqual([gus.id])
})

test('it reaches who has muted everything, once, and the trace says why', async () => {
  const { gus, event_id, announce } = await gathering()
  const browser = await subscribe(gus)
  const hour = 3_600_000
  await gus.api.notifications.saveEventLevel({ event_id, level: 'nothing' })
  await gus.api.notifications.saveNotificationSettings({
    muted_until: new Date(Date.now() + hour).toISOString(),
    quiet_from: '00:00',
    quiet_until: '00:00',
    rings_per_hour: 0,
  })
  await announce('The bus leaves at five.')
  expect(browser.messages()).toMatchObject([{ kind: 'announcement', body: 'The bus leaves at five.' }])
  const [{ id: notification_id } = { id: 0 }] = await notificationsOf(gus)
  const { reason } = await gus.api.notifications.traceNotification({ notification_id })
  expect(reason).toBe('You are in this event. It’s a message to everyone, which always alerts you once.')
  expect((await traceOfNewest(gus))[0]).toContain('always alerts you once')
  await gus.api.notifications.saveNotificationSettings({})
})

test('an addition within the minute belongs to the announcement, and rings nobody again who has not read it', async () => {
  const { olivia, gus, ana, announce, listed, pass } = await gathering()
  const browser = await subscribe(gus)
  const { id: announcement_id } = await announce('The bus leaves at five.')
  await ana.api.announcements.seeAnnouncement({ announcement_id })
  expect((await announce('No, at six!')).id).toBe(announcement_id)
  expect((await announce('No, at six!')).id).toBe(announcement_id)
  expect(browser.messages()).toHaveLength(1)
  const both = 'The bus leaves at five.\nNo, at six!'
  expect(await listed(gus)).toMatchObject([{ announcement_text: both }])
  // Readers of the first half have not read this.
  for (const guest of [gus, ana])
    expect((await unread(guest)).map(([, , text]) => text)).toEqual(['The bus leaves at five. No, at six!'])
  expect(await listed(olivia)).toMatchObject([{ announcement_seens_count: 0 }])
  await pass()
  await announce('Dinner is ready.')
  expect(browser.messages()).toHaveLength(2)
})

test('the same words with another picture are another announcement', async () => {
  const { olivia, event_id, announce, listed } = await gathering()
  const image = await anew(new Blob([await png({ width: 24, height: 16 })]))
  const event_photo_ids = [Number((await olivia.api.gallery.uploadPhoto({ event_id, image })).id)]
  const announcement_text = 'Look at this'
  const { id } = await announce(announcement_text)
  const made = await Promise.all(
    [0, 1].map(() => olivia.api.announcements.makeAnnouncement({ event_id, announcement_text, event_photo_ids })),
  )
  expect(new Set(made.map(each => each.id)).size).toBe(1)
  expect((await listed(olivia)).map(each => each.id)).toEqual([made[0]?.id, id])
})

test('five a day are enough, and neither novels nor addresses of pages are announced', async () => {
  const { olivia, gus, event_id, announce, pass } = await gathering()
  const announcing = (who: typeof gus, announcement_text: string) =>
    refusal(who.api.announcements.makeAnnouncement({ event_id, announcement_text }))
  expect(await announcing(gus, 'Hello')).toEqual(says('The user is not an organizer of the event'))
  expect(await announcing(olivia, 'x'.repeat(10_000))).toEqual(
    invalid('announcement_text', 'The announcement text field must not be greater than 500 characters.'),
  )
  for (const address of ['https://evil.example', 'www.evil.example', 'Bhf.Nord/Süd'])
    expect(await announcing(olivia, `Look at ${address} now`)).toEqual(
      invalid('announcement_text', `The announcement text field must not contain a web address: ${address}.`),
    )
  for (const text of ['one', 'two', 'three', 'four', 'five']) {
    await announce(text)
    await pass()
  }
  expect(await announcing(olivia, 'six')).toEqual(says('This event has had enough announcements for today'))
})

test('nobody is rung by an announcement of invisible letters', async () => {
  const { gus, announce, listed } = await gathering()
  for (const nothing of ['\u200b', '\u2800 \u200d', '\u3164'])
    expect(await refusal(announce(nothing))).toEqual(
      invalid('announcement_text', 'The announcement text field is required.'),
    )
  expect(await listed(gus)).toEqual([])
})

test('an announcement shows photos of the event, and of no other', async () => {
  const { olivia, gus, event_id, listed } = await gathering()
  const image = new Blob([await png({ width: 24, height: 16 })])
  const add = async (eventId: number) =>
    Number((await olivia.api.gallery.uploadPhoto({ event_id: eventId, image: await anew(image) })).id)
  const own = await add(event_id)
  const other = await add((await olivia.api.events.saveEvent(evening())).id)
  const thank = (...event_photo_ids: number[]) =>
    olivia.api.announcements.makeAnnouncement({ event_id, announcement_text: 'Thank you!', event_photo_ids })
  for (const id of [other, 999_999])
    expect(await refusal(thank(own, id))).toEqual(
      invalid('event_photo_ids.1', 'The selected event photo ids.1 is invalid.'),
    )
  expect(await refusal(thank(own, own, own, own))).toMatchObject({ status: 400 })
  const browser = await subscribe(gus)
  const { id: announcement_id } = await thank(own)
  await quiet()
  expect(browser.messages()).toMatchObject([{ kind: 'announcement', images: [expect.stringContaining('/media/')] }])
  expect(await listed(gus)).toMatchObject([{ announcement_photo_ids: [own] }])
  await olivia.api.announcements.withdrawAnnouncement({ announcement_id })
  expect(await listed(gus)).toEqual([])
})

test('an announcement that is taken back is nowhere to be read', async () => {
  const { olivia, gus, announce, listed } = await gathering()
  const { id: announcement_id } = await announce('The bus leaves at five.')
  await olivia.api.announcements.withdrawAnnouncement({ announcement_id })
  expect([await listed(gus), await unread(gus)]).toEqual([[], []])
  expect(await refusal(gus.api.announcements.seeAnnouncement({ announcement_id }))).toEqual(
    notFound('Announcement not found!'),
  )
})
