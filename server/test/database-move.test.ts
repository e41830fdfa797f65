import { spawnSync } from 'node:child_process'
import { existsSync, rmSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { sql } from 'kysely'
import { pino } from 'pino'
import { expect, test } from 'vitest'
import { type Database, openDatabase } from '../src/platform/database/database.ts'
import { openEmbeddedPostgres } from '../src/platform/embedded-database/embedded-postgres.ts'
import { embeddedAddresses, serviceRole } from '../src/platform/embedded-database/postgres-address.ts'
import { openSecrets } from '../src/platform/secrets/secrets.ts'
import { enter } from './cast.ts'
import { command } from './command.ts'
import { describeSchema, schemaSqlFile } from './describe-schema.ts'
import { newFolder } from './new-folder.ts'
import { openNodes } from './nodes.ts'
import { bringIn, evening } from './party.ts'
import { png } from './pictures.ts'
import { whenDone } from './when-done.ts'

const folder = newFolder('move')
const log = pino({ level: 'silent' })
const other = await openEmbeddedPostgres({ directory: join(folder, 'other'), password: 'of another', log })
const admin = openDatabase(other.superuserUrl, { connections: 1 })
whenDone(async () => {
  await admin.destroy()
  await other.stop()
})
await sql`create database party owner ${sql.id(serviceRole)}`.execute(admin)
const DATABASE_URL = other.url.replace('/postgres?', '/party?')

const nodes = await openNodes()
const DATA_DIR = nodes.homeOf(1)
const cast = nodes.first as unknown as Parameters<typeof enter>[0]
const olivia = await enter(cast, 'olivia')
const gus = await enter(cast, 'gus')
const { id: event_id, group_chat_id } = await olivia.api.events.saveEvent(evening())
await bringIn(olivia, event_id, gus)
const words = 'A tab\tand a line\nand \\N and a 🎉'
const { id: message_id } = await gus.api.chats.saveMessage({ group_chat_id, message_content: words })
await olivia.api.gallery.uploadPhoto({ event_id, image: new Blob([await png({ width: 24, height: 16, seed: 3 })]) })

const move = (env: Record<string, string> = { DATABASE_URL }) => command({ DATA_DIR, ...env }, ['database', 'move'])
const program = new URL('../src/main.ts', import.meta.url).pathname
const refusedStart = () => spawnSync(process.execPath, [program], { env: { DATA_DIR, PORT: '0' }, encoding: 'utf8' })

/** The number of rows and the contents of every table, except for migration times. */
const contentOf = async (db: Database) => {
  const { rows } = await sql<{ name: string }>`
    select format('%I.%I', schemaname, tablename) as name from pg_tables
    where schemaname = 'public' order by 1`.execute(db)
  const sums = rows.map(({ name }) =>
    sql.raw(`select '${name}' as name, count(*), sum(hashtextextended(t::text, 0)) from ${name} t`),
  )
  return (await sql`${sql.join(sums, sql` union all `)} order by 1`.execute(db)).rows
}

test('only a stopped database is moved, and only to a named and empty one', async () => {
  expect(await move()).toMatchObject({ code: 1, err: expect.stringContaining('is in use by another Afterglow') })
  await nodes.first.stop()
  expect(await move({ DATABASE_URL: '' })).toEqual({
    code: 1,
    out: '',
    err: 'Say where to: set DATABASE_URL to an empty database of your own.',
  })
  const target = openDatabase(DATABASE_URL, { connections: 1 })
  await sql`create table recipes (name text)`.execute(target)
  expect(await move()).toMatchObject({
    code: 1,
    err: expect.stringMatching(
      /^The database at .*\/party is not empty: it has the table recipes, which is not ours\./,
    ),
  })
  await sql`drop table recipes`.execute(target)
  await target.destroy()
}, 300_000)

test('a move copies every row, sequence and reference, and the source stays unchanged and unserved', {
  tags: 'slow',
  timeout: 300_000,
}, async () => {
  const moved = await move()
  expect(moved.code, moved.err).toBe(0)
  expect(moved.err).toContain('public.messages: 1 rows')
  expect(moved.out).toMatch(/^\d+ rows of \d+ tables are at .*\/party, counted on both sides\./)

  const { databasePassword } = openSecrets(join(DATA_DIR, 'secrets.json'))
  const directory = join(DATA_DIR, 'postgres')
  const source = await openEmbeddedPostgres({ directory, password: databasePassword, log })
  const [here, there] = [embeddedAddresses(directory, databasePassword).url, DATABASE_URL].map(url =>
    openDatabase(url, { connections: 1 }),
  ) as [Database, Database]
  expect(await contentOf(there)).toEqual(await contentOf(here))
  expect(await describeSchema(there)).toBe(await readFile(schemaSqlFile, 'utf8'))
  await Promise.all([here.destroy(), there.destroy()])
  await source.stop()

  expect(refusedStart().stderr).toMatch(/was moved to .*\/party at .*: set DATABASE_URL to that, or remove/)
  expect(await move()).toMatchObject({ code: 1, err: expect.stringContaining('was moved to ') })
  rmSync(join(directory, 'moved.json'))
  expect(await move()).toMatchObject({ code: 1, err: expect.stringMatching(/is not empty: it holds accounts/) })
  expect(existsSync(join(directory, 'moved.json'))).toBe(false)
})

test('the service continues at the new place', {
  tags: 'slow',
  timeout: 300_000,
}, async () => {
  const { url, as } = await nodes.again({ dataDir: DATA_DIR }, { DATABASE_URL })
  const api = as(gus.token)
  const [message] = (await api.chats.listMessages({ group_chat_id, page: 1, page_length: 5 })).data
  expect(message).toMatchObject({ id: message_id, message_content: words })
  const next = await api.chats.saveMessage({ group_chat_id, message_content: 'Here as well' })
  expect(Number(next.id)).toBeGreaterThan(Number(message_id))
  const { data } = await api.gallery.listPhotos({ event_id, page: 1, page_length: 5 })
  expect((await fetch(data[0]?.event_photo_url ?? url)).status).toBe(200)
  await enter({ as, withExtra: as } as unknown as Parameters<typeof enter>[0], 'sam')
})
