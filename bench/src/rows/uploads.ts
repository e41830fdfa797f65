import { spawnSync } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { httpSide, startCeilingWorker } from '../ceiling.ts'
import type { Duel, Goal, Side } from '../figures.ts'
import { load } from '../http-load.ts'
import { form, formType, httpRequest } from '../http-request.ts'
import { membersOf } from '../members.ts'
import { openPhotos } from '../photo.ts'
import { busyThreadsOf, residentMemoryOf, takeCensus, treeOf } from '../processes.ts'
import type { RowGroup } from '../row-group.ts'
import { startService } from '../service.ts'
import type { Instance, Stage } from '../stage.ts'
import { oneOf } from '../statistics.ts'

/** Photos of 12 megapixels: how many get through, and what eight at once hold. */
export const uploads: RowGroup = {
  ids: ['P22', 'P25', 'P25.threads', 'P25.50'],
  async *duels(stage) {
    yield await throughput(stage)
    yield await memory(stage, inFlight)
    yield await memory(stage, many)
  },
}

/**
 * Drops the phone sizes that are due for what was uploaded: they are made when nobody waits for a picture, which is when
 * the other side is measured.
 */
export const dropSpareWork = ({ db }: Pick<Instance, 'db'>) =>
  db.query(`delete from jobs where task = 'makeMedium' and held_by is null`)

/** A side that uploads. */
export const withoutSpareWork = (side: Side, instance: Pick<Instance, 'db'>): Side => ({
  ...side,
  run: seconds => side.run(seconds).finally(() => dropSpareWork(instance)),
})

/** Uploads of photos that the service has not seen. */
export const uploadsOf =
  ({ random }: Pick<Stage, 'random'>) =>
  async ({ db }: Instance): Promise<() => Buffer> => {
    const photos = await openPhotos()
    const members = await membersOf(db, { from: 2, to: 60 }, 4)
    return () => {
      const { event, token } = oneOf(members, random)
      const body = form({ event_id: event }, { field: 'image', jpeg: photos.unseen() })
      return httpRequest('POST', '/api/gallery/upload', { token, type: formType, body })
    }
  }

const throughput = async (stage: Stage): Promise<Duel> => {
  const { service } = stage.large
  mkdirSync(stage.scratch, { recursive: true })
  const photo = join(stage.scratch, 'photo.jpg')
  writeFileSync(photo, (await openPhotos()).original)
  const bare = await startCeilingWorker('thumbnails', { photo }, { postgres: service.postgres, countsItself: true })
  const tool =
    spawnSync('vipsthumbnail', ['--vips-version']).status === 0 ? 'vipsthumbnail twice' : 'sharp, two pipelines'
  return {
    goals: [
      {
        id: 'P22',
        work: 'photo of 12 megapixels → 200 with 2048 and 640 px',
        ceiling: `${tool}, two jobs`,
        figure: 'rate',
        floor: 1.35,
        aim: 1.5,
        cpuDecides: true,
      },
    ],
    ceiling: bare.side,
    ours: withoutSpareWork(
      httpSide({ port: service.port, connections: 2, next: await uploadsOf(stage)(stage.large) }, service),
      stage.large,
    ),
    end: bare.stop,
  }
}

const inFlight = 8
const many = 50
const sampleMs = 20
/** As sharp and libvips name theirs; the others of a decoder are V8's. */
const imageThread = /libuv|vips/

const memory = async (stage: Stage, connections: number): Promise<Duel> => {
  // A service that has done nothing else: what the one under test has kept of its messages is another row's matter.
  const { databaseUrl } = stage.large.service
  const service = await startService(join(stage.scratch, `uploads-${connections}`), {
    beside: stage.large.service,
    databaseUrl,
  })
  const next = await uploadsOf(stage)(stage.large)
  const ours: Side = {
    async run(seconds) {
      let [memory, threads] = [0, 0]
      const sampling = setInterval(() => {
        const pids = treeOf(service.server, takeCensus(), [service.postgres])
        memory = Math.max(memory, residentMemoryOf(pids))
        const decoders = pids.filter(pid => pid !== service.server)
        threads = Math.max(
          threads,
          decoders.reduce((sum, pid) => sum + busyThreadsOf(pid, imageThread), 0),
        )
      }, sampleMs)
      await load({ port: service.port, connections, next }, Math.max(seconds, 2)).finally(() => clearInterval(sampling))
      return { memory, threads }
    },
  }
  const held: Goal = {
    id: connections === inFlight ? 'P25' : `P25.${connections}`,
    work: `memory, server and decoders, with ${connections} such uploads in flight`,
    ceiling: null,
    figure: 'memory',
    ...(connections === inFlight && { floor: 400, aim: 300 }),
  }
  const threads: Goal = {
    id: 'P25.threads',
    work: 'image threads meanwhile',
    ceiling: null,
    figure: 'threads',
    floor: 2 * availableParallelism(),
  }
  return {
    goals: connections === inFlight ? [held, threads] : [held],
    ceiling: null,
    ours: withoutSpareWork(ours, stage.large),
    end: service.stop,
  }
}
