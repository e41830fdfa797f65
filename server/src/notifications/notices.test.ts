import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { enter, type Member } from '../../test/cast.ts'
import { notificationsOf, openNotifiedApp } from '../../test/notified.ts'
import { bringIn, evening } from '../../test/party.ts'
import { notFound, refusal } from '../../test/refused.ts'
import { growing } from '../platform/database/growing-tables.ts'
import { tidyUp } from '../platform/jobs/housekeeping.ts'
import { tables } from '../slices.ts'

const { app, quiet } = await openNotifiedApp()

/** An event of Olivia's with Gus and Remy in it, and everything before that read. */
const gathering = async () => {
  const [olivia, gus, remy, asha] = (await Promise.all(
    (['olivia', 'gus', 'remy', 'asha'] as const).map(name => enter(app, name)),
  )) as [Member, Member, Member, Member]
  const event = await olivia.api.events.saveEvent(evening())
  await bringIn(olivia, event.id, gus)
  await bringIn(olivia, event.id, remy)
  await quiet()
  for (const member of [olivia, gus, remy]) await member.api.notifications.readAllNotifications()
  return { olivia, gus, remy, asha, event, event_id: event.id }
}

/** Kind, text and link of a member's unread notifications. */
const unread = async (member: Member) => {
  await quiet()
  const notifications = (await notificationsOf(member)).filter(({ read }) => !read)
  return notifications.map(one => [one.notification_kind, one.notification_body, one.notification_link])
}

test('an organizer is told who asks to join; the asker is told the answer', async () => {
  const { olivia, gus, asha, event_id } = await gathering()
  await asha.api.events.askToJoin({ event_id })
  expect(await unread(olivia)).toEqual([
    ['join_request', 'Asha Adeyemi would like to join.', `/events/${event_id}/requests`],
  ])
  expect(await unread(gus)).toEqual([])
  expect(await unread(asha)).toEqual([])

  await olivia.api.events.approveJoinRequest({ event_id, user_id: asha.id })
  const answer = ['join_approved', 'You are in: your request to join was approved.', `/events/${event_id}`]
  expect(await unread(asha)).toEqual([answer])
  expect(await unread(olivia)).toEqual([])
})

test('an asker who is turned away is told so', async () => {
  const { olivia, asha, event_id } = await gathering()
  await asha.api.events.askToJoin({ event_id })
  await olivia.api.events.rejectJoinRequest({ event_id, user_id: asha.id })
  expect(await unread(asha)).toEqual([['join_rejected', 'Your request to join was not approved.', '/events']])
})

test('a request that is taken back is told to nobody any more, before it rang or after', async () => {
  const { olivia, asha, event_id } = await gathering()
  await asha.api.events.askToJoin({ event_id })
  await asha.api.events.withdrawJoinRequest({ event_id })
  expect(await unread(olivia)).toEqual([])
  await asha.api.events.askToJoin({ event_id })
  expect(await unread(olivia)).toHaveLength(1)
  await asha.api.events.withdrawJoinRequest({ event_id })
  expect(await unread(olivia)).toEqual([])
})

test('an invitation is told to the invited until it is answered', async () => {
  const { olivia, asha, event_id } = await gathering()
  await olivia.api.events.invite({ event_id, user_ids: [asha.id] })
  expect(await unread(asha)).toEqual([['invitation', 'Olivia Ortega invites you.', '/invitations']])
  const { data } = await asha.api.events.listInvitations({ page: 1, page_length: 1 })
  await asha.api.events.declineInvitation({ invitation_id: data[0]?.id ?? 0 })
  expect(await unread(asha)).toEqual([])
})

test('a notification to people who know neither host nor event is short, and holds no link', async () => {
  const { olivia, asha } = await gathering()
  const name = { first_name: 'Win at http://evil.example/1', last_name: 'x'.repeat(100) }
  await app.db.updateTable('users').set(name).where('id', '=', olivia.id).execute()
  const { id: event_id } = await olivia.api.events.saveEvent(evening({ event_name: 'Free money: www.evil.example' }))
  await olivia.api.events.invite({ event_id, user_ids: [asha.id] })
  const [[kind, body] = []] = await unread(asha)
  expect([kind, body]).toEqual(['invitation', `Win at evil. example/1 ${'x'.repeat(37)}… invites you.`])
  expect((await notificationsOf(asha))[0]?.notification_title).toBe('Free money: www. evil. example')
})

test('a change of the name, time or place is told to everyone in the event but its author; others are silent', async () => {
  const { olivia, gus, remy, asha, event, event_id } = await gathering()
  const { event_name, event_starts_at } = event
  const moved = { event_id, event_name, event_starts_at, event_location: 'The old pier' }
  await olivia.api.events.saveEvent(moved)
  const told = ['event_changed', 'Olivia Ortega changed the place. New place: The old pier.', `/events/${event_id}`]
  expect(await Promise.all([gus, remy].map(unread))).toEqual([[told], [told]])
  expect(await Promise.all([olivia, asha].map(unread))).toEqual([[], []])

  await gus.api.notifications.readAllNotifications()
  await olivia.api.events.saveEvent({ ...moved, event_description: 'Bring a lamp.' })
  expect(await unread(gus)).toEqual([])
})

