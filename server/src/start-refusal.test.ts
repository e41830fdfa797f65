import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { cloneDatabase } from '../test/app.ts'
import { openDatabase } from './platform/database/database.ts'
import { CannotStart } from './platform/process/cannot-start.ts'
import { refusalOf } from './start-refusal.ts'

test('a start refused for lack of database connections is explained in a sentence', async () => {
  const { db, url } = await cloneDatabase()
  const name = new URL(url).pathname.slice(1)
  await sql`alter database ${sql.id(name)} connection limit 1`.execute(db)
  const late = openDatabase(url, { connections: 1 })
  const fault = await sql`select 1`.execute(late).catch((error: unknown) => error)
  expect(refusalOf(fault)).toBe(`The database went away during the start: too many connections for database "${name}".`)
  await late.destroy()
})

test('a wrong setting is reported as it is, and an error of ours by its stack alone', () => {
  expect(refusalOf(new CannotStart('PORT is "many".'))).toBe('PORT is "many".')
  expect(refusalOf(new TypeError('x is not a function'))).toBeUndefined()
})
