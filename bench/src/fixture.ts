import { join } from 'node:path'
import pg from 'pg'
import { databaseUrlOf, freshData, type Sizes } from './data.ts'
import type { Duel } from './figures.ts'
import type { Size } from './fill/size.ts'
import { type Service, startService } from './service.ts'
import { chance } from './statistics.ts'

/** The service over a filled database, and a connection of the bench's own to that. */
export type Instance = { service: Service; size: Size; db: pg.Client }

export type Fixture = {
  /** The one that rows are measured on, with its PostgreSQL embedded. */
  large: Instance
  /** The same service over ten thousand messages, in another database of the same PostgreSQL. */
  small: Instance
  quick: boolean
  /** Of the crowd's service. */
  processes: number
  random: () => number
  /** For what a row needs on disk; empty at the start of the bench. */
  scratch: string
  close(): Promise<void>
}

/** Rows that are set up together: the ids they may have, for --only, and how to open them, one duel at a time. */
export type RowGroup = {
  ids: readonly string[]
  /** Takes so long that it is measured by its name alone. */
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
