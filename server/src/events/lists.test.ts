import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { openTestApp } from '../../test/app.ts'
import { enter } from '../../test/cast.ts'
import { invalid, refusal, says } from '../../test/refused.ts'
import { statementsOf } from '../../test/statements.ts'
import type { Transaction } from '../platform/database/database.ts'
import { slices } from '../slices.ts'
import { type EventList, listEvents } from './store.ts'

const app = await openTestApp()
const olivia = await enter(app, 'olivia')
const gus = await enter(app, 'gus')
const sam = await enter(app, 'sam')

const inHours = (hours: number) => new Date(Date.now() + hours * 3_600_000).toISOString()
const hold = async (event_name: string, starts: number, more: Record<string, unknown> = {}, by = olivia) =>
  (await by.api.events.saveEvent({ event_name, event_starts_at: inHours(starts), event_join_mode: 1, ...more })).id

const lastWeek = await hold('last week', -168, { event_ends_at: inHours(-160) })
const yesterday = await hold('yesterday, without an end', -30)
const festival = await hold('a festival that runs until next month', -400, { event_ends_at: inHours(700) })
const tonight = await hold('tonight, begun already', -3)
const secret = await hold('in a week, private', 168, { event_visibility: 3 })
const calledOff = await hold('in two weeks, called off', 336)
const elsewhere = await hold('in three weeks, by Gus', 504, {}, gus)
await olivia.api.events.cancelEvent({ event_id: calledOff })
await olivia.api.events.askToJoin({ event_id: elsewhere })
await gus.api.events.askToJoin({ event_id: tonight })

const listed = async (by: typeof sam, filter?: 'upcoming' | 'past' | 'hosting' | 'public') =>
  (await by.api.events.listEvents({ page: 1, page_length: 50, ...(filter && { filter }) })).data.map(({ id }) => id)

test('without a filter a list holds all of the viewer’s events, newest start first', async () => {
  expect(await listed(olivia)).toEqual([elsewhere, calledOff, secret, tonight, yesterday, lastWeek, festival])
  expect(await listed(gus)).toEqual([elsewhere, tonight])
  expect(await listed(sam)).toEqual([])
})

test('coming events stand soonest first, past ones latest first, one’s own newest first', async () => {
  expect(await listed(olivia, 'upcoming')).toEqual([festival, tonight, secret, calledOff, elsewhere])
  expect(await listed(olivia, 'past')).toEqual([yesterday, lastWeek])
  expect(await listed(olivia, 'hosting')).toEqual([calledOff, secret, tonight, yesterday, lastWeek, festival])
  expect(await listed(gus, 'hosting')).toEqual([elsewhere])
})

test('the public list is everybody’s planned, unfinished, public events, what ends soonest first', async () => {
  for (const member of [olivia, gus, sam])
    expect(await listed(member, 'public')).toEqual([tonight, elsewhere, festival])
})

test('a guest who left an event does not find it in any list of theirs', async () => {
  const id = await hold('left again', 20)
  await gus.api.events.askToJoin({ event_id: id })
  expect(await listed(gus, 'upcoming')).toContain(id)
  await gus.api.events.leaveEvent({ event_id: id })
  expect(await listed(gus)).not.toContain(id)
  await olivia.api.events.deleteEvent({ event_id: id })
})

test('pages of events that start in the same moment repeat none and lose none', async () => {
  const asha = await enter(app, 'asha')
  const made: number[] = []
  for (let n = 0; n < 7; n++) made.push(await hold(`twin ${n}`, 0, { event_starts_at: '2039-01-01T00:00:00Z' }, asha))
  for (const [filter, expected] of [
    ['upcoming', made],
    ['public', made],
    ['hosting', made.toReversed()],
  ] as const) {
    const pages = []
    for (let page = 1; page <= 4; page++) pages.push(await asha.api.events.listEvents({ filter, page, page_length: 3 }))
    const seen = pages.flatMap(({ data }) => data.map(({ id }) => id)).filter(id => made.includes(id))
    expect(seen).toEqual(expected)
  }
  const second = await asha.api.events.listEvents({ filter: 'hosting', page: 2, page_length: 3 })
  expect(second).toMatchObject({ current_page: 2, from: 4, to: 6, per_page: '3' })
  expect(second.next_page_url).toBe(`${app.url}/api/event/list?filter=hosting&page_length=3&page=3`)
  const beyond = await asha.api.events.listEvents({ filter: 'hosting', page: 9, page_length: 3 })
  expect(beyond).toMatchObject({ data: [], from: null, to: null, next_page_url: null })
  for (const event_id of made) await asha.api.events.deleteEvent({ event_id })
})

