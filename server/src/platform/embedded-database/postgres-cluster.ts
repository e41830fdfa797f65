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

/** The user to run the database as; empty: ourselves. */
export type SystemUser = { uid?: number; gid?: number }

const nobody = 65534

/**
 * The directory as passed to database programs. For another user, the absolute path may lead through directories that
 * only root can enter (a home, the data directory itself). The working directory is set before dropping root, requires
 * no access to parents, and PostgreSQL never leaves it.
 */
export const directoryArgument = (cluster: string, user: SystemUser) =>
  user.uid !== undefined && process.platform === 'linux' ? '/proc/self/cwd' : cluster

/** Root may not run PostgreSQL: it then runs as the cluster's owner, or as a user that no host needs to know. */
export function clusterUser(cluster: string): SystemUser {
  if (process.getuid?.() !== 0) return {}
  const owner = existsSync(cluster) ? statSync(cluster) : { uid: 0, gid: 0 }
  return owner.uid === 0 ? { uid: nobody, gid: nobody } : { uid: owner.uid, gid: owner.gid }
}

/** Creates directory/cluster if missing, and makes everything in the directory the user's. */
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

/** A cluster is created by a single rename, so a start killed halfway leaves none rather than half of one. */
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
    // Detached from our terminal: Ctrl-C then stops us in order, with the database last rather than first.
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

/** Admits connections by the socket alone, with the password. */
const accessRules = '# Written by Afterglow at each start.\nlocal all all scram-sha-256\n'

/**
 * Makes the socket's directory, and the rules that PostgreSQL is started with. The cluster's own stay as they are: a
 * version that this one refuses to upgrade from needs them again.
 */
export function closeDoors(directory: string, { uid, gid }: SystemUser): void {
  const sockets = socketDirectory(directory)
  mkdirSync(sockets, { recursive: true, mode: 0o700 })
  chmodSync(sockets, 0o700)
  const rules = join(directory, 'cluster', accessFile)
  writeFileSync(rules, accessRules, { mode: 0o600 })
  if (uid === undefined || gid === undefined) return
  for (const path of [sockets, rules]) chownSync(path, uid, gid)
}

const accessFile = 'afterglow_hba.conf'

/** The setting by which PostgreSQL finds those rules. */
export const accessSetting = (cluster: string, user: SystemUser) =>
  `hba_file=${join(directoryArgument(cluster, user), accessFile)}`

/** Files left by a killed PostgreSQL; only for callers who know that none is running. */
export function clearSockets(directory: string): void {
  for (const name of readdirSync(socketDirectory(directory))) rmSync(join(socketDirectory(directory), name))
}

/** Also repairs a cluster that root restored from a backup. */
function giveTo(directory: string, cluster: string, uid: number, gid: number): void {
  if (statSync(cluster).uid !== uid) {
    for (const name of readdirSync(cluster, { recursive: true })) lchownSync(join(cluster, String(name)), uid, gid)
    chownSync(cluster, uid, gid)
  }
  chownSync(directory, uid, gid)
}

const lastLine = (said: string) => said.trim().split('\n').at(-1) ?? ''
