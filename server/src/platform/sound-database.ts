import { Client } from 'pg'
import { CannotStart } from './cannot-start.ts'

const oldestVersion = 16
const connectWithinMs = 10_000

/**
 * Returns the server's version ("18.4"), once it was reached and found to keep what it acknowledges.
 * Throws CannotStart, whose sentence holds no password.
 */
export async function findSoundDatabase(url: string): Promise<string> {
  const client = new Client({ connectionString: url, connectionTimeoutMillis: connectWithinMs })
  client.on('error', () => {})
  try {
    await client.connect()
    const { rows } = await client.query(
      `select name, setting from pg_settings where name in ('server_version', 'server_version_num', 'fsync', 'synchronous_commit')`,
    )
    const setting = new Map<string, string>(rows.map(row => [row.name, row.setting]))
    refuseUnsound(setting, placeOf(url))
    return setting.get('server_version')?.split(' ')[0] ?? ''
  } catch (fault) {
    if (fault instanceof CannotStart) throw fault
    throw new CannotStart(`The database at ${placeOf(url)} cannot be reached: ${reason(fault)}.`)
  } finally {
    await client.end().catch(() => {})
  }
}

function refuseUnsound(setting: Map<string, string>, place: string): void {
  if (Number(setting.get('server_version_num')) < oldestVersion * 10_000) {
    throw new CannotStart(
      `The database at ${place} is PostgreSQL ${setting.get('server_version')}, but must be ${oldestVersion} or newer.`,
    )
  }
  for (const name of ['fsync', 'synchronous_commit']) {
    if (setting.get(name) === 'off') {
      throw new CannotStart(
        `The database at ${place} has ${name} off, so it would lose messages and photos already acknowledged: switch it on.`,
      )
    }
  }
}

function placeOf(url: string): string {
  const { host, pathname } = new URL(url)
  return `${host || 'the local socket'}${pathname}`
}

/** Node tells a host name with several addresses as one AggregateError without a message. */
function reason(fault: unknown): string {
  const first = fault instanceof AggregateError ? fault.errors[0] : fault
  return first instanceof Error ? first.message.replace(/\.$/, '') : String(first)
}
