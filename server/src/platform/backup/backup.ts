import { existsSync } from 'node:fs'
import { mkdir, readdir } from 'node:fs/promises'
import { basename, dirname, join, resolve } from 'node:path'
import pLimit from 'p-limit'
import { CannotStart } from '../process/cannot-start.ts'
import { copyCluster } from './cluster-copy.ts'
import { type BackedUpFile, copyFile, syncDirectories } from './copy-file.ts'
import { bytesOf, writeManifest } from './manifest.ts'

export type Source = {
  dataDir: string
  mediaDir: string
  secretsPath: string
  /** The running embedded database; null omits the database. */
  superuserUrl: string | null
}

export type Taken = {
  files: number
  bytes: number
  /** Null without a database. */
  holdsUntil: Date | null
  /** Media whose bytes do not match their address: they were damaged before. */
  damaged: string[]
}

/**
 * Copies a running instance into a directory of its own: the database, every photo and video, the secrets. Media come
 * after the database, so that every row in it has its files: nothing is removed before its grace period is over.
 */
export async function takeBackup(
  { dataDir, mediaDir, secretsPath, superuserUrl }: Source,
  backup: string,
): Promise<Taken> {
  const into = resolve(backup)
  if (into === dataDir || into.startsWith(`${dataDir}/`))
    throw new CannotStart('A backup inside the data directory would be lost with it: name a directory elsewhere.')
  await makeEmpty(into)
  const cluster = superuserUrl ? await copyCluster(superuserUrl, join(dataDir, 'postgres/cluster'), into) : null
  const media = await copyMedia(mediaDir, into)
  const secrets = await copyFile(secretsPath, into, 'secrets.json')
  const files = [...(cluster?.files ?? []), ...media, secrets]
  const directories = [...(cluster?.directories ?? []), 'media']
  await syncDirectories(
    new Set([...directories, ...files.map(({ path }) => dirname(path))].map(path => join(into, path))),
  )
  await writeManifest(into, {
    format: 1,
    madeAt: new Date().toISOString(),
    database: cluster && {
      postgresVersion: cluster.postgresVersion,
      migration: cluster.migration,
      holdsUntil: cluster.holdsUntil.toISOString(),
    },
    directories,
    files,
  })
  return {
    files: files.length,
    bytes: bytesOf({ files }),
    holdsUntil: cluster?.holdsUntil ?? null,
    damaged: media.filter(({ path, sha256 }) => basename(path) !== sha256).map(({ path }) => path),
  }
}

async function makeEmpty(directory: string): Promise<void> {
  await makeWithParents(directory)
  if ((await readdir(directory)).length > 0)
    throw new CannotStart(`${directory} is not empty: each backup has a directory of its own.`)
}

/** Node's own `recursive` turns for ever where a directory exists and none can be made in it, as in /proc. */
async function makeWithParents(directory: string): Promise<void> {
  try {
    await mkdir(directory, { mode: 0o700 })
  } catch (fault) {
    const { code } = fault as NodeJS.ErrnoException
    if (code === 'EEXIST') return
    const parent = dirname(directory)
    if (code !== 'ENOENT' || existsSync(parent)) throw fault
    await makeWithParents(parent)
    await mkdir(directory, { mode: 0o700 })
  }
}

/** Files at their final addresses; uploads in progress have no row yet. */
async function copyMedia(media: string, into: string): Promise<BackedUpFile[]> {
  await mkdir(join(into, 'media'), { mode: 0o700 })
  const files: BackedUpFile[] = []
  const copy = (path: string) => atOnce(() => copyFile(join(media, path), into, `media/${path}`).catch(unlessSwept))
  for (const one of await hexNames(media)) {
    const copies: Promise<BackedUpFile | null>[] = []
    for (const two of await hexNames(join(media, one)))
      copies.push(...(await readdir(join(media, one, two))).map(name => copy(`${one}/${two}/${name}`)))
    files.push(...(await Promise.all(copies)).filter(file => file !== null))
  }
  return files
}

const atOnce = pLimit(8)

const hexNames = async (directory: string) =>
  (await readdir(directory).catch(() => [])).filter(name => /^[0-9a-f]{2}$/.test(name))

/** The sweeper removes files that no row names; those belong in no backup. */
function unlessSwept(fault: NodeJS.ErrnoException): null {
  if (fault.code === 'ENOENT') return null
  throw fault
}
