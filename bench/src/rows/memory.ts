import { setTimeout as sleep } from 'node:timers/promises'
import type { Side } from '../figures.ts'
import type { RowGroup } from '../fixture.ts'
import { goalOf } from '../goals.ts'
import { load } from '../load.ts'
import { albumPage, chatPage, membersOf, messageTo } from '../people.ts'
import { residentMemoryOf } from '../processes.ts'
import { startService } from '../service.ts'
import { oneOf, slopeOf } from '../statistics.ts'

const restMs = 2000
const idleMs = 60_000

/** The second start, database included, and the idle memory of the server process. */
export const starts: RowGroup = {
  ids: ['start', 'memory'],
  async *duels({ scratch }) {
    const dataDir = `${scratch}/starts`
    await (await startService(dataDir, { launched: true })).stop()
    const ours: Side = {
      async run() {
        const service = await startService(dataDir, { launched: true })
        await sleep(restMs)
        const memory = residentMemoryOf(service.server)
        await service.stop()
        return { time: service.startedInMs / 1000, memory }
      },
    }
    yield { goals: [goalOf('start'), goalOf('memory')], ours }
  },
}

/** Half an hour of reads and sends on a service of its own. */
export const endurance: RowGroup = {
  ids: ['endurance', 'endurance.slope'],
  onlyWhenNamed: true,
  async *duels({ large, scratch, random, quick }) {
    const { databaseUrl } = large.service
    const service = await startService(`${scratch}/endurance`, { beside: large.service, databaseUrl })
    const members = await membersOf(large.db, { from: 2, to: large.size.events }, 1)
    const [minutes, seconds] = quick ? [4, 1] : [30, 60]
    const next = () => {
      const { event, token } = oneOf(members, random)
      const die = random()
      if (die < 0.5) return chatPage(event, token)
      if (die < 0.7) return albumPage(event, token)
      return die < 0.9 ? { path: '/api/account', token } : messageTo(event, token)
    }
    const atStart = residentMemoryOf(service.server)
    const ours: Side = {
      warm: async () => {},
      async run() {
        const memories: number[] = []
        for (let minute = 0; minute < minutes; minute++) {
          // Eight concurrent requests keep two cores some 60 % busy.
          await load({ port: service.port, connections: 8, next }, seconds)
          memories.push(residentMemoryOf(service.server))
        }
        await sleep(quick ? restMs : idleMs)
        const multiple = residentMemoryOf(service.server) / atStart
        return { multiple, slope: slopeOf(memories.slice(-Math.ceil(minutes / 1.5))) }
      },
    }
    yield { goals: [goalOf('endurance'), goalOf('endurance.slope')], rounds: 1, ours, end: service.stop }
  },
}
