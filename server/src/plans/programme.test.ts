import { expect, test } from 'vitest'
import { openTestApp } from '../../test/app.ts'
import { enter } from '../../test/cast.ts'
import { listen } from '../../test/channel.ts'
import { bringIn } from '../../test/party.ts'
import { png } from '../../test/pictures.ts'
import { refusal } from '../../test/refused.ts'

const app = await openTestApp()
const [olivia, gus] = [await enter(app, 'olivia'), await enter(app, 'gus')]

const start = Date.now() + 7 * 86_400_000
const at = (hours: number) => new Date(start + hours * 3_600_000).toISOString()
const party = { event_name: 'Midsummer at the lake', event_starts_at: at(0) }
const entry = (hours: number, programme_title: string, more: Record<string, unknown> = {}) => ({
  programme_starts_at: at(hours),
  programme_title,
  ...more,
})
const shown = (hours: number, programme_title: string, more: Record<string, unknown> = {}) => ({
  ...entry(hours, programme_title),
  programme_ends_at: null,
  programme_place: null,
  ...more,
})
const dinner = { programme_ends_at: at(3), programme_place: 'The garden' }

test('a programme is kept in its order, replaced as a whole, and moves with the event', async () => {
  const { id: event_id, extra } = await olivia.extra.events.saveEvent({
    ...party,
    event_programme: [
      entry(4, ' First dance '),
      entry(1, 'Dinner', dinner),
      entry(-0.5, 'Doors', { programme_place: '' }),
    ],
  })
  const planned = [shown(-0.5, 'Doors'), shown(1, 'Dinner', dinner), shown(4, 'First dance')]
  expect(extra.event_programme).toEqual(planned)
  await bringIn(olivia, event_id, gus)
  expect((await gus.extra.events.readEvent({ event_id })).extra.event_programme).toEqual(planned)

  const listener = await listen(app, gus)
  const later = await olivia.extra.events.saveEvent({ ...party, event_id, event_starts_at: at(24) })
  const moved = [
    shown(23.5, 'Doors'),
    shown(25, 'Dinner', { ...dinner, programme_ends_at: at(27) }),
    shown(28, 'First dance'),
  ]
  expect(later.extra.event_programme).toEqual(moved)
  const told = await listener.next('event.updated', ({ id }) => id === event_id)
  expect(told.extra?.event_programme).toEqual(moved)

  const fewer = await olivia.extra.events.saveEvent({ ...party, event_id, event_programme: [entry(2, 'Cake')] })
  expect(fewer.extra.event_programme).toEqual([shown(2, 'Cake')])
  const none = await olivia.extra.events.saveEvent({ ...party, event_id, event_programme: [] })
  expect(none.extra.event_programme).toEqual([])
})

/** A weekend in Berlin, where the clocks are put forward on the last Sunday of March and back on that of October. */
const weekend = (friday: string) => ({ event_starts_at: `${friday}T18:00:00+01:00`, event_timezone: 'Europe/Berlin' })
const planned = async (event: Promise<{ extra: { event_programme: { programme_starts_at: string }[] } }>) =>
  (await event).extra.event_programme

test('a programme keeps its hours when its event moves to where the clocks are changed in the middle of it', async () => {
  const { id: event_id } = await olivia.extra.events.saveEvent({
    ...party,
    ...weekend('2030-03-22'),
    event_ends_at: '2030-03-24T12:00:00+01:00',
    event_reveals_at: '2030-03-24T10:00:00+01:00',
    event_programme: [
      { programme_starts_at: '2030-03-24T02:30:00+01:00', programme_title: 'Midnight snack' },
      {
        programme_starts_at: '2030-03-24T11:00:00+01:00',
        programme_ends_at: '2030-03-24T13:00:00+01:00',
        programme_title: 'Brunch',
      },
    ],
  })
  const brunch = { programme_starts_at: '2030-03-31T09:00:00.000Z', programme_ends_at: '2030-03-31T11:00:00.000Z' }
  const { event_starts_at } = weekend('2030-03-29')
  const again = await olivia.extra.events.copyEvent({ event_id, event_starts_at })
  expect(again).toMatchObject({
    event_ends_at: '2030-03-31T10:00:00.000Z',
    extra: { event_reveals_at: '2030-03-31T08:00:00.000Z' },
  })
  // Half past two does not exist that night.
  const moved = [{ programme_starts_at: '2030-03-31T01:30:00.000Z' }, brunch]
  expect(again.extra.event_programme).toMatchObject(moved)
  expect(await planned(olivia.extra.events.saveEvent({ ...party, event_id, event_starts_at }))).toMatchObject(moved)
  // The same clocks in another place.
  const inLondon = { ...party, event_id, event_starts_at: '2030-03-29T18:00:00Z', event_timezone: 'Europe/London' }
  expect((await planned(olivia.extra.events.saveEvent(inLondon)))[1]).toMatchObject({
    programme_starts_at: '2030-03-31T10:00:00.000Z',
    programme_ends_at: '2030-03-31T12:00:00.000Z',
  })
})

