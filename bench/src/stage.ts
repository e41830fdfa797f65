import { join } from 'node:path'
import pg from 'pg'
import { databaseUrlOf, freshData, type Sizes } from './data.ts'
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
  /** A third one, over a million people, when that was asked for. */
  million: Instance | null
  seed: number
  random: () => number
  /** For what a row needs on disk; empty at the start of the bench. */
  scratch: string
  /** MiB that the large service's process held when it had just started. */
  memoryAtStart: number
  close(): Promise<void>
}

/** Starts the services over fresh copies of their data. */
export const openStage = async (directory: string, sizes: Sizes, seed: number): Promise<Stage> => {
  const data = await freshData(directory, sizes)
  const large = await opened(await startService(join(data, 'large')), sizes.large)
  const beside = async (name: 'small' | 'million', size: Size) => {
    const databaseUrl = databaseUrlOf(large.service.databaseUrl, name)
    return opened(await startService(join(data, name), { beside: large.service, databaseUrl }), size)
  }
  const small = await beside('small', sizes.small)
  const million = sizes.million ? await beside('million', sizes.million) : null
  return {
    large,
    small,
    million,
    seed,
    random: chance(seed),
    scratch: join(data, 'scratch'),
    memoryAtStart: residentMemoryOf([large.service.server]),
    async close() {
      for (const instance of [million, small, large]) {
        await instance?.db.end()
        await instance?.service.stop()
      }
    },
  }
}

const opened = async (service: Service, size: Size): Promise<Instance> => {
  const db = new pg.Client({ connectionString: service.databaseUrl })
  await db.connect()
  return { service, size, db }
}
