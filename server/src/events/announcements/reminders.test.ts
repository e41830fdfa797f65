import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { enter } from '../../../test/cast.ts'
import { openNotifiedApp } from '../../../test/notified.ts'
import { bringIn, evening } from '../../../test/party.ts'
import { transact } from '../../platform/database/database.ts'
import { addJob } from '../../platform/jobs/jobs.ts'

const { app, unread, quiet } = await openNotifiedApp()
const [olivia, gus] = [await enter(app, 'olivia'), await enter(app, 'gus')]
const hourMs = 60 * 60_000

/** Twice, as if by two processes. */
const minute = async () => {
  await Promise.all(['remind', 'remind'].map(task => transact(app.db, tx => addJob(tx, task, {}))))
  await quiet()
}
const startingIn = (hours: number) => new Date(Date.now() + hours * hourMs).toISOString()
const plan = async (hours: number) => {
  const { id: event_id } = await olivia.api.events.saveEvent(evening({ event_starts_at: startingIn(hours) }))
  await bringIn(olivia, event_id, gus)
  await quiet()
  await forget()
  const move = (event_starts_at: string) =>
    olivia.api.events.saveEvent(evening({ event_id, event_location: 'The old pier', event_starts_at }))
  /** As if it had been planned long ago. */
  const longAgo = () =>
    sql`update events set planned_at = now() - interval '9 days' where id = ${event_id}`.execute(app.db)
  /** Lets this many hours pass, by moving the event to an earlier time. */
  const pass = (hours: number) =>
    sql`
      with told as (update told_moments set moment = moment - make_interval(hours => ${hours}) where event_id = ${event_id})
      update events set starts_at = starts_at - make_interval(hours => ${hours}) where id = ${event_id}`.execute(app.db)
  return { event_id, move, longAgo, pass }
}
const forget = async () => {
  for (const one of [olivia, gus]) await one.api.notifications.readAllNotifications()
}
const kinds = async () => (await unread(gus)).map(([kind]) => kind)

test('everybody is reminded a day and two hours before, each once, organizers too', async () => {
  const { longAgo, pass } = await plan(30)
  await longAgo()
  await minute()
  expect(await kinds()).toEqual([])
  await pass(7)
  await minute()
  await minute()
  expect(await unread(gus)).toMatchObject([
    ['reminder', 'Midsummer at the lake', expect.stringMatching(/^Begins \w+/), expect.any(String), 1],
  ])
  expect((await unread(olivia)).map(([kind]) => kind)).toEqual(['reminder'])
  await forget()
  await pass(20)
  await minute()
  expect(await kinds()).toEqual([])
  await pass(2)
  await minute()
  await minute()
  expect(await kinds()).toEqual(['reminder'])
})

test('a guest who said no is reminded of nothing; an organizer is', async () => {
  const { event_id, longAgo, pass } = await plan(30)
  await longAgo()
  for (const { api } of [olivia, gus]) await api.plans.answerEvent({ event_id, event_answer: 'no' })
  await pass(7)
  await minute()
  expect(await kinds()).toEqual([])
  expect((await unread(olivia)).map(([kind]) => kind)).toEqual(['reminder'])
  await forget()
  await gus.api.plans.answerEvent({ event_id, event_answer: 'maybe' })
  await pass(22)
  await minute()
  expect(await kinds()).toEqual(['reminder'])
  await forget()
})

test('a reminder whose time is past when an event is made or moved is left out: its time has just been told', async () => {
  const { move, longAgo } = await plan(20)
  await minute()
  expect(await kinds()).toEqual([])
  await longAgo()
  await minute()
  expect(await kinds()).toEqual(['reminder'])
  await move(startingIn(22))
  await minute()
  // The reminder of a start time that no longer applies is gone.
  expect(await kinds()).toEqual(['event_changed'])
})

test('moved away and back, a start is reminded of once', async () => {
  const { move, longAgo, event_id } = await plan(20)
  const [{ starts_at } = { starts_at: new Date() }] = (
    await sql<{ starts_at: Date }>`select starts_at from events where id = ${event_id}`.execute(app.db)
  ).rows
  await longAgo()
  await minute()
  await forget()
  for (const start of [startingIn(100), starts_at.toISOString()]) {
    await move(start)
    await longAgo()
    await minute()
  }
  expect(await kinds()).toEqual(['event_changed'])
})

test('nobody is reminded of what is cancelled or has begun', async () => {
  const { longAgo, event_id, pass } = await plan(20)
  await longAgo()
  await minute()
  expect(await kinds()).toEqual(['reminder'])
  await olivia.api.events.cancelEvent({ event_id })
  await pass(19)
  await minute()
  expect(await kinds()).toEqual(['event_cancelled'])
  await forget()
  const begun = await plan(5)
  await begun.longAgo()
  await begun.pass(6)
  await minute()
  expect(await kinds()).toEqual([])
})

test('several changes of plans that nobody has read are told as one, with all that changed', async () => {
  const { event_id } = await plan(50)
  await olivia.api.events.saveEvent(evening({ event_id, event_starts_at: startingIn(60) }))
  await quiet()
  const { event_starts_at } = await olivia.api.events.readEvent({ event_id })
  await olivia.api.events.saveEvent(evening({ event_id, event_starts_at, event_location: 'The old pier' }))
  expect(await unread(gus)).toMatchObject([
    [
      'event_changed',
      expect.any(String),
      expect.stringMatching(/the place and the time.*New time: .* New place: The old pier\./),
      expect.any(String),
      2,
    ],
  ])
})
