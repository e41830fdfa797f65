import { expect, test } from 'vitest'
import { enter } from '../../test/cast.ts'
import { unchanged } from '../../test/event-state.ts'
import { openNotifiedApp } from '../../test/notified.ts'
import { bringIn, evening } from '../../test/party.ts'
import { invalid, refusal, says } from '../../test/refused.ts'

const { app, unread, quiet } = await openNotifiedApp()
const [olivia, rita, gus] = [await enter(app, 'olivia'), await enter(app, 'rita'), await enter(app, 'gus')]
const changed = says('The event has been changed')
const event_starts_at = '2030-06-21T17:00:00.000Z'

const plan = async (more = {}) => {
  const event = await olivia.extra.events.saveEvent(
    evening({ event_starts_at, event_ends_at: '2030-06-21T23:00:00.000Z', event_location: 'The lake', ...more }),
  )
  await bringIn(olivia, event.id, rita)
  await olivia.api.events.makeOrganizer({ event_id: event.id, user_id: rita.id })
  return olivia.extra.events.readEvent({ event_id: event.id })
}

type Edit = Partial<Parameters<typeof olivia.extra.events.saveEvent>[0]>
const edits: Edit[] = [
  { event_name: 'Midsummer, anew' },
  { event_description: 'Bring a jacket.' },
  { event_location: 'The old pier' },
  { event_ends_at: '2030-06-22T01:00:00.000Z' },
  { event_visibility: 3 },
  { event_join_mode: 3 },
  { event_places: 40 },
  { event_album_for: 'coming' },
  { event_photo_approval: 'wall' },
  { event_guests_may_share: false },
  { event_programme: [{ programme_starts_at: '2030-06-21T20:00:00.000Z', programme_title: 'Dinner' }] },
  { event_reveals_at: '2030-06-22T08:00:00.000Z' },
]

test('two organizers who edit at once: the later is told, and both have what they wrote, for 12 pairs of fields', async () => {
  for (const [at, hers] of edits.entries()) {
    const theirs = edits[(at + 5) % edits.length] as Edit
    const { id: event_id, updated_at: event_updated_at } = await plan()
    const first = await olivia.extra.events.saveEvent({ event_id, event_updated_at, ...hers })
    await unchanged(app.db, event_id, async () =>
      expect(await refusal(rita.api.events.saveEvent({ event_id, event_updated_at, ...theirs }))).toEqual(changed),
    )
    const second = await rita.extra.events.saveEvent({ event_id, event_updated_at: first.updated_at, ...theirs })
    const alone = await olivia.extra.events.saveEvent({ event_id: (await plan()).id, ...hers, ...theirs })
    const { id, group_chat_id, created_at, updated_at, event_avatar_url, ...said } = alone
    expect(second).toMatchObject({ ...said, extra: { ...said.extra, may: second.extra.may } })
  }
}, 120_000)

test('of two who save the same version at the same moment, one is told', async () => {
  const { id: event_id, updated_at: event_updated_at } = await plan()
  const saved = await Promise.allSettled(
    [olivia, rita].map(({ api }, at) => api.events.saveEvent({ event_id, event_updated_at, event_places: 10 + at })),
  )
  expect(saved.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected'])
})

test('guests are told of what they see: not of seconds, a zone with the same clock, or a value that stays', async () => {
  const { id: event_id } = await plan({ event_timezone: 'Europe/Berlin' })
  await bringIn(olivia, event_id, gus)
  await quiet()
  await gus.api.notifications.readAllNotifications()
  for (const silent of [
    { event_starts_at: '2030-06-21T17:00:42.500Z' },
    { event_timezone: 'Europe/Paris' },
    { event_location: ' The lake ', event_name: 'Midsummer at the lake' },
    { event_description: 'Bring a jacket.' },
  ])
    await olivia.api.events.saveEvent({ event_id, ...silent })
  await quiet()
  expect(await unread(gus)).toEqual([])
  await olivia.api.events.saveEvent({ event_id, event_timezone: 'America/New_York' })
  await quiet()
  expect((await unread(gus)).map(([kind]) => kind)).toEqual(['event_changed'])
})

test('an end or a programme that no longer fits is refused by name, and nothing is written', async () => {
  const { id: event_id } = await plan()
  for (const [wrong, field, sentence] of [
    [{ event_ends_at: '2030-06-21T16:00:00Z' }, 'event_ends_at', 'must be a date after event starts at'],
    [
      { event_programme: [{ programme_starts_at: '2029-06-21T20:00:00Z', programme_title: 'Dinner' }] },
      'event_programme.0.programme_starts_at',
      'must be within 31 days of event starts at',
    ],
    [
      { event_reveals_at: '2029-06-22T08:00:00Z' },
      'event_reveals_at',
      'must not be more than 180 days before event starts at',
    ],
  ] as const)
    await unchanged(app.db, event_id, async () =>
      expect(await refusal(olivia.api.events.saveEvent({ event_id, ...wrong } as Edit))).toEqual(
        invalid(field, `The ${field.replaceAll('_', ' ')} field ${sentence}.`),
      ),
    )
})
