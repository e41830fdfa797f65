import { setTimeout as sleep } from 'node:timers/promises'
import type { Duel, Side } from '../figures.ts'
import { password } from '../fill/sessions.ts'
import type { Fixture, RowGroup } from '../fixture.ts'
import { load, type Request } from '../load.ts'
import { inParallel } from '../parallel.ts'
import { ask, chatPage, type Member, membersOf, messageTo } from '../people.ts'
import { openPhotos } from '../photo.ts'
import { oneOf, quantile } from '../statistics.ts'

const pauseMs = 4
const signInsAtOnce = 8
const writersAtOnce = 64

/** What one reader waits for who asks at less than half of what the service could answer, while others take all they get. */
export const beside: RowGroup = {
  ids: ['beside.uploads', 'beside.sign-ins', 'beside.chat'],
  async *duels(fixture) {
    const { service, db } = fixture.large
    const { port } = service
    const others = await membersOf(db, { from: 2, to: 60 }, 4)
    const { unseen } = await openPhotos()
    yield await against(
      fixture,
      { id: 'beside.uploads', what: 'two uploads of 12 megapixels decode', floor: 3 },
      seconds =>
        inParallel(2, seconds, () => upload(fixture, oneOf(others, fixture.random), unseen)).finally(() =>
          dropSpareWork(fixture.large),
        ),
    )
    const signIn = await signInsOf(fixture)
    yield await against(fixture, { id: 'beside.sign-ins', what: `${signInsAtOnce} sign in`, floor: 3 }, seconds =>
      load({ port, connections: signInsAtOnce, next: signIn }, seconds),
    )
    const writers = await membersOf(db, { from: 2, to: 2 }, 20)
    yield await against(fixture, { id: 'beside.chat', what: `${writersAtOnce} write in one chat` }, seconds =>
      load(
        { port, connections: writersAtOnce, next: () => messageTo(2, oneOf(writers, fixture.random).token) },
        seconds,
      ),
    )
  },
}

const against = async (
  { large: { service, db }, random }: Fixture,
  { id, what, floor }: { id: string; what: string; floor?: number },
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
  return {
    goals: [
      {
        id,
        work: `page of 50 messages while ${what}, p99`,
        ceiling: 'alone',
        figure: 'p99',
        ...(floor && { floor, aim: 2 }),
      },
    ],
    ceiling: reading,
    ours: {
      async run(seconds) {
        const [slice] = await Promise.all([reading.run(seconds), meanwhile(seconds)])
        return slice
      },
    },
  }
}

export const upload = (
  { large: { service } }: Pick<Fixture, 'large'>,
  { event, token }: Member,
  unseen: (event: number) => FormData,
) => ask(service.port, { method: 'POST', path: '/api/gallery/upload', token, form: unseen(event) })

/**
 * Drops the phone sizes that are due for what was uploaded: they are made when nobody waits for a picture, which is when
 * the other side is measured.
 */
export const dropSpareWork = ({ db }: Pick<Fixture['large'], 'db'>) =>
  db.query(`delete from jobs where task = 'makeMedium' and held_by is null`)

/** Of people who are not suspended, one at random each time. */
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