test('a removed guest is told so and nothing more, and what was told is gone', async () => {
  const { olivia, gus, remy, event_id } = await gathering()
  await olivia.api.events.cancelEvent({ event_id })
  await olivia.api.events.removeGuest({ event_id, user_id: remy.id })
  expect(await unread(gus)).toEqual([['event_cancelled', 'Olivia Ortega cancelled the event.', `/events/${event_id}`]])
  expect(await unread(remy)).toEqual([['guest_removed', 'Olivia Ortega removed you from the event.', '/events']])
  await olivia.api.events.bringGuestBack({ event_id, user_id: remy.id })
  expect(await unread(remy)).toEqual([])
})

test('an organizer who is made a guest again is told so; one who steps down, or leaves, tells nobody', async () => {
  const { olivia, gus, event_id } = await gathering()
  const role = { event_id, user_id: gus.id }
  await olivia.api.events.makeOrganizer(role)
  await olivia.api.events.unmakeOrganizer(role)
  const body = 'Olivia Ortega made you a guest. You’re no longer a co-host of this event.'
  expect(await unread(gus)).toEqual([['organizer_unmade', body, `/events/${event_id}`]])
  await olivia.api.events.makeOrganizer(role)
  expect(await unread(gus)).toEqual([])
  await gus.api.events.unmakeOrganizer(role)
  await gus.api.events.leaveEvent({ event_id })
  expect([await unread(gus), await unread(olivia)]).toEqual([[], []])
})

test('a deleted event takes back what it told, and tells who deleted it', async () => {
  const { olivia, gus, event_id } = await gathering()
  await olivia.api.events.cancelEvent({ event_id })
  expect(await unread(gus)).toHaveLength(1)
  await olivia.api.events.deleteEvent({ event_id })
  expect(await unread(gus)).toEqual([['event_deleted', expect.stringMatching(/^Olivia Ortega deleted/), '/events']])
  expect(await notificationsOf(gus)).toHaveLength(1)
})

test('an act that is done again tells nobody again', async () => {
  const { olivia, gus, event_id } = await gathering()
  await olivia.api.events.cancelEvent({ event_id })
  await olivia.api.events.cancelEvent({ event_id })
  await quiet()
  expect((await notificationsOf(gus))[0]).toMatchObject({ notification_kind: 'event_cancelled', notification_count: 1 })
})

test('lists go newest first in pages, and reading one or all counts down', async () => {
  const { olivia, gus } = await gathering()
  for (let number = 1; number <= 5; number++) {
    const { id } = await olivia.api.events.saveEvent(evening({ event_name: `Party ${number}` }))
    await olivia.api.events.invite({ event_id: id, user_ids: [gus.id] })
    await quiet()
  }
  const page = async (number: number) =>
    (await gus.api.notifications.listNotifications({ page: number, page_length: 2 })).data
  const titles = [...(await page(1)), ...(await page(2)), ...(await page(3))].map(one => one.notification_title)
  expect(titles.slice(0, 5)).toEqual(['Party 5', 'Party 4', 'Party 3', 'Party 2', 'Party 1'])

  const [newest] = await page(1)
  const notification_id = newest?.id ?? 0
  expect(await gus.api.notifications.countUnreadNotifications()).toMatchObject({ unread_count: 5 })
  expect(await gus.api.notifications.readNotification({ notification_id })).toEqual({ ...newest, read: true })
  expect(await gus.api.notifications.readNotification({ notification_id })).toEqual({ ...newest, read: true })
  expect(await gus.api.notifications.countUnreadNotifications()).toMatchObject({ unread_count: 4 })
  await gus.api.notifications.readAllNotifications()
  expect(await gus.api.notifications.countUnreadNotifications()).toMatchObject({ unread_count: 0 })
  expect((await page(1)).map(({ read }) => read)).toEqual([true, true])
})

test('a notification that nobody touched for 90 days goes, with its trace', async () => {
  const { olivia, gus, event_id } = await gathering()
  await olivia.api.events.cancelEvent({ event_id })
  await quiet()
  const [kept, ...others] = await notificationsOf(gus)
  expect(others).not.toEqual([])
  await sql`update notifications set updated_at = now() - interval '91 days'
    where user_id = ${gus.id} and id <> ${kept?.id ?? 0}`.execute(app.db)
  await tidyUp(app.db, growing(tables))
  expect(await notificationsOf(gus)).toEqual([kept])
  const { rows } = await sql`select from deliveries d where not exists (
    select from notifications n where n.id = d.notification_id)`.execute(app.db)
  expect(rows).toEqual([])
})

test('nobody reads, or asks about, what belongs to somebody else or never was', async () => {
  const { olivia, gus, asha, event_id } = await gathering()
  await asha.api.events.askToJoin({ event_id })
  await quiet()
  const [own] = await notificationsOf(olivia)
  for (const notification_id of [own?.id ?? 0, 9_007_199_254_740_991]) {
    const missing = notFound('Notification not found!')
    expect(await refusal(gus.api.notifications.readNotification({ notification_id }))).toEqual(missing)
    expect(await refusal(gus.api.notifications.traceNotification({ notification_id }))).toEqual(missing)
  }
  expect((await notificationsOf(olivia))[0]?.read).toBe(false)
})
