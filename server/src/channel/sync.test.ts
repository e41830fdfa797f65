import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { expect, test, vi } from 'vitest'
import { openTestApp } from '../../test/app.ts'
import { enter } from '../../test/cast.ts'
import { eventKindsOf, type Listener, listen } from '../../test/channel.ts'
import { bringIn, evening, party } from '../../test/party.ts'
import { invalid, refusal } from '../../test/refused.ts'
import { openSilentProxy } from '../../test/silent-proxy.ts'
import { announce } from '../log/announce.ts'
import { pruneChanges } from '../log/changes-sql.ts'
import { openDatabase } from '../platform/database/database.ts'

const app = await openTestApp()

const cursorOf = ({ channel }: Listener) => channel.cursor as string
const renamed = (listener: Listener) => listener.of('event.updated').map(({ event_name }) => event_name)

test('after a cut nothing is lost, nothing doubled, and the order is the order of the acts', async () => {
  const { olivia, event } = await party(app)
  const crowd = await Promise.all(Array.from({ length: 12 }, () => enter(app, 'sam')))
  const ids = crowd.map(({ id }) => id)
  const ask = async (from: number, to: number) => {
    for (const { api } of crowd.slice(from, to)) await api.events.askToJoin({ event_id: event.id })
  }
  const asked = (listener: Listener) => listener.of('join.requested').map(({ user }) => user.id)
  const before = await listen(app, olivia)
  for (let at = 0; at < 8; at++) {
    await ask(at, at + 1)
    // In the middle of it, without telling the service.
    if (at % 3 !== 1) continue
    await before.live()
    before.channel.reconnect()
  }
  await before.next('join.requested', ({ user }) => user.id === ids[7])
  expect(asked(before)).toEqual(ids.slice(0, 8))
  expect(before.states.lost).toBe(3)

  const cursor = cursorOf(before)
  before.close()
  await ask(8, 11)
  const after = await listen(app, olivia, { cursor })
  await ask(11, 12)
  await after.next('join.requested', ({ user }) => user.id === ids[11])
  expect(asked(after)).toEqual(ids.slice(8))
})

test('a client that learns that the network is back is live at once, though an attempt waits that nobody answers', async () => {
  const { olivia } = await party(app)
  const proxy = await openSilentProxy(Number(new URL(app.url).port))
  proxy.silence()
  const { channel, states } = await listen({ url: `http://127.0.0.1:${proxy.port}` }, olivia, { fromNow: false })
  await sleep(300)
  proxy.goOn()
  channel.wake()
  await vi.waitFor(() => expect(states.live).toBe(1), { timeout: 60_000 })
  channel.wake()
  expect(states.lost).toBe(0)
})

test('every cursor on the way leads to exactly what came after it', async () => {
  const { olivia, gus, event } = await party(app)
  const live = await listen(app, gus)
  await Promise.all(
    Array.from({ length: 20 }, (_, at) =>
      at % 4
        ? olivia.api.events.saveEvent({ ...evening(), event_id: event.id, event_name: `Name ${at}` })
        : enter(app, 'sam').then(member => bringIn(olivia, event.id, member)),
    ),
  )
  await olivia.api.events.cancelEvent({ event_id: event.id })
  await live.next('event.cancelled')
  const all = live.heard.map(({ cursor }) => cursor)
  expect(new Set(all).size).toBe(all.length)
  for (const [at, { cursor }] of live.heard.entries()) {
    const { changes, more } = await gus.api.notifications.syncRealtime({ cursor: cursor as string })
    expect(more).toBe(false)
    expect(eventKindsOf(changes)).toEqual(eventKindsOf(live.heard.slice(at + 1)))
  }
})

test('more than a page comes in pages, with no gap and no repeat', async () => {
  const { olivia, gus, event } = await party(app)
  const { cursor } = await gus.api.notifications.syncRealtime()
  await app.db.transaction().execute(tx =>
    announce(
      tx,
      Array.from({ length: 450 }, (_, at) => ({
        kind: 'join.requested',
        audience: at % 3 ? 'organizers' : 'event',
        eventId: event.id,
        actorId: gus.id,
        subjectId: gus.id,
      })),
    ),
  )
  for (const [member, due] of [
    [olivia, 450],
    [gus, 150],
  ] as const) {
    const cursors: string[] = []
    for (let at = cursor, more = true; more; ) {
      const page = await member.api.notifications.syncRealtime({ cursor: at })
      cursors.push(...page.changes.map(each => each.cursor))
      at = page.cursor
      more = page.more
    }
    expect(cursors).toHaveLength(due)
    expect(new Set(cursors).size).toBe(due)
    const again = await listen(app, member, { cursor })
    expect(again.heard).toHaveLength(due)
  }
})

