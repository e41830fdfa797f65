import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { enter } from '../../../test/cast.ts'
import { notificationsOf, openNotifiedApp } from '../../../test/notified.ts'
import { bringIn, evening } from '../../../test/party.ts'
import { anew, png } from '../../../test/pictures.ts'
import { invalid, notFound, refusal, says } from '../../../test/refused.ts'

const { app, quiet } = await openNotifiedApp()
const [olivia, rita] = [await enter(app, 'olivia'), await enter(app, 'rita')]
const [gus, ana] = [await enter(app, 'gus'), await enter(app, 'ana')]
const image = new Blob([await png({ width: 24, height: 16 })])
const paged = { page: 1, page_length: 100 }
const next = '2031-06-22T17:00:00.000Z'

const hold = async () => {
  const { id: event_id, group_chat_id } = await olivia.api.events.saveEvent(
    evening({
      event_starts_at: '2030-06-21T17:00:00Z',
      event_ends_at: '2030-06-21T23:00:00Z',
      event_description: 'Bring a jacket.',
      event_photo_approval: 'album',
      event_greetings_on_wall: true,
      event_page_lives: false,
      event_places: 40,
      event_programme: [{ programme_starts_at: '2030-06-21T20:00:00Z', programme_title: 'Dinner' }],
      event_reveals_at: '2030-06-22T08:00:00Z',
      event_avatar: await anew(image),
    }),
  )
  for (const guest of [rita, gus, ana]) await bringIn(olivia, event_id, guest)
  await olivia.api.events.makeOrganizer({ event_id, user_id: rita.id })
  await olivia.api.gallery.uploadPhoto({ event_id, image: await anew(image) })
  await gus.api.chats.saveMessage({ group_chat_id, message_content: 'What a night' })
  return event_id
}

test('an event is held again with its organizers, picture and settings; the others are invited, and nothing else comes along', async () => {
  const event_id = await hold()
  const before = await olivia.extra.events.readEvent({ event_id })
  const made = await olivia.extra.events.copyEvent({
    event_id,
    event_starts_at: next,
    event_name: 'Once more',
    guests_invited: true,
  })
  expect(made).toMatchObject({
    event_name: 'Once more',
    event_description: 'Bring a jacket.',
    event_starts_at: next,
    event_ends_at: '2031-06-22T23:00:00.000Z',
    event_guests_count: 1,
    event_role: 'organizer',
    extra: {
      again_of: event_id,
      event_places: 40,
      event_programme: [{ programme_starts_at: '2031-06-22T20:00:00.000Z', programme_title: 'Dinner' }],
      photo_approval: 'album',
      greetings_on_wall: true,
      page_lives: false,
      event_photos_shown: 'later',
      event_reveals_at: '2031-06-23T08:00:00.000Z',
      may: { own: true },
    },
  })
  const again = { event_id: made.id, ...paged }
  const asked = (await rita.api.events.listInvitations(paged)).data.find(({ event }) => event.id === made.id)
  await rita.api.events.acceptInvitation({ invitation_id: asked?.id ?? 0 })
  expect((await olivia.api.events.listGuests(again)).data.map(one => [one.user.id, one.event_role])).toEqual(
    expect.arrayContaining([
      [olivia.id, 'organizer'],
      [rita.id, 'organizer'],
    ]),
  )
  expect((await olivia.api.gallery.listPhotos(again)).data).toEqual([])
  expect((await olivia.api.chats.listMessages({ group_chat_id: made.group_chat_id, ...paged })).data).toEqual([])
  // The repeat has a picture of its own: replacing one leaves the other.
  expect(made.event_avatar_url).not.toBe(before.event_avatar_url)
  await olivia.api.events.saveEvent(evening({ event_id, event_avatar: await anew(image) }))
  expect((await fetch(made.event_avatar_url)).status).toBe(200)
  await quiet()
  for (const guest of [gus, ana]) {
    const { data } = await guest.api.events.listInvitations(paged)
    expect(data.map(({ event }) => event.id)).toContain(made.id)
    const told = (await notificationsOf(guest)).filter(one => one.event_id === made.id)
    expect(told.map(one => one.notification_kind)).toEqual(['invitation'])
  }
})

