import { setTimeout as sleep } from 'node:timers/promises'
import type { Side } from '../figures.ts'
import type { RowGroup } from '../fixture.ts'
import { load } from '../load.ts'
import { albumPage, chatPage, membersOf, messageTo } from '../people.ts'
import { residentMemoryOf } from '../processes.ts'
import { startService } from '../service.ts'
import { oneOf, slopeOf } from '../statistics.ts'

const restMs = 2000
const idleMs = 60_000

/** The second start, database included, and what the server process holds when it has nothing to do. */
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
    const start = 'second start to first 200, database included'
    const work = 'memory of the server process after start'
    yield {
      goals: [
        { id: 'start', work: start, ceiling: null, figure: 'time', floor: 2.5, aim: 1 },
        { id: 'memory', work, ceiling: null, figure: 'memory', floor: 160, aim: 120 },
      ],
      ceiling: null,
      ours,
    }
  },
}

/** Reads and sends for half an hour, on a service of its own. */
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
          // Eight at once keep two cores some 60 % busy.
          await load({ port: service.port, connections: 8, next }, seconds)
          memories.push(residentMemoryOf(service.server))
        }
        await sleep(quick ? restMs : idleMs)
        const multiple = residentMemoryOf(service.server) / atStart
        return { multiple, slope: slopeOf(memories.slice(-Math.ceil(minutes / 1.5))) }
      },
    }
    const held = `memory after ${minutes} minutes of load and one of rest, as a multiple of the start`
    const slope = 'how the server process grows in their last two thirds'
    yield {
      goals: [
        { id: 'endurance', work: held, ceiling: null, figure: 'multiple', floor: 2, aim: 1.5 },
        { id: 'endurance.slope', work: slope, ceiling: null, figure: 'slope', floor: 1, aim: 0 },
      ],
      rounds: 1,
      ceiling: null,
      ours,
      end: service.stop,
    }
  },
}
