import { sql } from 'kysely'
import type { TestApp } from './app.ts'
import { quiet } from './notified.ts'

/** One hash of every row of every table that an act could touch, once earlier acts have decided whom they notify. */
export const allRows = async (app: TestApp) => {
  await quiet(app)
  known ??= tablesOf(app)
  const sums = (await known).map(({ name }) => {
    // A webhook's position in the log is no effect of an act.
    const row = name === 'webhooks' ? sql`(to_jsonb(t) - 'taken_to')::text` : sql`t::text`
    return sql`(select sum(hashtextextended(${row}, 0)) from ${sql.table(name)} t)`
  })
  return (await sql`select ${sql.join(sums)}`.execute(app.db)).rows
}

/** The tables are the same in every clone of the template. */
let known: ReturnType<typeof tablesOf> | undefined

const tablesOf = async (app: TestApp) =>
  (
    await sql<{ name: string }>`
      select table_name as name from information_schema.tables
      where table_schema = 'public' and table_type = 'BASE TABLE' and table_name <> 'devices' order by 1`.execute(
      app.db,
    )
  ).rows
