import { readFile } from 'node:fs/promises'
import { Client } from 'pg'
import { expect, inject, test } from 'vitest'
import { examineMailboxes } from '../src/command/doctor/database.ts'
import { openDatabase } from '../src/platform/database/database.ts'
import { migrate } from '../src/platform/database/migrate.ts'
import { readMigrations } from '../src/platform/database/migrations.ts'
import { cloneDatabase, openTestApp, type TestApp } from './app.ts'

type Row = Record<string, unknown>
/** The rows of the version of 20 November, with its eight migrations, after an evening of two people. */
const rows: Record<string, Row[]> = JSON.parse(
  await readFile(new URL('instances/2026-11-20.json', import.meta.url), 'utf8'),
)
/** Clients reload, as the log begins a new history under its own positions. */
const begunAnew = ['migrations', 'changes', 'change_log']
/** Reasons were sentences, and are codes with values; pages of messages are no longer stored, so none has a version. */
const writtenAnew = [
  'deliveries.reason',
  'group_chats.seen_version',
  'group_chats.version',
  'guests.organizer',
  'notifications.reason',
]

/** The instance as that version left it, with the whole texts of its migrations. */
async function openInstance() {
  const { db, url } = await cloneDatabase('template1')
  const applied = new Set(rows.migrations?.map(({ name }) => name))
  for (const { name, text } of await readMigrations()) if (applied.has(name)) await runIn(url, text)
  const name = new URL(url).pathname.slice(1)
  const admin = new Client(`${inject('superuser')}/${name}`)
  await admin.connect()
  await admin.query(`create table migrations (
    name text primary key, sha256 text not null, applied_at timestamptz not null default now()
  ); alter table migrations owner to afterglow_service; set session_replication_role = replica`)
  for (const [table, lines] of Object.entries(rows)) {
    const columns = Object.keys(lines[0] as Row).join(', ')
    await admin.query(`delete from ${table}`)
    await admin.query(
      `insert into ${table} (${columns}) overriding system value
       select ${columns} from jsonb_populate_recordset(null::${table}, $1)`,
      [JSON.stringify(lines)],
    )
    if ('id' in (lines[0] as Row))
      await admin.query(`select setval(pg_get_serial_sequence('${table}', 'id'), (select max(id) from ${table}))`)
  }
  await admin.end()
  return { db, url, name }
}

async function columnsChangedIn(url: string): Promise<string[]> {
  const client = new Client(url)
  await client.connect()
  const changed: string[] = []
  for (const [table, before] of Object.entries(rows)) {
    if (begunAnew.includes(table)) continue
    const after: { row: Row }[] = (await client.query(`select to_jsonb(t) as row from ${table} t`)).rows
    for (const column of Object.keys(before[0] as Row)) {
      const valuesIn = (lines: Row[]) => lines.map(line => JSON.stringify(line[column] ?? null)).sort()
      if (String(valuesIn(after.map(({ row }) => row))) !== String(valuesIn(before))) changed.push(`${table}.${column}`)
    }
  }
  await client.end()
  return changed.sort()
}

const signIn = (app: TestApp, user_login_id: string) =>
  app.as().accounts.authenticate({
    user_login_id,
    user_password: 'Gus-has-a-password',
    user_login_option_type: 1,
    device_id: 'phone of Gus',
    user_timezone: 'Europe/Madrid',
    user_device_platform: 'android',
  })

async function runIn(url: string, text: string) {
  const client = new Client(url)
  await client.connect()
  await client.query(text)
  await client.end()
}

test('an instance of 20 November runs on this version with the same rows and users', async () => {
  const { db, url, name } = await openInstance()
  const patient = openDatabase(url, { connections: 1, patient: true })
  await migrate(patient)
  expect(await columnsChangedIn(url)).toEqual(writtenAnew)
  await patient.destroy()
  await db.destroy()

  const app = await openTestApp({}, { from: name })
  const { token } = await signIn(app, 'gus.old')
  const gus = app.as(token)
  const page = { page: 1, page_length: 10 }
  const messages = await gus.chats.listMessages({ group_chat_id: 1, ...page })
  expect(messages.data.map(message => message.message_content)).toEqual([
    'with picture',
    'third',
    'grüße, Jürgen 🎉',
    'first of the old',
  ])
  await gus.chats.saveMessage({ group_chat_id: 1, message_content: 'and on it goes' })
  const photos = await gus.gallery.listPhotos({ event_id: 1, ...page })
  expect(photos.data.map(photo => [photo.id, photo.event_photo_likes_count, photo.event_photo_comments_count])).toEqual(
    [
      ['2', '0', '0'],
      ['1', '1', '1'],
    ],
  )
})

test('two accounts of one mailbox on an instance of 20 November still sign in, and doctor names the second', async () => {
  const { db, url, name } = await openInstance()
  await runIn(
    url,
    `update users set email = case username when 'gus.old' then 'olga@xn--kln-sna.de' else 'olga@köln.de' end;
     update login_options o set identifier = u.email from users u where u.id = o.user_id`,
  )
  const patient = openDatabase(url, { connections: 1, patient: true })
  await migrate(patient)
  await patient.destroy()
  await db.destroy()

  const app = await openTestApp({}, { from: name })
  const waiting = async () =>
    (await app.db.selectFrom('jobs').select('id').where('task', '=', 'settleMailboxes').execute()).length
  await expect.poll(waiting).toBe(0)
  expect((await examineMailboxes(app.db)).map(({ found }) => found)).toEqual([
    'Other accounts have the mailboxes of these, in another spelling: gus.old (olga@xn--kln-sna.de).',
  ])
  for (const login of ['gus.old', 'olga@xn--kln-sna.de'])
    expect((await signIn(app, login)).user.user_username).toBe('gus.old')
})
