import { existsSync, readFileSync } from 'node:fs'
import { mkdir, readdir, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { BaseLogger } from 'pino'
import { openEmbeddedPostgres } from '../embedded-database/embedded-postgres.ts'
import { majorBrought } from '../embedded-database/postgres-binaries.ts'
import { clusterUser } from '../embedded-database/postgres-cluster.ts'
import { CannotStart } from '../process/cannot-start.ts'
import { openDataDirectory } from '../process/data-directory.ts'
import { readSecrets } from '../secrets/secrets.ts'
import { copyFile, syncDirectories } from './copy-file.ts'
import { bytesOf, type Manifest, readManifest } from './manifest.ts'

export type Target = { dataDir: string; secretsPath: string; log: Pick<BaseLogger, 'info' | 'warn' | 'error'> }
export type RestoreResult = { files: number; bytes: number; holdsUntil: Date | null }

/**
 * Restores a backup into a missing or empty data directory, verifying every file by its hash, and starts its database
 * once, to know that it is intact. A restore that fails leaves the directory empty; one that is killed leaves it
 * without secrets, and a start on it is refused.
 */
export async function restoreBackup(backup: string, { dataDir, secretsPath, log }: Target): Promise<RestoreResult> {
  const manifest = await readManifest(backup)
  await requireDiskSpace(dataDir, secretsPath, backup)
  await demandSameMajor(manifest, join(dataDir, 'postgres/cluster'))
  const lock = openDataDirectory(dataDir)
  try {
    await bringBack(backup, manifest, dataDir, secretsPath)
    if (manifest.database) await startOnce(dataDir, secretsPath, log)
  } catch (fault) {
    for (const name of ['postgres', 'media', 'secrets.json'])
      await rm(join(dataDir, name), { recursive: true, force: true })
    throw fault
  } finally {
    lock.release()
  }
  const holdsUntil = manifest.database && new Date(manifest.database.holdsUntil)
  return { files: manifest.files.length, bytes: bytesOf(manifest), holdsUntil }
}

async function requireDiskSpace(dataDir: string, secretsPath: string, backup: string): Promise<void> {
  // Left by a start that was killed before it had anything to keep.
  const found = (await readdir(dataDir).catch(() => [])).filter(name => !['lock', 'pid', 'cache'].includes(name))
  if (found.length > 0)
    throw new CannotStart(`${dataDir} is not empty (${found.slice(0, 3).join(', ')}): restore into a new directory.`)
  if (existsSync(secretsPath) && !readFileSync(secretsPath).equals(readFileSync(join(backup, 'secrets.json'))))
    throw new CannotStart(`${secretsPath} holds other secrets than the backup: move it away first.`)
}

async function demandSameMajor({ database }: Manifest, cluster: string): Promise<void> {
  if (!database) return
  const version = await majorBrought(clusterUser(cluster))
  const major = /^\d+/.exec(database.postgresVersion)?.[0]
  if (version !== major)
    throw new CannotStart(
      `The backup is of PostgreSQL ${database.postgresVersion}, and this Afterglow brings ${version}: restore it with a version of Afterglow that brings ${major}.`,
    )
}

/** The secrets come last: until then, a start here has different ones, and the database refuses them. */
async function bringBack(backup: string, manifest: Manifest, dataDir: string, secretsPath: string): Promise<void> {
  const placeOf = (path: string) => (path.startsWith('cluster') ? `postgres/${path}` : path)
  for (const path of manifest.directories) await mkdir(join(dataDir, placeOf(path)), { recursive: true, mode: 0o700 })
  const secrets = manifest.files.filter(({ path }) => path === 'secrets.json')
  const others = manifest.files.filter(({ path }) => path !== 'secrets.json')
  const touched = new Set(manifest.directories.map(path => join(dataDir, placeOf(path))))
  for (const { path, sha256 } of others) {
    const copied = await copyFile(join(backup, path), dataDir, placeOf(path))
    if (copied.sha256 !== sha256) throw new CannotStart(`${path} of the backup is damaged: nothing was restored.`)
    touched.add(dirname(join(dataDir, placeOf(path))))
  }
  await syncDirectories(touched)
  for (const { path, sha256 } of secrets) {
    if (existsSync(secretsPath)) continue
    const copied = await copyFile(
      join(backup, path),
      dirname(secretsPath),
      secretsPath.slice(dirname(secretsPath).length + 1),
    )
    if (copied.sha256 !== sha256) throw new CannotStart(`${path} of the backup is damaged: nothing was restored.`)
    await syncDirectories([dirname(secretsPath)])
  }
}

/**
 * As a recovery that ends in a new timeline: whatever the original has written since is not part of it, and the
 * timeline tells readers so. Nobody is admitted before that has happened.
 */
const recovery = ['restore_command=exit 1', 'hot_standby=off']

async function startOnce(dataDir: string, secretsPath: string, log: Target['log']): Promise<void> {
  const { databasePassword: password } = readSecrets(secretsPath)
  const directory = join(dataDir, 'postgres')
  await writeFile(join(directory, 'cluster/recovery.signal'), '', { flush: true })
  const database = await openEmbeddedPostgres({ directory, password, log, settings: recovery })
  await database.stop()
}
