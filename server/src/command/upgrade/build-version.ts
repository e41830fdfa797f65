import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { createReadStream } from 'node:fs'
import { mkdir, readdir, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { syncDirectory } from '../../platform/process/durable-file.ts'
import type { Releases } from '../../platform/process/releases.ts'
import { versionIn } from '../../platform/process/version.ts'
import { NotDone } from '../answer.ts'

const unfinished = '.unfinished-'

/** The build made from this archive; null if there is none, or none complete. */
export async function findBuilt({ folder }: Releases, archive: string): Promise<string | null> {
  const ending = `-${await markOf(archive)}`
  const found = (await readdir(folder)).find(name => name.endsWith(ending) && !name.startsWith('.'))
  return found ? join(folder, found) : null
}

/** A version is built under a temporary name and renamed when complete and synced. */
export async function buildBeside(
  { folder }: Releases,
  archive: string,
  tell: (progress: string) => void,
): Promise<string> {
  const mark = await markOf(archive)
  const building = join(folder, `${unfinished}${mark}`)
  await mkdir(building, { recursive: true })
  await finish('tar', ['--force-local', '--no-same-owner', '--strip-components=1', '-xf', archive, '-C', building])
  const version = versionOf(building, archive)
  await buildIn(building, version, tell)
  const tree = join(folder, `${version}-${mark}`)
  await rename(building, tree)
  syncDirectory(folder)
  return tree
}

/** Builds a version where it was unpacked, which changes nothing if it is built. */
export async function buildIn(tree: string, version: string, tell: (progress: string) => void): Promise<void> {
  tell(`Building ${version} in ${tree}; the service goes on meanwhile.`)
  await finish(process.execPath, ['bin/run.js', 'bin/build.ts', '--production'], tree)
  await finish('sync', ['--file-system', tree])
}

/** Removes the leftovers of killed upgrades. */
export async function forgetUnfinished({ folder }: Releases): Promise<void> {
  for (const name of await readdir(folder))
    if (name.startsWith(unfinished)) await rm(join(folder, name), { recursive: true, force: true })
}

/** An archive is identified by its content: sources between two releases have the version of the previous one. */
async function markOf(archive: string): Promise<string> {
  const hash = createHash('sha256')
  await pipeline(createReadStream(archive), hash)
  return hash.digest('hex').slice(0, 8)
}

function versionOf(tree: string, archive: string): string {
  try {
    return versionIn(tree)
  } catch {
    throw new NotDone(`${archive} is no archive of Afterglow's sources.`)
  }
}

/** Its output joins our progress. The IPC channel makes it end with us, however we end. */
async function finish(program: string, args: string[], cwd?: string): Promise<void> {
  const child = spawn(program, args, { ...(cwd && { cwd }), stdio: ['ignore', 2, 2, 'ipc'] })
  const [code] = await once(child, 'close')
  if (code !== 0) throw new NotDone(`${program} ${args[0]} ended with ${code}; why stands above. Nothing was changed.`)
}