test('an event moves to no time after which its programme or its end has a year of five digits', async () => {
  const end = { event_starts_at: '9999-12-31T23:00:00Z' }
  const date = { status: 400, body: { event_starts_at: ['The event starts at field must be a valid date.'] } }
  const programme = { event_programme: [entry(2, 'Cake')] }
  for (const lasting of [programme, { event_ends_at: at(3) }]) {
    const { id: event_id } = await olivia.extra.events.saveEvent({ ...party, ...lasting })
    expect(await refusal(olivia.api.events.copyEvent({ event_id, ...end }))).toEqual(date)
    if (lasting === programme)
      expect(await refusal(olivia.api.events.saveEvent({ ...party, event_id, ...end }))).toEqual(date)
    expect((await olivia.extra.events.readEvent({ event_id })).event_starts_at).toBe(party.event_starts_at)
  }
})

test('what lasts over an hour that is there twice still ends after its beginning where it is moved to', async () => {
  const { id: event_id } = await olivia.extra.events.saveEvent({
    ...party,
    ...weekend('2030-10-25'),
    event_starts_at: '2030-10-25T18:00:00+02:00',
    event_programme: [
      {
        programme_starts_at: '2030-10-27T02:40:00+02:00',
        programme_ends_at: '2030-10-27T02:10:00+01:00',
        programme_title: 'The long hour',
      },
    ],
  })
  const [entry] = await planned(olivia.extra.events.saveEvent({ ...party, event_id, ...weekend('2030-11-01') }))
  expect(entry).toMatchObject({
    programme_starts_at: '2030-11-03T01:40:00.000Z',
    programme_ends_at: '2030-11-03T02:10:00.000Z',
  })
})

test('a form with a picture brings a programme, and takes it away', async () => {
  const event_avatar = new Blob([await png({ width: 24, height: 16 })])
  const event_programme = [entry(1, 'Dinner', dinner), entry(4, 'First dance')]
  const { id: event_id, extra } = await olivia.extra.events.saveEvent({ ...party, event_avatar, event_programme })
  expect(extra.event_programme).toEqual([shown(1, 'Dinner', dinner), shown(4, 'First dance')])
  const none = await olivia.extra.events.saveEvent({ ...party, event_id, event_avatar, event_programme: [] })
  expect(none.extra.event_programme).toEqual([])
})

test('a programme is refused by name for each thing that is wrong with it', async () => {
  const refused = async (event_programme: unknown[]) =>
    (await refusal(olivia.api.events.saveEvent({ ...party, event_programme: event_programme as never[] }))).body
  expect(await refused(Array.from({ length: 500 }, (_, n) => entry(n / 100, `${n}`)))).toEqual({
    event_programme: ['The event programme field must not have more than 50 items.'],
  })
  expect(
    await refused([
      entry(1, 'Dinner', { programme_ends_at: at(0.5) }),
      { programme_title: 'x'.repeat(10_000) },
      entry(2, '\u200b', { programme_place: 'x'.repeat(256) }),
      { programme_starts_at: '2027-06-21T19:00:00', programme_title: 'Nowhere' },
      'Dance',
    ]),
  ).toEqual({
    'event_programme.0.programme_ends_at': [
      'The event programme.0.programme ends at field must be a date after programme starts at.',
    ],
    'event_programme.1.programme_starts_at': ['The event programme.1.programme starts at field is required.'],
    'event_programme.1.programme_title': [
      'The event programme.1.programme title field must not be greater than 200 characters.',
    ],
    'event_programme.2.programme_title': ['The event programme.2.programme title field is required.'],
    'event_programme.2.programme_place': [
      'The event programme.2.programme place field must not be greater than 255 characters.',
    ],
    'event_programme.3.programme_starts_at': ['The event programme.3.programme starts at field must be a valid date.'],
    'event_programme.4': ['The event programme.4 field format is invalid.'],
  })
  expect(await refused([entry(32 * 24, 'Much later')])).toEqual({
    'event_programme.0.programme_starts_at': [
      'The event programme.0.programme starts at field must be within 31 days of event starts at.',
    ],
  })
})
