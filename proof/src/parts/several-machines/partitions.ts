import { setTimeout as sleep } from 'node:timers/promises'
import { faultsUnderLoad } from '../../checks/all.ts'
import { type Network, openNetwork } from '../../instance/network.ts'
import { until } from '../../instance/processes.ts'
import { lacksRedis, openRedis, type Redis } from '../../instance/redis.ts'
import { type Common, onTwoProcesses, type Two } from '../../instance/two-processes.ts'
import type { Part } from '../../part.ts'
import type { Run } from '../../test-bed.ts'

/** Redis fails in every way: it holds only conveniences, so no request may fail. */
const breakRedis = async (run: Run) => {
  const ways: readonly [name: string, breaks: (redis: Redis) => Promise<void>][] = [
    [
      'was killed',
      async redis => {
        await redis.kill()
        await sleep(run.random.whole(200, 3000))
        await redis.start()
      },
    ],
    [
      'was paused',
      async redis => {
        redis.pause()
        await sleep(run.random.whole(200, 3000))
        redis.goOn()
      },
    ],
    ['was emptied', redis => redis.empty()],
  ]
  let redis: Redis
  await onTwoProcesses(
    run,
    async (testBed, two) => {
      await faultsUnderLoad(testBed, run, async (people, nth) => {
        const [name, breaks] = ways[nth % ways.length] as (typeof ways)[number]
        const before = people.count()
        await breaks(redis)
        run.report.fault()
        await until(`acts after Redis ${name}`, () => people.count() > before + 10)
        run.report.checked('I12', 2, endedOf(two, `Redis ${name}`))
      })
    },
    async (_, common) => {
      redis ??= await redisOf(common)
      return { env: { REDIS_URL: `redis://127.0.0.1:${redis.port}` } }
    },
  )
}

const redisOf = async ({ directory, closing }: Common) => {
  const redis = await openRedis(directory)
  closing.defer(() => redis.kill())
  return redis
}

const endedOf = (two: Two, after: string) =>
  two.flatMap((one, at) => (one.isUp() ? [] : [`process ${at + 1} ended after ${after}`]))

type Ways = { database: Network; redis: Network }
const readyWithinMs = 60_000
/** The service configures PostgreSQL's keepalives: 10 s of silence, then three probes five seconds apart. */
const keepalivesMs = 25_000

/** Silently cuts a process off from the database, Redis or both; then packets pass again. */
const partition = async (run: Run) => {
  const kinds: readonly (keyof Ways)[][] = [['database'], ['redis'], ['database', 'redis']]
  const waysOf: Ways[] = []
  let redis: Redis
  await onTwoProcesses(
    run,
    async (testBed, two) => {
      await faultsUnderLoad(testBed, run, async (people, nth) => {
        const cutFrom = kinds[nth % kinds.length] as (keyof Ways)[]
        const victim = run.random.whole(0, 1)
        const networks = cutFrom.map(name => (waysOf[victim] as Ways)[name])
        const what = `process ${victim + 1} was cut from ${cutFrom.join(' and ')}`
        const impossible = cutFrom.includes('database')
        if (impossible) testBed.faultBegins()
        const before = people.count()
        for (const network of networks) network.silence(keepalivesMs)
        await sleep(run.random.whole(1000, 12_000))
        for (const network of networks) network.goOn()
        const began = performance.now()
        await until(`both are ready after ${what}`, () => areReady(two), readyWithinMs, 100).catch((fault: Error) =>
          run.report.found('I12', fault.message),
        )
        run.report.fault()
        run.report.took(`ready after a cut from ${cutFrom.join(' and ')}`, performance.now() - began)
        await until(`acts after ${what}`, () => people.count() > before + 10)
        if (impossible) testBed.faultEnds()
        run.report.checked('I12', 2, endedOf(two, what))
      })
    },
    async (nth, common) => {
      redis ??= await redisOf(common)
      const database = await openNetwork(common.cluster.port, run.random.of(`database ${nth}`))
      const shared = await openNetwork(redis.port, run.random.of(`redis ${nth}`))
      for (const network of [database, shared]) common.closing.defer(() => network.close())
      waysOf[nth] = { database, redis: shared }
      const through = new URL(common.cluster.url)
      through.port = String(database.port)
      return { env: { DATABASE_URL: through.href, REDIS_URL: `redis://127.0.0.1:${shared.port}` } }
    },
  )
}

const areReady = async (two: Two): Promise<boolean> => {
  const replies = await Promise.all(
    two.map(({ url }) => fetch(`${url}/readyz`, { signal: AbortSignal.timeout(5000) }).catch(() => undefined)),
  )
  return replies.every(reply => reply?.status === 200)
}

export const partitions: Part[] = [
  {
    name: 'redis-broken',
    promise: 'Redis is killed, paused and emptied under two processes, and no request fails',
    of: 'times',
    slice: 3,
    full: 300,
    lacks: lacksRedis,
    run: breakRedis,
  },
  {
    name: 'partitions',
    promise: 'one of two processes is cut from database and Redis without a word, and the cut heals',
    of: 'cuts',
    slice: 3,
    full: 300,
    lacks: lacksRedis,
    run: partition,
  },
]
