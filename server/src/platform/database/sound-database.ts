import { setTimeout as sleep } from 'node:timers/promises'
import { CannotStart } from '../process/cannot-start.ts'
import { type Connection, newConnection, reasonOf } from './connection.ts'
import { readDatabaseAddress } from './database-address.ts'
import { isDatabaseAway } from './database-away.ts'

const oldestVersion = 16
const name = 'afterglow start'

/** A database of this instance's own is there, however busy the machine is that has just started it. */
export const ownAnswersWithinMs = 5 * 60_000

/**
 * Returns the server's version ("18.4"), after checking that it can be reached, keeps what it acknowledges, lets us do
 * our work, and stays the same from one statement to the next. Throws CannotStart, whose message contains no password.
 */
export async function findSoundDatabase(url: string, { withinMs = 0 } = {}): Promise<string> {
  for (const until = Date.now() + withinMs; ; await sleep(500)) {
    try {
      return await lookAt(url)
    } catch (fault) {
      if (!(fault instanceof Unreachable) || Date.now() > until) throw fault
    }
  }
}

class Unreachable extends CannotStart {}

async function lookAt(url: string): Promise<string> {
  const { place } = readDatabaseAddress(url)
  const client = newConnection(url, { name })
  try {
    await client.connect()
    const { rows } = await client.query(about)
    const [found] = rows as [About]
    const fault = whatIsWrong(found)
    if (fault) throw new CannotStart(`The database at ${place} ${fault}`)
    if (await isTransactionPooler(client, url))
      throw new CannotStart(
        `At ${place} a pooler hands connections around between transactions, which loses locks and notifications: let it pool by session (PgBouncer: pool_mode = session), or name the database itself.`,
      )
    return found.version.split(' ')[0] ?? ''
  } catch (fault) {
    if (fault instanceof CannotStart) throw fault
    const Refusal = isDatabaseAway(fault) ? Unreachable : CannotStart
    throw new Refusal(`The database at ${place} cannot be reached: ${reasonOf(fault)}.`)
  } finally {
    client.end().catch(() => {})
  }
}

type About = {
  version: string
  number: number
  fsync: string
  synchronous_commit: string
  full_page_writes: string
  encoding: string
  closed: boolean
  role: string
  database: string
  schema: string | null
  may_create: boolean | null
  may_extend: boolean
  has_queue: boolean
  trigrams: 'there' | 'trusted' | 'untrusted' | null
}

const about = `
  select current_setting('server_version') as version, current_setting('server_version_num')::int as number,
    current_setting('fsync') as fsync, current_setting('synchronous_commit') as synchronous_commit,
    current_setting('full_page_writes') as full_page_writes, current_setting('server_encoding') as encoding,
    pg_is_in_recovery() or current_setting('default_transaction_read_only')::boolean as closed,
    current_user as role, current_database() as database, current_schema() as schema,
    has_schema_privilege(current_schema(), 'create') as may_create,
    has_database_privilege(current_database(), 'create') as may_extend,
    case when exists (select from pg_extension where extname = 'pg_trgm') then 'there' else (
      select case when trusted or current_setting('is_superuser')::boolean then 'trusted' else 'untrusted' end
      from pg_available_extension_versions where name = 'pg_trgm' order by trusted desc limit 1
    ) end as trigrams`

/** The end of the sentence "The database at … "; null if there is no problem. */
function whatIsWrong(found: About): string | null {
  if (found.number < oldestVersion * 10_000)
    return `is PostgreSQL ${found.version}, but must be ${oldestVersion} or newer.`
  for (const setting of ['fsync', 'synchronous_commit', 'full_page_writes'] as const)
    if (found[setting] === 'off')
      return `has ${setting} off, so it would lose messages and photos already acknowledged: switch it on.`
  if (found.encoding !== 'UTF8')
    return `is in ${found.encoding}, which has no place for every script and emoji: make one with "create database … encoding 'UTF8' template template0".`
  if (found.closed) return 'takes no writes (it is a standby, or set to read only): name the one that does.'
  return whatIsForbidden(found)
}

function whatIsForbidden({ role, database, schema, may_create, may_extend, trigrams }: About) {
  const owner = `as its administrator: alter database "${database}" owner to "${role}"`
  if (schema === null) return `has no schema that ${role} may use: set its search_path, or run, ${owner}.`
  if (!may_create) return `does not let ${role} make tables in the schema ${schema}: run, ${owner}.`
  if (trigrams === 'there' || (trigrams === 'trusted' && may_extend)) return null
  return trigrams === null
    ? 'lacks the extension pg_trgm: install what PostgreSQL brings beside itself (Debian and Ubuntu have it in postgresql, others in postgresql-contrib).'
    : `does not let ${role} make the extension pg_trgm: run, as its administrator: create extension pg_trgm.`
}

const rounds = 3

/** Tells whether one connection is given another's server process, which never happens in session pooling. */
async function isTransactionPooler(one: Connection, url: string): Promise<boolean> {
  const other = newConnection(url, { name })
  const processOf = async (client: Connection) => (await client.query('select pg_backend_pid() as pid')).rows[0].pid
  try {
    await other.connect()
    for (let round = 0; round < rounds; round++) {
      const before = await processOf(one)
      await other.query('begin')
      const others = await processOf(other)
      const after = await processOf(one)
      await other.query('commit')
      if (others === before || after !== before) return true
    }
    return false
  } catch (fault) {
    if (/statement pooling/.test(reasonOf(fault))) return true
    throw fault
  } finally {
    other.end().catch(() => {})
  }
}
