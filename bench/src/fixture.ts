import { join } from 'node:path'
import pg from 'pg'
import { databaseUrlOf, freshData, type Sizes } from './data.ts'
import type { Duel } from './figures.ts'
import type { Size } from './fill/size.ts'
import { type Service, startService } from './service.ts'
import { chance } from './statistics.ts'

/** The service over a filled database, and a direct connection of the bench to that. */
export type Instance = { service: Service; size: Size; db: pg.Client }

export type Fixture = {
  /** The measured instance, with an embedded PostgreSQL. */
  large: Instance
  /** The same service over ten thousand messages, in another database of the same PostgreSQL. */
  small: Instance
  quick: boolean
  /** The number of processes of the crowd's service. */
  processes: number
  random: () => number
  /** Disk space for rows; empty when the bench starts. */
  scratch: string
  close(): Promise<void>
}

/** Rows that are set up together: the possible IDs for --only, and an opener that yields one duel at a time. */
export type RowGroup = {
  ids: readonly string[]
  /** Too slow to run unless named. */
  onlyWhenNamed?: true
  duels(fixture: Fixture): AsyncIterable<Duel>
}

/** Starts the services over fresh copies of their data. */
export const openFixture = async (
  directory: string,
  sizes: Sizes,
  { seed, quick, processes }: { seed: number; quick: boolean; processes: number },
): Promise<Fixture> => {
  const data = await freshData(directory, sizes)
  const opened = async (service: Service, size: Size): Promise<Instance> => {
    const db = new pg.Client({ connectionString: service.databaseUrl })
    await db.connect()
    return { service, size, db }
  }
  const large = await opened(await startService(join(data, 'large')), sizes.large)
  const databaseUrl = databaseUrlOf(large.service.databaseUrl, 'small')
  const beside = await startService(join(data, 'small'), { beside: large.service, databaseUrl })
  const small = await opened(beside, sizes.small)
  return {
    large,
    small,
    quick,
    processes,
    random: chance(seed),
    scratch: join(data, 'scratch'),
    async close() {
      for (const instance of [small, large]) {
        await instance.db.end()
        await instance.service.stop()
      }
    },
  }
}
