import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import pg from 'pg'
import { textOf } from '../../server/src/platform/process/file-text.ts'
import { fill } from './fill/fill.ts'
import type { Size } from './fill/size.ts'
import { startService } from './service.ts'

/** The embedded database, and another one in the same PostgreSQL. */
export type Sizes = { large: Size; small: Size }

export const databaseUrlOf = (embedded: string, name: string) => embedded.replace(/\/[^/]*$/, `/afterglow_${name}`)

/**
 * Returns the directory of a fresh copy of the filled data: a run sends and deletes, which must not change the tables
 * of the next. Fills it first if it is missing or was filled by another version.
 */
export const freshData = async (directory: string, sizes: Sizes): Promise<string> => {
  const filled = join(directory, 'filled')
  const live = join(directory, 'live')
  const stamp = stampOf(sizes)
  if (textOf(join(filled, 'stamp')) !== stamp) {
    rmSync(filled, { recursive: true, force: true })
    await fillAll(filled, sizes)
    writeFileSync(join(filled, 'stamp'), stamp)
  }
  rmSync(live, { recursive: true, force: true })
  execFileSync('cp', ['--archive', '--reflink=auto', filled, live])
  // Otherwise the disk would write it during the first rows, whose commits wait for the same disk.
  execFileSync('sync')
  return live
}

const fillAll = async (directory: string, { large, small }: Sizes) => {
  const service = await startService(join(directory, 'large'))
  console.error('Filling the large database')
  await fill(service.databaseUrl, large, console.error)
  const admin = new pg.Client({ connectionString: service.databaseUrl })
  await admin.connect()
  console.error('Filling the small database')
  await admin.query('create database afterglow_small template template0')
  const databaseUrl = databaseUrlOf(service.databaseUrl, 'small')
  const other = await startService(join(directory, 'small'), { beside: service, databaseUrl })
  await fill(databaseUrl, small, console.error)
  await other.stop()
  await admin.end()
  await service.stop()
}

const stampOf = (sizes: Sizes) => {
  const hash = createHash('sha256').update(JSON.stringify(sizes))
  for (const folder of ['./fill/', '../../server/migrations/'].map(path => new URL(path, import.meta.url))) {
    const files = readdirSync(folder).filter(name => /(?<!\.test)\.(?:ts|sql)$/.test(name))
    for (const file of files.sort()) hash.update(readFileSync(new URL(file, folder)))
  }
  return hash.digest('hex')
}
