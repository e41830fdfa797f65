import { createHmac } from 'node:crypto'
import { openSync } from 'node:fs'
import { join } from 'node:path'
import { newConnection } from '../database/connection.ts'
import { CannotStart } from '../process/cannot-start.ts'

export const superuser = 'afterglow'
/** The role that the service uses: it owns the database's contents and has no other rights. */
export const serviceRole = 'afterglow_service'

/** The socket directory of the embedded database: nothing else can listen there. */
export const socketDirectory = (directory: string) => join(directory, 'socket')

/** The superuser's password cannot be derived from it. */
export const servicePassword = (password: string) =>
  createHmac('sha256', password).update('afterglow service').digest('base64url')

export type EmbeddedAddresses = {
  /** For the service's role. */
  url: string
  /** For the superuser, for copying the whole cluster. */
  superuserUrl: string
}

/** How to reach the embedded database of this directory; `password` is the superuser's. Only valid in this process. */
export const embeddedAddresses = (directory: string, password: string): EmbeddedAddresses => {
  const host = encodeURIComponent(shortWayTo(socketDirectory(directory)))
  const urlOf = (user: string, secret: string) =>
    `postgres://${user}:${encodeURIComponent(secret)}@${host}/postgres?require_auth=scram-sha-256`
  return { url: urlOf(serviceRole, servicePassword(password)), superuserUrl: urlOf(superuser, password) }
}

/** The longest socket path the kernel accepts, including PostgreSQL's own name. */
const pathBytesMax = (process.platform === 'linux' ? 107 : 103) - Buffer.byteLength('/.s.PGSQL.5432')
const ways = new Map<string, string>()

/** A directory whose path is too long is kept open and reached by its number. */
function shortWayTo(directory: string): string {
  if (Buffer.byteLength(directory) <= pathBytesMax) return directory
  if (process.platform !== 'linux')
    throw new CannotStart(`The path of DATA_DIR is too long for a socket below it: ${directory} must be shorter.`)
  const known = ways.get(directory) ?? `/proc/self/fd/${openSync(directory, 'r')}`
  ways.set(directory, known)
  return known
}

/** False while it is not up yet; throws CannotStart if it is and does not know the password. */
export async function answers(url: string): Promise<boolean> {
  const client = newConnection(url, { name: 'afterglow start', answersWithinMs: 2000 })
  try {
    await client.connect()
    return true
  } catch (fault) {
    if ((fault as { code?: string }).code !== '28P01') return false
    throw new CannotStart(
      'The embedded database was made with other secrets: put back the secrets.json that belongs to it.',
    )
  } finally {
    client.end().catch(() => {})
  }
}