test('a filter nobody knows is refused', async () => {
  const asked = { page: 1, page_length: 5, filter: 'mine' as 'past' }
  expect(await refusal(sam.api.events.listEvents(asked))).toEqual(invalid('filter', 'The selected filter is invalid.'))
})

test('a list costs one statement, one for what each other slice adds to `extra`, and one for all that waits, however long it is', async () => {
  const alone = () => statementsOf(() => olivia.api.events.listEvents({ page: 1, page_length: 50 }))
  const counted = (page_length: number) => statementsOf(() => olivia.extra.events.listEvents({ page: 1, page_length }))
  await counted(1)
  const added = slices.filter(({ eventPart }) => eventPart?.read).length
  expect([await alone(), await counted(1), await counted(50)]).toEqual([1, 2 + added, 2 + added])
})

test('lists read what they show, not what is over or other people’s', async () => {
  await sql`with made as (
      insert into events (name, starts_at, timezone, created_by, guests_count)
      select 'over', now() - n * interval '1 hour' - interval '2 days', 'UTC', ${gus.id}, 1
      from generate_series(1, 3000) n returning id),
    chats as (insert into group_chats (event_id) select id from made)
    insert into guests (event_id, user_id, role) select id, ${gus.id}, 'owner' from made`.execute(app.db)
  // With a handful of people, the planner reads all instead of looking one up.
  await sql`
    insert into users (username, email, first_name, last_name, timezone, status)
    select 'passer' || n, n || '@passer.example', 'Passer', 'By', 'UTC', 1 from generate_series(1, 3000) n`.execute(
    app.db,
  )
  await sql`analyze`.execute(app.db)
  const read = async (tx: Transaction) => {
    const { rows } = await sql<{ read: number }>`
      select sum(seq_tup_read + idx_tup_fetch)::int as read from pg_stat_xact_user_tables`.execute(tx)
    return rows[0]?.read ?? 0
  }
  const rowsRead = (list: EventList, viewer: number) =>
    app.db.transaction().execute(async tx => {
      const before = await read(tx)
      const { length } = await listEvents(tx, viewer, list, { offset: 0, limit: 10 })
      return { length, read: (await read(tx)) - before }
    })
  expect(await rowsRead('mine', gus.id)).toMatchObject({ length: 10, read: expect.toSatisfy(rows => rows > 3000) })
  expect(await rowsRead('public', sam.id)).toMatchObject({ length: 3, read: expect.toSatisfy(rows => rows < 60) })
  expect(await rowsRead('mine', olivia.id)).toMatchObject({ length: 7, read: expect.toSatisfy(rows => rows < 120) })
})

test('guests are found by their names and usernames, however many joined before them', async () => {
  const id = await hold('a crowd', 30)
  await sql`
    with people as (
      insert into users (username, email, first_name, last_name, timezone, status)
      select 'crowd' || n, n || '@crowd.example', 'Crowd', 'Member', 'UTC', 1 from generate_series(1, 120) n returning id
    ) insert into guests (event_id, user_id) select ${id}, id from people`.execute(app.db)
  const ana = await enter(app, 'ana')
  await ana.api.events.askToJoin({ event_id: id })
  const found = async (name: string) =>
    (await gus.api.events.listGuests({ event_id: id, name, page: 1, page_length: 5 })).data.map(({ user }) => user.id)
  await gus.api.events.askToJoin({ event_id: id })
  for (const name of ['alv', 'ÁLVAREZ an', 'ana alv', `@${ana.username}`, ana.username.slice(0, 5)])
    expect(await found(name)).toEqual([ana.id])
  expect(await found('ana crowd')).toEqual([])
  expect(await found('%')).toEqual([])
  expect(await found('member')).toHaveLength(5)
  const outside = sam.api.events.listGuests({ event_id: id, name: 'ana', page: 1, page_length: 5 })
  expect(await refusal(outside)).toEqual(says('The user is neither a guest nor an organizer of the event'))
})
