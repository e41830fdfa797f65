import { glob, readFile } from 'node:fs/promises'
import { openapi } from '@afterglow/contract/openapi'
import { expect, test } from 'vitest'
import { platformTables } from '../src/platform/database/growing-tables.ts'
import { slices } from '../src/slices.ts'

const source = new URL('../src/', import.meta.url).pathname
const rooms = ['platform', ...slices.map(({ name }) => name)]
const roomOf = new Map(
  [{ name: 'platform', tables: platformTables }, ...slices].flatMap(({ name, tables }) =>
    Object.keys(tables).map(table => [table, name]),
  ),
)
/** The events slice defines people's standings once, for everybody to read. */
for (const view of ['members', 'standings']) roomOf.set(view, 'events')

/** Statements that name a table of a slice to their right, with the reason. Nothing may be added. */
const known: Record<string, readonly string[]> = {
  'accounts/export.ts': ['push_addresses'],
  // An event opens its chat, is shown with it and erased with it.
  'events/deletion/deletion-store.ts': ['group_chats'],
  'events/members/members-store.ts': ['group_chats'],
  'events/store.ts': ['group_chats'],
  // A photo may be an attachment that was added to the album.
  'gallery/moderation/deleted-store.ts': ['attachments'],
  'gallery/duplicates/duplicates-store.ts': ['attachments'],
  'gallery/store.ts': ['group_chats'],
  // A film belongs to its media, which a photo or a message shows.
  'gallery/videos/videos-store.ts': ['attachments'],
  // Checks for an existing instance in the database that another is to be moved to.
  'platform/database/copy-database.ts': ['users'],
  // Finds the file's owner and its event, which may be deleted.
  'platform/media/file-references.ts': ['events'],
  'platform/media/full-size.ts': ['events', 'videos'],
  'platform/media/serving/find-variant.ts': ['events', 'users'],
  'platform/media/records.ts': ['events'],
  'platform/media/quotas.ts': ['events', 'users'],
  'platform/secrets/lost-secrets.ts': ['users'],
}

/** The tables that the statements of a file name. */
const tablesIn = (text: string): string[] => {
  const named = text.matchAll(
    /(?:\b(?:from|join|into|update|using|table)\s+(?:only\s+)?|(?:selectFrom|insertInto|updateTable|deleteFrom|Join)\('|sql\.table\(')([a-z_]+)\b/g,
  )
  return [...new Set([...named].flatMap(([, name = '']) => (roomOf.has(name) ? [name] : [])))].sort()
}

test('a statement names tables of its own slice and of those to the left, as imports do', async () => {
  const beyond: Record<string, string[]> = {}
  let read = 0
  for await (const file of glob(`{${rooms.join(',')}}/**/*.ts`, { cwd: source, exclude: ['**/*.test.ts'] })) {
    const room = rooms.indexOf(file.split('/')[0] ?? '')
    const tables = tablesIn(await readFile(source + file, 'utf8'))
    read += tables.length
    const right = tables.filter(table => rooms.indexOf(roomOf.get(table) ?? '') > room)
    if (right.length > 0) beyond[file] = right
  }
  expect(beyond).toEqual(known)
  expect(read).toBeGreaterThan(200)
})

test('SQL stands in stores, and in files that are named for their statements', async () => {
  const sql =
    /(?:sql|run|(?:all|any|first|one)(?:Row|Value)s?)(?:<[^`]*>)?(?:\([\w.]+\))?`|\.(?:selectFrom|insertInto|updateTable|deleteFrom)\(/
  const told = /(?:^|\/)(?:[a-z-]*store|export|account-deletion|notification-templates|[a-z-]*-sql)\.ts$/
  const loose: string[] = []
  for await (const file of glob(`{${rooms.slice(1).join(',')}}/**/*.ts`, { cwd: source, exclude: ['**/*.test.ts'] }))
    if (!told.test(file) && sql.test(await readFile(source + file, 'utf8'))) loose.push(file)
  expect(loose).toEqual([])
})

test('only the view `members` checks whether a row of `guests` has ended', async () => {
  const asking: string[] = []
  for await (const file of glob(`{${rooms.join(',')}}/**/*.ts`, { cwd: source, exclude: ['**/*.test.ts'] }))
    if (/ended_at is null|'ended_at', 'is', null/.test(await readFile(source + file, 'utf8'))) asking.push(file)
  // The end itself is written once.
  expect(asking).toEqual(['events/members/members-store.ts'])
})

test('verbs and rules use no wire names: routes read them, and presenters write them', async () => {
  const fields = fieldsOf(openapi('https://party.example'))
  const columns = new Set(
    [...(await readFile(`${source}platform/database/schema.ts`, 'utf8')).matchAll(/^ {2}(\w+):/gm)].map(
      ([, name]) => name,
    ),
  )
  const atTheEdge =
    /(?:^|\/)(?:[a-z-]*store|[a-z-]*-sql|[a-z-]*routes|present|present-[a-z]+|show-[a-z]+|[a-z]+-fields|export|account-deletion|channel-payloads|notification-templates|slice)\.ts$/
  const told: Record<string, string[]> = {}
  for await (const file of glob(`{${rooms.slice(1).join(',')}}/**/*.ts`, { cwd: source, exclude: ['**/*.test.ts'] })) {
    if (atTheEdge.test(file)) continue
    // Codes of refusals, and words in comments and SQL, are not our names.
    const code = (await readFile(source + file, 'utf8')).replaceAll(/`[^`]*`|'[^'\n]*'|\/\*[\s\S]*?\*\/|\/\/.*/g, '')
    const names = [...code.matchAll(/\b[a-z]+(?:_[a-z\d]+)+\b/g)].map(([name]) => name)
    const ofWire = names.filter(name => fields.has(name) && !columns.has(name))
    if (ofWire.length > 0) told[file] = [...new Set(ofWire)]
  }
  expect(fields.size).toBeGreaterThan(250)
  // Kinds of notifications have codes, which two fields share.
  expect(told).toEqual({ 'notifications/delivery/ring-budget.ts': ['message_reaction', 'comment_reaction'] })
})

/** The names of all properties and parameters in a document. */
const fieldsOf = (document: unknown): ReadonlySet<string> => {
  const names = new Set<string>()
  JSON.stringify(document, (key, value) => {
    if (key === 'properties') for (const name of Object.keys(value)) names.add(name)
    if (value?.in && value.name) names.add(value.name)
    return value
  })
  return names
}
