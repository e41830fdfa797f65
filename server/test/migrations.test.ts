import { readdir, readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import type { Database } from '../src/platform/database/database.ts'
import { migrate, requireMigratable } from '../src/platform/database/migrate.ts'
import { readFrozen, readMigrations, repairOf, sha256Of, statementsOf } from '../src/platform/database/migrations.ts'
import { cloneDatabase } from './app.ts'
import { describeSchema, schemaSqlFile } from './describe-schema.ts'
import { quarterOf } from './full.ts'

/** Earlier texts of migrations that exist in databases, by `<migration>.<beginning of their SHA-256>.sql`. */
const earlierFolder = fileURLToPath(new URL('earlier-migrations/', import.meta.url))
const migrations = await readMigrations()
const frozen = await readFrozen()
const earlier = await Promise.all(
  (await readdir(earlierFolder)).sort().map(async file => {
    const text = await readFile(earlierFolder + file, 'utf8')
    return { file, name: file.replace(/\.[^.]+\.sql$/, '.sql'), text, sha256: sha256Of(text) }
  }),
)

test('an applied migration keeps its statements, and `npm run schema` freezes a new one', () => {
  expect(
    Object.fromEntries(migrations.map(({ name, sha256 }) => [name, sha256])),
    'what an instance applied cannot be changed there: write another migration',
  ).toEqual(Object.fromEntries(Object.entries(frozen).map(([name, { statements }]) => [name, statements])))
})

/** Statements that never hold a lock for long, whatever the size of the tables. */
const harmless = [
  /^create (or replace )?(function|view)\b/i,
  /^create (table|type|sequence|trigger)\b/i,
  /^comment on\b/i,
  /^alter table \w+ add column [^,]*(, add column [^,]*)*$/i,
]
/** Small tables, so that an index is quick to build. */
const small = ['jobs', 'job_lanes', 'job_schedule']

test('a migration that older processes survive only adds', () => {
  const declared = migrations.filter(({ besideOlder }) => besideOlder)
  expect(declared.length).toBeGreaterThan(0)
  for (const { name, text } of declared) {
    const made = [...text.matchAll(/create table (\w+)/gi)].map(found => found[1])
    const statements = statementsOf(text.replaceAll(/\$(\w*)\$[\s\S]*?\$\1\$/g, "''"))
      .split(';')
      .map(one => one.trim())
      .filter(Boolean)
    for (const statement of statements) {
      const [, indexed] = /^create (?:unique )?index \w+ on (\w+)/i.exec(statement) ?? []
      const isQuick = indexed !== undefined && [...made, ...small].includes(indexed)
      expect([name, statement, isQuick || harmless.some(form => form.test(statement))]).toEqual([name, statement, true])
    }
  }
})

test('comments and line breaks do not change a migration, quoted text does', () => {
  const [one, ...same] = [
    "create table a (b int); select '-- ''no'' comment', $$ -- body\n$$;",
    "-- why\ncreate table  a (b int); /* and\nwhy */ select '-- ''no'' comment',\n  $$ -- body\n$$; -- here\n",
  ].map(statementsOf)
  expect(same).toEqual([one])
  expect(statementsOf("select '-- ''a'' comment', $$ -- body\n$$;")).not.toBe(statementsOf("select '', $$ $$;"))
})

/** Objects that did not exist yet where an earlier text was applied, though they come before it. */
const cameLater: Record<string, string> = { '0015_joining.sql': '0009_taken.sql' }

/** Applies migrations as earlier versions did: every migration up to this text, each recorded with its whole text. */
async function applyAsThen(db: Database, last: { name: string; text: string }) {
  await sql`create table migrations (
    name text primary key, sha256 text not null, applied_at timestamptz not null default now()
  )`.execute(db)
  for (const migration of migrations) {
    const { name } = migration
    if (name > last.name) return
    if (name === cameLater[last.name]) continue
    const text = name === last.name ? last.text : migration.text
    await sql.raw(text).execute(db)
    await sql`insert into migrations (name, sha256) values (${name}, ${sha256Of(text)})`.execute(db)
  }
}

/** The columns of a table stand in the order of their creation, which nothing depends on. */
const linesOf = (schema: string) =>
  schema
    .split('\n')
    .map(line => line.replace(/,$/, ''))
    .sort()

test.each(quarterOf('databases of earlier migrations', earlier))(
  'a database that applied $file equals a new one after migrating',
  async ({ name, text }) => {
    const { db, url } = await cloneDatabase('template1')
    await applyAsThen(db, { name, text })
    await requireMigratable(url)
    await migrate(db)
    expect(linesOf(await describeSchema(db))).toEqual(linesOf(await readFile(schemaSqlFile, 'utf8')))
  },
)

test('every earlier text with different statements has its repair, and every repair its text', async () => {
  const known = new Map(migrations.map(migration => [migration.name, migration]))
  const needed = earlier.filter(({ name, text }) => sha256Of(statementsOf(text)) !== known.get(name)?.sha256)
  const repaired = migrations.flatMap(({ name, repairs }) => [...repairs.keys()].map(sha256 => repairOf(name, sha256)))
  expect(repaired.sort()).toEqual(needed.map(({ file }) => file).sort())
  for (const { name, sha256 } of earlier) expect(known.get(name)?.texts, name).toContain(sha256)
})

test('a database with unknown statements is refused, and stays unchanged', async () => {
  const { db, url } = await cloneDatabase()
  await sql`update migrations set sha256 = ${sha256Of('select 1')} where name = '0005_gallery.sql'`.execute(db)
  const before = await sql`select xmin::text, * from migrations order by name`.execute(db)
  for (const trial of [() => requireMigratable(url), () => migrate(db)])
    await expect(trial()).rejects.toThrow('The database was made with another 0005_gallery.sql than this version')
  expect((await sql`select xmin::text, * from migrations order by name`.execute(db)).rows).toEqual(before.rows)
})

test('a database of a newer version is refused before anything is written', async () => {
  const { db, url } = await cloneDatabase()
  await sql`insert into migrations (name, sha256) values ('9999_later.sql', 'x')`.execute(db)
  await expect(requireMigratable(url)).rejects.toThrow('a newer version of Afterglow (9999_later.sql is unknown here)')
})
