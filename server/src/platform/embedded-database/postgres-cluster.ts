import { spawn } from 'node:child_process'
import { once } from 'node:events'
import {
  chmodSync,
  chownSync,
  existsSync,
  lchownSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { CannotStart } from '../process/cannot-start.ts'
import { syncDirectory } from '../process/durable-file.ts'
import { socketDirectory, superuser } from './postgres-address.ts'

/** Whom to run the database as; empty: as ourselves. */
export type SystemUser = { uid?: number; gid?: number }

const nobody = 65534

/**
 * What a database program is told its directory is. Under another user the absolute path may lead through directories
 * that only root may enter (a home, the data directory itself). The working directory is set before root is given up and
 * needs no way there, and PostgreSQL never leaves it.
 */
export const directoryArgument = (cluster: string, user: SystemUser) =>
  user.uid !== undefined && process.platform === 'linux' ? '/proc/self/cwd' : cluster

/** Root may not run PostgreSQL: it then runs as the cluster's owner, or as a user no host needs to know. */
export function clusterUser(cluster: string): SystemUser {
  if (process.getuid?.() !== 0) return {}
  const owner = existsSync(cluster) ? statSync(cluster) : { uid: 0, gid: 0 }
  return owner.uid === 0 ? { uid: nobody, gid: nobody } : { uid: owner.uid, gid: owner.gid }
}

/** Makes directory/cluster where it is missing, and everything in directory the user's. */
export async function prepareCluster(
  directory: string,
  user: SystemUser,
  initdb: string,
  options: { password: string; durable: boolean },
): Promise<void> {
  const cluster = join(directory, 'cluster')
  mkdirSync(directory, { recursive: true, mode: 0o700 })
  chmodSync(directory, 0o700)
  removeUnfinished(directory)
  if (!existsSync(cluster)) await makeCluster(directory, user, initdb, options)
  if (user.uid !== undefined && user.gid !== undefined) giveTo(directory, cluster, user.uid, user.gid)
}

/** A cluster comes into being by one rename, so that a start killed halfway leaves none rather than half of one. */
async function makeCluster(
  directory: string,
  user: SystemUser,
  initdb: string,
  { password, durable }: { password: string; durable: boolean },
): Promise<void> {
  const unfinished = mkdtempSync(join(directory, 'unfinished-'))
  const home = join(unfinished, 'cluster')
  const passwordFile = join(unfinished, 'password')
  mkdirSync(home, { mode: 0o700 })
  writeFileSync(passwordFile, password, { mode: 0o600 })
  if (user.uid !== undefined && user.gid !== undefined) {
    for (const path of [unfinished, home, passwordFile]) chownSync(path, user.uid, user.gid)
  }
  const child = spawn(
    initdb,
    [
      `--pgdata=${directoryArgument(home, user)}`,
      `--username=${superuser}`,
      '--pwfile=../password',
      '--auth=scram-sha-256',
      '--encoding=UTF8',
      '--locale=C.UTF-8',
      ...(durable ? [] : ['--no-sync']),
    ],
    // Apart from our terminal: Ctrl-C then stops us in order, after this, and not this first.
    { cwd: home, detached: true, stdio: ['ignore', 'ignore', 'pipe'], env: { TZ: 'UTC' }, ...user },
  )
  const complaint = text(child.stderr)
  const [code] = await once(child, 'close')
  if (code !== 0) {
    throw new CannotStart(`The embedded database cannot be made in ${directory}: ${lastLine(await complaint)}`)
  }
  rmSync(passwordFile)
  renameSync(home, join(directory, 'cluster'))
  syncDirectory(directory)
  rmSync(unfinished, { recursive: true })
}

function removeUnfinished(directory: string): void {
  for (const name of readdirSync(directory)) {
    if (name.startsWith('unfinished-')) rmSync(join(directory, name), { recursive: true, force: true, maxRetries: 5 })
  }
}

/** At each start, as clusters of earlier versions let in by TCP. Its rules are written in place, to stay their owner's. */
export function closeDoors(directory: string, { uid, gid }: SystemUser): void {
  const sockets = socketDirectory(directory)
  mkdirSync(sockets, { recursive: true, mode: 0o700 })
  chmodSync(sockets, 0o700)
  if (uid !== undefined && gid !== undefined) chownSync(sockets, uid, gid)
  const file = join(directory, 'cluster', 'pg_hba.conf')
  const rule =
    '# Written by Afterglow at each start: by the socket alone, and only who proves the password.\nlocal all all scram-sha-256\n'
  if (readFileSync(file, 'utf8') !== rule) writeFileSync(file, rule)
}

/** What a killed PostgreSQL left there; only for who knows that none runs. */
export function clearSockets(directory: string): void {
  for (const name of readdirSync(socketDirectory(directory))) rmSync(join(socketDirectory(directory), name))
}

/** Also mends a cluster that root copied back from a backup. */
function giveTo(directory: string, cluster: string, uid: number, gid: number): void {
  if (statSync(cluster).uid !== uid) {
    for (const name of readdirSync(cluster, { recursive: true })) lchownSync(join(cluster, String(name)), uid, gid)
    chownSync(cluster, uid, gid)
  }
  chownSync(directory, uid, gid)
}

const lastLine = (said: string) => said.trim().split('\n').at(-1) ?? ''