test('an act that waited for another is told after it, though its transaction is the older one', async () => {
  const { olivia, gus, event } = await party(app)
  const listener = await listen(app, gus)
  const { cursor } = await gus.api.notifications.syncRealtime()
  const about = { audience: 'event', eventId: event.id, actorId: olivia.id } as const
  const lock = sql`select from events where id = ${event.id} for update`
  const three = openDatabase(app.databaseUrl, { connections: 3 })
  // A prevents B, and everything after it, from being the oldest transaction; B takes its ID first and acts second.
  await three.transaction().execute(async a => {
    await three.transaction().execute(async b => {
      await sql`select pg_current_xact_id()`.execute(b)
      await sql`select pg_current_xact_id()`.execute(a)
      await three.transaction().execute(async c => {
        await lock.execute(c)
        await announce(c, { ...about, kind: 'guest.joined', subjectId: gus.id })
      })
      await lock.execute(b)
      await announce(b, { ...about, kind: 'guest.updated', subjectId: gus.id })
    })
    await listener.next('guest.updated')
    expect(listener.kinds(), 'told while an older transaction is still running').toEqual([
      'guest.joined',
      'guest.updated',
    ])
    const missed = await gus.api.notifications.syncRealtime({ cursor })
    expect(eventKindsOf(missed.changes)).toEqual(['guest.joined', 'guest.updated'])
    await announce(a, { ...about, kind: 'event.updated', subjectId: event.id })
  })
  await three.destroy()
  await listener.next('event.updated')
  const late = await gus.api.notifications.syncRealtime({ cursor: listener.heard[1]?.cursor as string })
  expect(eventKindsOf(late.changes), 'what commits late is after every cursor of before').toEqual(['event.updated'])
})

test('without a cursor the service says where to begin', async () => {
  const sam = await enter(app, 'sam')
  const { id } = await sam.api.events.saveEvent(evening())
  const start = await sam.api.notifications.syncRealtime()
  expect(start).toEqual({ cursor: expect.any(String), too_old: false, more: false, changes: [] })
  await sam.api.events.cancelEvent({ event_id: id })
  const { changes, cursor } = await sam.api.notifications.syncRealtime({ cursor: start.cursor })
  expect(eventKindsOf(changes)).toEqual(['event.cancelled'])
  expect((await sam.api.notifications.syncRealtime({ cursor })).changes).toEqual([])
  expect((await sam.api.notifications.syncRealtime({ cursor: start.cursor, until: start.cursor })).changes).toEqual([])
})

test('a cursor from before what the log still holds is too old, and so is one of another database', async () => {
  const { olivia, gus, event } = await party(app)
  const { cursor: old } = await gus.api.notifications.syncRealtime()
  await olivia.api.events.saveEvent({ ...evening(), event_id: event.id, event_name: 'Pruned' })
  await sql`update changes set created_at = now() - interval '8 days'`.execute(app.db)
  await pruneChanges(app.db)
  expect(await gus.api.notifications.syncRealtime({ cursor: old })).toMatchObject({ too_old: true, changes: [] })

  const listener = await listen(app, gus, { cursor: old })
  expect(listener.states).toMatchObject({ stale: 1, live: 1 })
  await olivia.api.events.saveEvent({ ...evening(), event_id: event.id, event_name: 'Kept' })
  await listener.next('event.updated')
  expect(renamed(listener)).toEqual(['Kept'])
  expect(await gus.api.notifications.syncRealtime({ cursor: cursorOf(listener) })).toMatchObject({ too_old: false })
  expect(await gus.api.notifications.syncRealtime({ cursor: '0123456789ab.1.AAAAAAAA' })).toMatchObject({
    too_old: true,
  })
})

test('a cursor that is none of ours is the field’s error', async () => {
  const sam = await enter(app, 'sam')
  const format = invalid('cursor', 'The cursor field format is invalid.')
  const malformed = ['x', '1', '0', '1.1', "0123456789ab.1' or 1=1.AAAAAAAA", '0123456789ab.٣.AAAAAAAA', '1.1~1.1~1']
  for (const cursor of [...malformed, '0123456789ab.zzzzzzzzzzz.AAAAAAAA', 'x'.repeat(200)])
    expect([cursor, await refusal(sam.api.notifications.syncRealtime({ cursor }))]).toEqual([cursor, format])
  const { cursor } = await sam.api.notifications.syncRealtime()
  expect(await refusal(sam.api.notifications.syncRealtime({ cursor, until: 'x' }))).toEqual(
    invalid('until', 'The until field format is invalid.'),
  )
})

test('catching up shows only what one may see now', async () => {
  const { olivia, gus, sam, event } = await party(app)
  const { cursor } = await gus.api.notifications.syncRealtime()
  await olivia.api.events.saveEvent({ ...evening(), event_id: event.id, event_name: 'Seen by members' })
  expect((await sam.api.notifications.syncRealtime({ cursor })).changes).toEqual([])
  expect(eventKindsOf((await gus.api.notifications.syncRealtime({ cursor })).changes)).toEqual(['event.updated'])
  await olivia.api.events.removeGuest({ event_id: event.id, user_id: gus.id })
  expect(eventKindsOf((await gus.api.notifications.syncRealtime({ cursor })).changes)).toEqual(['guest.left'])
})
