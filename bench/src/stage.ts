import { rmSync } from 'node:fs'
import { join } from 'node:path'
import pg from 'pg'
import { fill, isFilled } from './fill/fill.ts'
import type { Size } from './fill/size.ts'
import { residentMemoryOf } from './processes.ts'
import { type Service, startService } from './service.ts'
import { chance } from './statistics.ts'

/** The service over a filled database, and a connection of the bench's own to that. */
export type Instance = { service: Service; size: Size; db: pg.Client }

export type Stage = {
  /** The one that rows are measured on, with its PostgreSQL embedded. */
  large: Instance
  /** The same service over ten thousand messages, in another database of the same PostgreSQL. */
  small: Instance
  seed: number
  random: () => number
  /** Millions of people are searched too. */
  million: boolean
  quick: boolean
  /** For what a row needs on disk; empty at the start of the bench. */
  scratch: string
  /** For a database of a row's own that the next run finds again. */
  directory: string
  /** MiB that the large service's process held when it had just started. */
  memoryAtStart: number
  close(): Promise<void>
}

type Setting = {
  directory: string
  sizes: { small: Size; large: Size }
  seed: number
  million: boolean
  quick: boolean
}

/** Starts both services over their data, which is filled when it is not there or made by another version of the bench. */
export const openStage = async ({ directory, sizes, ...given }: Setting): Promise<Stage> => {
  const scratch = join(directory, 'scratch')
  rmSync(scratch, { recursive: true, force: true })
  const large = await openInstance(join(directory, 'large'), sizes.large)
  const small = await openBeside('small', join(directory, 'small'), sizes.small, large.service)
  return {
    ...given,
    large,
    small,
    scratch,
    directory,
    memoryAtStart: residentMemoryOf([large.service.server]),
    random: chance(given.seed),
    async close() {
      await closeInstance(small)
      await closeInstance(large)
    },
  }
}

/** A service with its PostgreSQL embedded, over data that is filled when it is not there or another version's. */
export const openInstance = async (dataDir: string, size: Size): Promise<Instance> => {
  const first = await startService(dataDir).catch(() => null)
  if (first && (await isFilled(first.databaseUrl, size))) return connected(first, size)
  await first?.stop()
  rmSync(dataDir, { recursive: true, force: true })
  const empty = await startService(dataDir)
  console.error('Filling the large database')
  await fill(empty.databaseUrl, size, console.error)
  await empty.stop()
  return connected(await startService(dataDir), size)
}

/** A service of its own over another database of the same PostgreSQL. */
export const openBeside = async (name: string, dataDir: string, size: Size, beside: Service): Promise<Instance> => {
  const database = `afterglow_${name}`
  const databaseUrl = beside.databaseUrl.replace(/\/[^/]*$/, `/${database}`)
  const start = () => startService(dataDir, { beside, databaseUrl })
  const admin = await clientOf(beside.databaseUrl)
  const { rowCount: exists } = await admin.query('select from pg_database where datname = $1', [database])
  if (!exists || !(await isFilled(databaseUrl, size))) {
    await admin.query(`drop database if exists ${database} with (force)`)
    await admin.query(`create database ${database} template template0`)
    rmSync(dataDir, { recursive: true, force: true })
    const empty = await start()
    console.error(`Filling the ${name} database`)
    await fill(databaseUrl, size, console.error)
    await empty.stop()
  }
  await admin.end()
  return connected(await start(), size)
}

export const closeInstance = async ({ db, service }: Instance): Promise<void> => {
  await db.end()
  await service.stop()
}

const connected = async (service: Service, size: Size): Promise<Instance> => ({
  service,
  size,
  db: await clientOf(service.databaseUrl),
})

const clientOf = async (connectionString: string) => {
  const client = new pg.Client({ connectionString })
  await client.connect()
  return client
}
