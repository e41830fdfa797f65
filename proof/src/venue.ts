import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openBalancer } from './balancer.ts'
import { openCluster } from './postgres.ts'
import { postmasterOf } from './processes.ts'
import { openRedis } from './redis.ts'
import { type Service, startService } from './service.ts'

/** How many boxes, and how many processes on each. */
export type Place = { root: string; boxes: number; processes: number }

/** Where a crowd goes: the service on one box with its own database, or boxes of it over one database, Redis and directory. */
export type Venue = AsyncDisposable & {
  url: string
  /** The process of each box that has begun the others. */
  servers(): number[]
  postmaster(): number[]
}

export const openVenue = async ({ root, boxes, processes }: Place): Promise<Venue> => {
  const closing = new AsyncDisposableStack()
  const directory = mkdtempSync(join(tmpdir(), 'afterglow-crowd-'))
  closing.defer(() => rmSync(directory, { recursive: true, force: true, maxRetries: 5 }))
  const services: Service[] = []
  const open = async (opening: Omit<Parameters<typeof startService>[0], 'root'>) => {
    const service = await startService({ ...opening, root, env: { ...opening.env, PROCESSES: String(processes) } })
    closing.defer(() => service.close())
    services.push(service)
    return service
  }
  const venueOf = (url: string, cluster: string): Venue => ({
    url,
    servers: () => services.map(service => service.pid()),
    postmaster: () => [postmasterOf(cluster) ?? []].flat(),
    [Symbol.asyncDispose]: () => closing.disposeAsync(),
  })
  try {
    if (boxes === 1) {
      const { url, dataDir } = await open({ directory })
      return venueOf(url, join(dataDir, 'postgres', 'cluster'))
    }
    const cluster = await openCluster(join(directory, 'cluster'))
    closing.defer(() => cluster.kill())
    const redis = await openRedis(directory)
    closing.defer(() => redis.kill())
    mkdirSync(join(directory, 'media'))
    for (let nth = 1; nth <= boxes; nth++)
      await open({
        directory: join(directory, `box ${nth}`),
        databaseUrl: cluster.url,
        secretsFile: join(directory, 'secrets.json'),
        env: { MEDIA_DIR: join(directory, 'media'), REDIS_URL: `redis://127.0.0.1:${redis.port}` },
      })
    const balancer = await openBalancer(() => services.map(({ port }) => port))
    closing.defer(() => balancer.close())
    return venueOf(balancer.url, cluster.directory)
  } catch (fault) {
    await closing.disposeAsync()
    throw fault
  }
}
