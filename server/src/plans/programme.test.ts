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
