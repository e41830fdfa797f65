import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { tables } from '../src/slices.ts'
import { cloneDatabase } from './app.ts'

const { db } = await cloneDatabase()

test('every table says how it grows', async () => {
  const { rows } = await sql<{ name: string }>`
    select table_name as name from information_schema.tables
    where table_schema = 'public' and table_type = 'BASE TABLE' order by 1`.execute(db)
  expect(
    Object.keys(tables).sort(),
    'a new table says in the slice.ts of its slice how its rows go, or why they stay',
  ).toEqual(rows.map(({ name }) => name))
})
