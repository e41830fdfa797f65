import { randomBytes } from 'node:crypto'
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import pLimit from 'p-limit'
import { type Connection, newConnection } from '../database/connection.ts'
import { CannotStart } from '../process/cannot-start.ts'
import { type BackedUpFile, copyFile, readKept } from './copy-file.ts'

export type CopiedCluster = {
  files: BackedUpFile[]
  /** Every directory, because PostgreSQL requires even empty ones. */
  directories: string[]
  /** By the database's clock: everything acknowledged before is in the copy. */
  holdsUntil: Date
  postgresVersion: string
  /** Its newest Afterglow migration. */
  migration: string
}

/** PostgreSQL recreates these when it starts, or must not find them. */
const emptied = new Set([
  'pg_wal',
  'pg_dynshmem',
  'pg_notify',
  'pg_replslot',
  'pg_serial',
  'pg_snapshots',
  'pg_stat_tmp',
  'pg_subtrans',
])
const leftOut =
  /^(postmaster\.(pid|opts)|backup_label(\.old)?|tablespace_map(\.old)?|backup_manifest|current_logfiles|pg_internal\.init.*|pgsql_tmp.*)$/

/**
 * Copies a running cluster into `into/cluster` while others continue to write. Files copied while changing are torn;
 * the write-ahead log since the start, which is included, repairs them when the copy is first started.
 */
export async function copyCluster(url: string, cluster: string, into: string): Promise<CopiedCluster> {
  // How long its checkpoints take depends on the disk.
  const client = newConnection(url, { name: 'afterglow backup', answersWithinMs: Number.POSITIVE_INFINITY })
  await client.connect()
  try {
    const [about] = await ask(client, aboutServer)
    if (about?.tablespaces !== 0) throw new CannotStart('A database with tablespaces of its own cannot be copied.')
    // A slot retains the log from now on, which a busy database would recycle; it is temporary, so it ends with this
    // connection.
    const slot = `afterglow_backup_${randomBytes(4).toString('hex')}`
    await client.query('select pg_create_physical_replication_slot($1, true, true)', [slot])
    await client.query("select pg_backup_start('afterglow', fast => true)")
    const { files, directories } = await copyFiles(cluster, into)
    const [end] = await ask(client, 'select clock_timestamp() as at')
    const [stopped] = await ask(client, stop)
    files.push(...(await copyLog(cluster, into, { ...stopped, label: String(stopped?.label) })))
    await writeFile(join(into, 'cluster/backup_label'), String(stopped?.label), { mode: 0o600, flush: true })
    files.push(await readKept(into, 'cluster/backup_label'))
    return {
      files,
      directories,
      holdsUntil: end?.at as Date,
      postgresVersion: String(about.version).split(' ')[0] as string,
      migration: String(about.migration ?? ''),
    }
  } finally {
    await client.end()
  }
}

const aboutServer = `
  select current_setting('server_version') as version, (select max(name) from migrations) as migration,
    (select count(*)::int from pg_tablespace where spcname not in ('pg_default', 'pg_global')) as tablespaces`

/** A separate statement determines the log's last file, because the function reads the log's current timeline. */
const stop = `
  select s.labelfile as label, pg_walfile_name(s.lsn) as last
  from pg_backup_stop(wait_for_archive => false) s`

const ask = async (client: Connection, sql: string): Promise<Record<string, unknown>[]> =>
  (await client.query(sql)).rows

async function copyFiles(cluster: string, into: string) {
  const copies: Promise<BackedUpFile | null>[] = []
  const directories = ['cluster']
  await mkdir(join(into, 'cluster'), { mode: 0o700 })
  for (const entry of await readdir(cluster, { recursive: true, withFileTypes: true })) {
    const below = join(entry.parentPath, entry.name).slice(cluster.length + 1)
    const [top = ''] = below.split('/')
    if (leftOut.test(entry.name) || (emptied.has(top) && below !== top)) continue
    const path = `cluster/${below}`
    if (entry.isDirectory()) {
      directories.push(path)
      await mkdir(join(into, path), { recursive: true, mode: 0o700 })
    } else if (below !== control) {
      copies.push(atOnce(() => copyFile(join(cluster, below), into, path).catch(unlessGone)))
    }
  }
  const files = (await Promise.all(copies)).filter(file => file !== null)
  return { files: [...files, await copyControl(cluster, into)], directories }
}

/** A cluster consists of a thousand small files, each of which waits for the disk. */
const atOnce = pLimit(8)

/** Dropping a table removes its files; the log records that too. */
function unlessGone(fault: NodeJS.ErrnoException): null {
  if (fault.code === 'ENOENT') return null
  throw fault
}

const control = 'global/pg_control'

/** The log cannot repair its checksum, so it is read until two readings agree. */
async function copyControl(cluster: string, into: string): Promise<BackedUpFile> {
  for (let before = await readFile(join(cluster, control)); ; ) {
    const now = await readFile(join(cluster, control))
    if (now.equals(before)) {
      await writeFile(join(into, 'cluster', control), now, { mode: 0o600, flush: true })
      return readKept(into, `cluster/${control}`)
    }
    before = now
  }
}

/** The log files from the first that the label names to the one in which the backup ended. */
async function copyLog(
  cluster: string,
  into: string,
  { label, last }: { label: string; last?: unknown },
): Promise<BackedUpFile[]> {
  const first = /^START WAL LOCATION: .* \(file ([0-9A-F]{24})\)/m.exec(label)?.[1] ?? ''
  const names = (await readdir(join(cluster, 'pg_wal')))
    .filter(name => /^[0-9A-F]{24}$/.test(name) && name >= first && name <= String(last))
    .sort()
  if (first === '' || names[0] !== first || names.at(-1) !== last || names.length !== filesBetween(first, String(last)))
    throw new Error(`the log of the backup is not whole: ${first} to ${last}, found ${names.join(' ')}`)
  await mkdir(join(into, 'cluster/pg_wal'), { recursive: true, mode: 0o700 })
  const copied: BackedUpFile[] = []
  for (const name of names) copied.push(await copyFile(join(cluster, 'pg_wal', name), into, `cluster/pg_wal/${name}`))
  return copied
}

/**
 * A name consists of timeline, log and segment, 8 hexadecimal digits each; a log of 4 GiB has 256 segments of 16 MiB.
 */
const filesBetween = (first: string, last: string) => place(last) - place(first) + 1
const place = (name: string) => Number.parseInt(name.slice(8, 16), 16) * 256 + Number.parseInt(name.slice(16), 16)
