import { existsSync } from 'node:fs'
import { readdir, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { freeBytesOf } from '../../platform/media/storage/free-disk.ts'
import { mediaDirectory } from '../../platform/media/storage/open-storage.ts'
import type { Config } from '../../settings/config.ts'
import { NotDone } from '../answer.ts'

/** Holds all packages while the client is built, and npm's unpacked files. */
const buildBytes = 2_000_000_000
/** The service goes on writing. */
const spareBytes = 500_000_000

type Plan = { config: Config; backups: string | null; building: string | null }

/** Throws NotDone if the disks lack the space that building and backing up take together. */
export async function requireDiskSpace({ config, backups, building }: Plan): Promise<void> {
  const needs: { at: string; bytes: number }[] = []
  if (building) needs.push({ at: building, bytes: buildBytes })
  if (backups) needs.push({ at: existingAbove(backups), bytes: await instanceBytes(config) })
  const disks = Map.groupBy(await Promise.all(needs.map(withDisk)), ({ disk }) => disk)
  for (const onOne of disks.values()) {
    const bytes = onOne.reduce((sum, need) => sum + need.bytes, spareBytes)
    const at = onOne.map(need => need.at).join(' and ')
    const free = await freeBytesOf(onOne[0]?.at ?? '/')
    if (free < bytes)
      throw new NotDone(`The disk of ${at} has ${gigabytes(free)} free, and the upgrade takes ${gigabytes(bytes)}.`)
  }
}

const withDisk = async <Need extends { at: string }>(need: Need) => ({ ...need, disk: (await stat(need.at)).dev })
const gigabytes = (bytes: number) => `${(bytes / 1e9).toFixed(1)} GB`
const existingAbove = (path: string): string => (existsSync(path) ? path : existingAbove(dirname(path)))

async function instanceBytes(config: Config): Promise<number> {
  const folders = [join(config.dataDir, 'postgres/cluster'), mediaDirectory(config)]
  return (await Promise.all(folders.map(bytesBelow))).reduce((sum, bytes) => sum + bytes, 0)
}

async function bytesBelow(folder: string): Promise<number> {
  let sum = 0
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => []))
    if (entry.isFile()) sum += (await stat(join(entry.parentPath, entry.name)).catch(() => ({ size: 0 }))).size
  return sum
}
