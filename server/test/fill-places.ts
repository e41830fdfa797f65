import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { expect } from 'vitest'
import type { Database } from '../src/platform/database/database.ts'
import type { Api, TestApp } from './app.ts'
import { enter } from './cast.ts'
import { evening } from './party.ts'

/** A client's patience on a busy machine: a retry under the same key is the same guest. */
const patient = () => ({ timeoutMs: 60_000, retries: 20, idempotencyKey: `${randomUUID()}${randomUUID()}` })

type Way = Pick<TestApp, 'as' | 'withExtra'>

/**
 * Two hundred people ask for fifty places, by two ways to the service; then half of the seats are given back at once.
 */
export const fillPlaces = async (
  [one, other]: readonly [Way, Way],
  db: Database,
  meanwhile: () => Promise<unknown>,
) => {
  const olivia = await enter(one, 'olivia')
  const { id: event_id } = await olivia.api.events.saveEvent(evening({ event_places: 50 }))
  const { link_code: code } = await olivia.api.links.makeLink({ event_id })
  const answered = async () => {
    const { rows } = await sql<{ user_id: number; size: number; seated: boolean; line: number | null }>`
      select user_id, 1 + plus as size, seated, line from answers where event_id = ${event_id}
      order by answered_at, user_id`.execute(db)
    const seats = rows.filter(({ seated }) => seated)
    const line = rows.filter(row => row.line !== null)
    return { seats, line, taken: seats.reduce((sum, { size }) => sum + size, 0) }
  }

  const joining = Array.from({ length: 200 }, async (_, n) => {
    const guest = { code, user_first_name: `Guest ${n}`, device_id: `phone ${n}` }
    const asked = { ...guest, event_answer: 'going', plus_ones: n % 4 } as const
    const { user, token } = await (n % 2 ? one : other).as().links.joinByLink(asked, patient())
    return [user.id, token] as const
  })
  const tokens = new Map(await Promise.all(joining))
  const decline = (way: Way, user: number, retries: number): Promise<unknown> => {
    const { plans }: Api = way.as(tokens.get(user))
    return plans.answerEvent({ event_id, event_answer: 'no' }, { ...patient(), retries })
  }
  const before = await answered()
  expect(before.taken).toBe(50)
  expect(before.seats.length + before.line.length).toBe(200)
  // Their numbers are the order of their arrival.
  expect(before.line.map(({ line }) => line)).toEqual(before.line.map((_, at) => at + 1))

  const leaving = before.seats.filter((_, at) => at % 2 === 0).map(({ user_id }) => user_id)
  const declined = leaving.map((user, at) => decline(at % 2 ? one : other, user, 0).catch(() => {}))
  await sleep(30)
  await meanwhile()
  await Promise.all(declined)
  for (const user of leaving) await decline(one, user, 20)

  const after = await answered()
  expect(after.taken).toBeGreaterThan(46)
  expect(after.taken).toBeLessThanOrEqual(50)
  // Nobody left on the waitlist would fit.
  expect(after.line.filter(({ size }) => size <= 50 - after.taken)).toEqual([])
  const movedUp = after.seats
    .map(({ user_id }) => user_id)
    .filter(id => before.line.some(({ user_id }) => user_id === id))
  expect(movedUp.length).toBeGreaterThan(0)
  const { rows: told } = await sql<{ user_id: number; times: number }>`
    select user_id, count(*)::int as times from changes where kind = 'place.given' and event_id = ${event_id}
    group by user_id order by user_id`.execute(db)
  expect(told).toEqual(movedUp.sort((one, other) => one - other).map(user_id => ({ user_id, times: 1 })))
}
