import { setTimeout as sleep } from 'node:timers/promises'
import type { Side } from '../figures.ts'
import { residentMemoryOf } from '../processes.ts'
import type { RowGroup } from '../row-group.ts'
import { startService } from '../service.ts'

const idleMs = 1500

/** The second start, database included, and what the server process holds when it has nothing to do. */
export const starts: RowGroup = {
  ids: ['P34', 'P35'],
  async *duels({ scratch }) {
    const dataDir = `${scratch}/starts`
    await (await startService(dataDir, { launched: true })).stop()
    const ours: Side = {
      async run() {
        const service = await startService(dataDir, { launched: true })
        await sleep(idleMs)
        const memory = residentMemoryOf([service.server])
        await service.stop()
        return { time: service.startedInMs / 1000, memory }
      },
    }
    yield {
      goals: [
        {
          id: 'P34',
          work: 'second start to first 200, database included',
          ceiling: null,
          figure: 'time',
          floor: 3,
          aim: 1,
        },
        {
          id: 'P35',
          work: 'memory of the server process after start',
          ceiling: null,
          figure: 'memory',
          floor: 140,
          aim: 75,
        },
      ],
      ceiling: null,
      ours,
    }
  },
}
