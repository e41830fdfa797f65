import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { openTestApp } from '../../test/app.ts'
import { enter } from '../../test/cast.ts'
import { unchanged } from '../../test/event-state.ts'
import { evening, party } from '../../test/party.ts'
import { jpeg } from '../../test/pictures.ts'
import { invalid, notFound, refusal, says } from '../../test/refused.ts'

const app = await openTestApp()
const { olivia, gus, asha, sam, remy, gwen, event } = await party(app)
const { saveEvent, readEvent } = olivia.api.events

const picture = async (seed: number) => new Blob([await jpeg({ width: 900, height: 600, seed })])
const events = async () => (await sql`select from events`.execute(app.db)).rows.length

test('the cast stands to the event as its names say', async () => {
  const roles = await Promise.all(
    [olivia, gus, asha, sam, remy, gwen].map(
      async member => (await member.api.events.readEvent({ event_id: event.id })).event_role,
    ),
  )
  expect(roles).toEqual(['organizer', 'guest', 'asked', 'none', 'none', 'none'])
})

describe('a new event', () => {
  test('has its maker as organizer, an open chat, and what was not said by default', async () => {
    const made = await olivia.extra.events.saveEvent({
      event_name: '  Brunch  ',
      event_starts_at: '2031-05-01T10:00:00.1234+02:00',
    })
    expect(made).toEqual({
      id: made.id,
      event_name: 'Brunch',
      event_description: null,
      event_starts_at: '2031-05-01T08:00:00.123Z',
      event_ends_at: null,
      event_timezone: 'Europe/Madrid',
      event_location: null,
      event_visibility: 1,
      event_join_mode: 2,
      event_status: 1,
      event_avatar_url: `${app.url}/media/initials/B/${made.id % 24}.svg`,
      event_guests_count: 1,
      event_role: 'organizer',
      group_chat_id: made.group_chat_id,
      created_at: made.created_at,
      updated_at: made.created_at,
      extra: {
        attachments_to_album: true,
        timezone_offset: '+02:00',
        guests_hidden: false,
        guests_may_share: true,
        greetings_on_wall: false,
        page_lives: true,
        photo_approval: 'none',
        again_of: null,
        event_places: null,
        event_plus_ones_max: 20,
        album_for: 'everybody',
        event_programme: [],
        event_photos_shown: 'at_once',
        event_reveals_at: null,
        event_revealed_at: null,
        event_organizers_see_photos: true,
        event_theme: null,
        location_hidden: false,
        event_asks_for_photos: true,
        event_announcements_in_chat: true,
        waiting: [],
        owner_id: olivia.id,
        offered_to: null,
        deleted_at: null,
        may: {
          ask: false,
          see: true,
          album: true,
          browse: true,
          read_chat: true,
          read: true,
          chat: true,
          upload: true,
          invite: true,
          manage: true,
          announce: true,
          moderate: true,
          approve: true,
          leave: false,
          own: true,
        },
      },
    })
    expect(await olivia.extra.events.readEvent({ event_id: made.id })).toEqual(made)
    const chat = await app.db.selectFrom('group_chats').selectAll().where('id', '=', made.group_chat_id).execute()
    expect(chat).toMatchObject([{ event_id: made.id, status: 1, last_sequence: 0 }])
  })

  test('keeps every script as it was written', async () => {
    const event_name = 'حفلة 🎉 — 夏祭り Ça ira ñ'
    const event_description = "a\u200Db\n<script>alert(1)</script>'; drop table events; --"
    expect(await saveEvent(evening({ event_name, event_description }))).toMatchObject({ event_name, event_description })
  })

  test.each<[string, Record<string, unknown>, string]>([
    ['event_name', { event_name: ' ' }, 'The event name field is required.'],
    ['event_name', { event_name: 'x'.repeat(101) }, 'The event name field must not be greater than 100 characters.'],
    ['event_name', { event_name: 'a\0b' }, 'The event name field format is invalid.'],
    ['event_starts_at', { event_starts_at: undefined }, 'The event starts at field is required.'],
    ['event_starts_at', { event_starts_at: 'tomorrow' }, 'The event starts at field must be a valid date.'],
    ['event_starts_at', { event_starts_at: '2030-02-30T00:00:00Z' }, 'The event starts at field must be a valid date.'],
    [
      'event_starts_at',
      { event_starts_at: '9999-12-31T23:00:00-02:00' },
      'The event starts at field must be a valid date.',
    ],
    [
      'event_starts_at',
      { event_starts_at: '0001-01-01T00:00:00+02:00' },
      'The event starts at field must be a date in the year 1900 or later.',
    ],
    [
      'event_starts_at',
      { event_starts_at: '0026-06-21T19:00:00Z' },
      'The event starts at field must be a date in the year 1900 or later.',
    ],
    [
      'event_ends_at',
      { event_ends_at: '2001-01-01T00:00:00Z' },
      'The event ends at field must be a date after event starts at.',
    ],
    ['event_timezone', { event_timezone: 'Mars/Base' }, 'The event timezone field must be a valid timezone.'],
    ['event_visibility', { event_visibility: 4 }, 'The selected event visibility is invalid.'],
    ['event_join_mode', { event_join_mode: 'open' }, 'The event join mode field must be an integer.'],
    [
      'event_attachments_to_album',
      { event_attachments_to_album: 2 },
      'The event attachments to album field must be true or false.',
    ],
    ['event_id', { event_id: '0x1' }, 'The event id field must be an integer.'],
    ['event_avatar', { event_avatar: new Blob(['<svg/>']) }, 'The event avatar field must be an image.'],
  ])('with a wrong %s (%j) is refused and not made', async (field, fields, sentence) => {
    const before = await events()
    const asked = { ...evening(), ...fields } as unknown as ReturnType<typeof evening>
    expect(await refusal(saveEvent(asked))).toEqual(invalid(field, sentence))
    expect(await events()).toBe(before)
  })

  test.each([
    ['+02:00', 'Etc/GMT-2', '+02:00'],
    ['GMT+0530', 'Asia/Kolkata', '+05:30'],
    ['America/Coyhaique', 'America/Coyhaique', '-03:00'],
    ['W. Europe Standard Time', 'Europe/Berlin', '+02:00'],
  ])('in %s is in %s, which is %s then', async (event_timezone, stored, timezone_offset) => {
    const made = evening({ event_timezone, event_starts_at: '2030-07-01T18:00:00Z' })
    expect(await olivia.extra.events.saveEvent(made)).toMatchObject({
      event_timezone: stored,
      extra: { timezone_offset },
    })
  })

  test.each(['Etc/Unknown', 'America/Newtown', 'Mars/Phobos', '+25:00'])(
    'in %s, which no browser knows, is refused',
    async event_timezone => {
      expect(await refusal(saveEvent(evening({ event_timezone })))).toEqual(
        invalid('event_timezone', 'The event timezone field must be a valid timezone.'),
      )
    },
  )

  test('may have begun in 1900 and end in 9999', async () => {
    const ages = { event_starts_at: '1900-01-01T00:00:00Z', event_ends_at: '9999-12-31T23:59:59.999Z' }
    expect(await saveEvent(evening(ages))).toMatchObject({
      event_starts_at: '1900-01-01T00:00:00.000Z',
      event_ends_at: '9999-12-31T23:59:59.999Z',
    })
  })

  test('is told all that it needs at once', async () => {
    const nothing = { event_timezone: 'Mars/Base' } as unknown as ReturnType<typeof evening>
    const { body } = await refusal(saveEvent(nothing))
    expect(Object.keys(body as object).toSorted()).toEqual(['event_name', 'event_starts_at', 'event_timezone'])
  })
})