test('copying twice under one key makes one event, and nobody is invited where nobody shall be', async () => {
  const event_id = await hold()
  const again = { event_id, event_starts_at: next, guests_invited: false }
  const idempotencyKey = 'again'
  const [first, second] = await Promise.all([0, 1].map(() => rita.api.events.copyEvent(again, { idempotencyKey })))
  expect(second).toEqual(first)
  expect((await olivia.api.events.listInvitations(paged)).data.map(({ event }) => event.id)).toContain(first?.id)
  expect((await gus.api.events.listInvitations(paged)).data.map(({ event }) => event.id)).not.toContain(first?.id)
  expect((await rita.extra.events.readEvent({ event_id: first?.id ?? 0 })).extra?.may.own).toBe(true)
})

test('without a key, the same again within minutes is the same event, and another beginning another', async () => {
  const event_id = await hold()
  const again = { event_id, event_starts_at: next, guests_invited: false }
  const made = await Promise.all([olivia, rita, olivia].map(by => by.api.events.copyEvent(again)))
  expect(new Set(made.map(({ id }) => id)).size).toBe(1)
  const other = await olivia.api.events.copyEvent({ ...again, event_starts_at: '2032-06-20T17:00:00.000Z' })
  expect(other.id).not.toBe(made[0]?.id)
})

test('an event is not held again in the past', async () => {
  const event_id = await hold()
  const event_starts_at = new Date(Date.now() - 60_000).toISOString()
  expect(await refusal(olivia.api.events.copyEvent({ event_id, event_starts_at }))).toEqual(
    invalid('event_starts_at', 'The event starts at field must be a date in the future.'),
  )
})

test('repeats invite once a day and thrice a year, and never who declined one', async () => {
  let event_id = await hold()
  let year = 2040
  const again = (guests_invited = true) => {
    year += 1
    return olivia.api.events.copyEvent({ event_id, event_starts_at: `${year}-06-22T17:00:00.000Z`, guests_invited })
  }
  const invitationOf = async (id: number) =>
    (await gus.api.events.listInvitations(paged)).data.find(({ event }) => event.id === id)
  const past = (days: number) =>
    sql`with recursive made (id) as (
        select id from events where id = ${event_id} union select e.id from events e join made on e.again_of = made.id)
      update events set created_at = created_at - make_interval(days => ${days}) where again_of is not null`.execute(
      app.db,
    )
  const first = await again()
  await gus.api.events.declineInvitation({ invitation_id: (await invitationOf(first.id))?.id ?? 0 })
  const copiedLately = says('The guests were invited to a repeat of this event today, or three times this year')
  expect(await refusal(again())).toEqual(copiedLately)
  // A repeat of the repeat is one of the same series.
  const series = event_id
  event_id = first.id
  expect(await refusal(again())).toEqual(copiedLately)
  expect((await again(false)).event_role).toBe('organizer')
  event_id = series
  await past(2)
  expect(await invitationOf((await again()).id)).toBeUndefined()
})

test('only organizers hold an event again, and nobody across a block', async () => {
  const event_id = await hold()
  const again = { event_id, event_starts_at: next }
  expect(await refusal(gus.api.events.copyEvent(again))).toEqual(says('The user is not an organizer of the event'))
  expect(await refusal(gus.api.events.copyEvent({ ...again, event_id: 404_404 }))).toEqual(notFound('Event not found!'))
  await rita.api.people.block({ user_id: olivia.id })
  const made = await olivia.api.events.copyEvent(again)
  expect(made.event_guests_count).toBe(1)
  await rita.api.people.unblock({ user_id: olivia.id })
})
