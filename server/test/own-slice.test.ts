import { route } from '@afterglow/contract/route'
import { shape } from '@afterglow/contract/words'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { transact } from '../src/platform/database/database.ts'
import { growing } from '../src/platform/database/growing-tables.ts'
import { allRows } from '../src/platform/database/rows.ts'
import { tidyUp } from '../src/platform/jobs/housekeeping.ts'
import { addJob } from '../src/platform/jobs/jobs.ts'
import type { Slice } from '../src/slice.ts'
import { slices } from '../src/slices.ts'
import { openTestApp } from './app.ts'
import { enter } from './cast.ts'
import { eraseDue } from './erase-due.ts'

const Wish = shape('Wish', { wish: z.string() })
const wish = route('wish', 'POST api/wish', {
  summary: 'Wishes for something.',
  input: z.object({ wish: z.string() }),
  reply: Wish,
  refusals: {},
})

const granted: number[] = []

/** The slice is declared here, and nowhere else. */
const wishes: Slice = {
  name: 'wishes',
  tables: { wishes: { since: 'wished_at', lives: '1 hour' } },
  exports: [
    {
      name: 'wishes',
      tables: ['wishes'],
      rows: (db, userId) => allRows<object>(db)`select wish from wishes where user_id = ${userId}`,
    },
  ],
  deletion: { traces: (db, userId) => sql`delete from wishes where user_id = ${userId}`.execute(db) },
  open: ({ serve }) => {
    serve(wish, async ({ db, viewer, input }) =>
      transact(db, async tx => {
        await sql`insert into wishes (user_id, wish) values (${viewer.id}, ${input.wish})`.execute(tx)
        await addJob(tx, 'grant', { userId: viewer.id })
        return { wish: input.wish }
      }),
    )
    return { tasks: { grant: async ({ userId }: { userId: number }) => void granted.push(userId) } }
  },
}

const app = await openTestApp({}, { slices: [...slices, wishes] })
const { db } = app
await sql`create table wishes (user_id bigint not null, wish text not null, wished_at timestamptz not null default now())`.execute(
  db,
)

const wishFor = async (token: string, text: string) => {
  const reply = await fetch(`${app.url}/api/wish`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ wish: text }),
  })
  return { status: reply.status, body: await reply.json() }
}
const wished = async () => (await sql<{ wish: string }>`select wish from wishes order by wish`.execute(db)).rows

test('a slice registers once: it is served, runs its jobs, is exported, tidied, and erased with its users', async () => {
  const [gus, olivia] = [await enter(app, 'gus'), await enter(app, 'olivia')]
  expect(await wishFor(gus.token, 'a pony')).toEqual({ status: 200, body: { wish: 'a pony' } })
  expect(await wishFor(olivia.token, 'rain')).toMatchObject({ status: 200 })
  expect(await wishFor('x'.repeat(40), 'peace')).toMatchObject({ status: 401 })
  await expect.poll(() => [...granted].sort()).toEqual([gus.id, olivia.id].sort())

  const { id } = await gus.api.privacy.exportAccount()
  await expect
    .poll(async () => (await gus.api.privacy.readExport({ account_export_id: id })).export_state)
    .toBe('ready')
  const { export_url } = await gus.api.privacy.readExport({ account_export_id: id })
  const zip = Buffer.from(await (await fetch(export_url ?? '')).arrayBuffer())
  expect(zip.includes('wishes.json')).toBe(true)

  await sql`insert into wishes values (${olivia.id}, 'long ago', now() - interval '2 hours')`.execute(db)
  await tidyUp(db, growing(wishes.tables))
  expect(await wished()).toEqual([{ wish: 'a pony' }, { wish: 'rain' }])

  await gus.api.privacy.deleteAccount({ user_password: gus.password })
  await sql`update users set erase_at = now() where id = ${gus.id}`.execute(db)
  await eraseDue(app, [...slices, wishes])
  expect(await wished()).toEqual([{ wish: 'rain' }])
})