describe('an update', () => {
  test('changes what it names, clears what it empties, and keeps the rest', async () => {
    const full = await olivia.extra.events.saveEvent(
      evening({
        event_starts_at: '2039-12-31T18:00:00Z',
        event_description: 'Bring towels',
        event_ends_at: '2040-01-01T00:00:00Z',
        event_location: 'The lake',
        event_timezone: 'Asia/Kolkata',
        event_visibility: 3,
        event_join_mode: 1,
        event_attachments_to_album: false,
        event_guests_may_share: false,
        event_greetings_on_wall: true,
        event_avatar: await picture(1),
      }),
    )
    const renamed = await olivia.extra.events.saveEvent({ event_id: full.id, event_name: 'Renamed' })
    expect(renamed).toEqual({ ...full, event_name: 'Renamed', updated_at: renamed.updated_at })
    expect(renamed.updated_at > full.updated_at).toBe(true)
    const empty = { event_description: '', event_location: null, event_ends_at: '' }
    expect(await saveEvent({ event_id: full.id, ...empty })).toMatchObject({
      event_name: 'Renamed',
      event_description: null,
      event_location: null,
      event_ends_at: null,
    })
    for (const field of ['event_name', 'event_starts_at'])
      expect(await refusal(saveEvent({ event_id: full.id, [field]: null as unknown as string }))).toEqual(
        invalid(field, `The ${field.replaceAll('_', ' ')} field is required.`),
      )
  })

  test('by somebody else leaves no picture behind', async () => {
    const pictures = async () => (await sql`select from media`.execute(app.db)).rows.length
    const before = await pictures()
    const asked = evening({ event_id: event.id, event_avatar: await picture(9) })
    await unchanged(app.db, event.id, async () =>
      expect(await refusal(gus.api.events.saveEvent(asked))).toEqual(says('The user is not an organizer of the event')),
    )
    expect(await pictures()).toBe(before)
  })
})

