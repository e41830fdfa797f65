import { setTimeout as sleep } from 'node:timers/promises'
import type { Duel, Side } from '../figures.ts'
import { password, tokenOf } from '../fill/sessions.ts'
import type { Fixture, RowGroup } from '../fixture.ts'
import { goalOf, type RowId } from '../goals.ts'
import { load, type Request } from '../load.ts'
import { ask, chatPage, membersOf } from '../people.ts'
import { oneOf, quantile } from '../statistics.ts'
import { openUploads } from '../uploads.ts'

const pauseMs = 4
const signInsAtOnce = 8

/** The latency of one reader at less than half of the service's capacity, while others take all they get. */
export const beside: RowGroup = {
  ids: ['beside.uploads', 'beside.sign-ins', 'beside.reader'],
  async *duels(fixture) {
    const { service, db } = fixture.large
    const others = await membersOf(db, { from: 2, to: 60 }, 4)
    const uploads = (await openUploads()).uploading(fixture.large, others, fixture.random)
    yield await against(fixture, 'beside.uploads', seconds => uploads.run(seconds))
    const next = await signInsOf(fixture)
    yield await against(fixture, 'beside.sign-ins', seconds =>
      load({ port: service.port, connections: signInsAtOnce, next }, seconds),
    )
    yield await against(fixture, 'beside.reader', seconds => readDearest(service.port, seconds))
  },
}

/** Sends the dearest reads of `request-cost.test.ts` as often as the limits allow one person. */
const readDearest = async (port: number, seconds: number) => {
  const token = tokenOf(1)
  const paths = ['message/group/list', 'message/search?text=the', 'event/list?filter=upcoming', 'notification/list']
  for (const began = performance.now(); performance.now() - began < seconds * 1000; await sleep(500))
    await Promise.all(
      paths.map(path => {
        const asked = `/api/${path}${path.includes('?') ? '&' : '?'}page=1&page_length=100&include=extra`
        return ask(port, { method: 'GET', path: asked, token })
      }),
    )
}

const against = async (
  { large: { service, db }, random }: Fixture,
  id: RowId,
  meanwhile: (seconds: number) => Promise<unknown>,
): Promise<Duel> => {
  const members = await membersOf(db, { from: 101, to: 356 }, 1)
  const reading: Side = {
    async run(seconds) {
      const took: number[] = []
      for (const began = performance.now(); performance.now() - began < seconds * 1000; await sleep(pauseMs)) {
        const { event, token } = oneOf(members, random)
        const askedAt = performance.now()
        await ask(service.port, chatPage(event, token))
        took.push(performance.now() - askedAt)
      }
      return { p50: quantile(took, 0.5), p99: quantile(took, 0.99) }
    },
  }
  const ours: Side = {
    async run(seconds) {
      const [slice] = await Promise.all([reading.run(seconds), meanwhile(seconds)])
      return slice
    },
  }
  return { goals: [goalOf(id)], ceiling: reading, ours }
}

/** Signs in as a random user who is not suspended. */
const signInsOf = async ({ large: { db }, random }: Fixture): Promise<() => Request> => {
  const { rows } = await db.query('select username from users where id between 21 and 400 and status <> 3')
  return () => ({
    method: 'POST',
    path: '/api/account/authenticate',
    json: {
      user_login_option_type: 1,
      user_login_id: oneOf(rows, random).username,
      user_password: password,
      device_id: 'tablet',
      user_timezone: 'UTC',
      user_device_platform: 'android',
    },
  })
}