test('an avatar is shown until another takes its place or the event is deleted', async () => {
  const first = await saveEvent(evening({ event_avatar: await picture(2) }))
  const shown = await fetch(first.event_avatar_url)
  expect([shown.status, shown.headers.get('content-type')]).toEqual([200, 'image/jpeg'])
  const second = await saveEvent(evening({ event_id: first.id, event_avatar: await picture(3) }))
  expect((await fetch(first.event_avatar_url)).status).toBe(404)
  expect((await fetch(second.event_avatar_url)).status).toBe(200)
  await olivia.api.events.deleteEvent({ event_id: first.id })
  expect((await fetch(second.event_avatar_url)).status).toBe(404)
})

describe('a repeated Idempotency-Key', () => {
  test('makes one event, however many ask at once', async () => {
    const asked = evening({ event_name: 'Only once' })
    const made = await Promise.all(Array.from({ length: 5 }, () => saveEvent(asked, { idempotencyKey: 'one' })))
    expect(made).toEqual(Array(5).fill(made[0]))
    const { rows } = await sql`select from events where name = 'Only once'`.execute(app.db)
    expect(rows).toHaveLength(1)
    const other = await refusal(saveEvent(evening({ event_name: 'Another' }), { idempotencyKey: 'one' }))
    expect(other).toEqual(says('The Idempotency-Key was used before with another request.'))
  })

  test('shows nothing of an event that is gone since', async () => {
    const asked = evening({ event_name: 'Short-lived' })
    const made = await saveEvent(asked, { idempotencyKey: 'gone' })
    await olivia.api.events.deleteEvent({ event_id: made.id })
    expect(await refusal(saveEvent(asked, { idempotencyKey: 'gone' }))).toEqual(notFound('Event not found!'))
  })
})

test('cancelling and deleting are seen at once, and deleting is for good', async () => {
  const { id } = await saveEvent(evening({ event_join_mode: 1 }))
  await gus.api.events.askToJoin({ event_id: id })
  expect(await olivia.api.events.cancelEvent({ event_id: id })).toMatchObject({ id, event_status: 2 })
  expect(await gus.api.events.readEvent({ event_id: id })).toMatchObject({ event_status: 2, event_role: 'guest' })
  await olivia.api.events.deleteEvent({ event_id: id })
  expect(await refusal(readEvent({ event_id: id }))).toEqual(notFound('Event not found!'))
  const { data } = await gus.api.events.listEvents({ page: 1, page_length: 100 })
  expect(data.map(listed => listed.id)).not.toContain(id)
})

test('a member’s extra says what their standing lets them do', async () => {
  const may = async (member: typeof sam, event_id = event.id) =>
    (await member.extra.events.readEvent({ event_id })).extra?.may
  const nothing = {
    ask: false,
    see: false,
    album: false,
    browse: false,
    read_chat: false,
    read: false,
    chat: false,
    upload: false,
    invite: false,
    manage: false,
    announce: false,
    moderate: false,
    approve: false,
    leave: false,
    own: false,
  }
  const inside = { see: true, album: true, browse: true, read_chat: true, read: true }
  expect(await may(gus)).toEqual({ ...nothing, ...inside, chat: true, upload: true, leave: true })
  expect(await may(asha)).toEqual(nothing)
  expect(await may(sam)).toEqual({ ...nothing, ask: true })
  expect(await may(remy)).toEqual({ ...nothing, ask: true })
  const { id } = await saveEvent(evening({ event_join_mode: 3 }))
  expect(await may(sam, id)).toEqual(nothing)
  await olivia.api.events.invite({ event_id: id, user_ids: [sam.id] })
  expect(await may(sam, id)).toEqual({ ...nothing, ask: true })
  const late = await enter(app, 'gwen')
  expect(await may(late, id)).toEqual(nothing)
})
