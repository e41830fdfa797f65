import { setTimeout as sleep } from 'node:timers/promises'
import { collectGarbage } from '../garbage.ts'
import { residentMemoryOf } from '../processes.ts'
import type { RowGroup } from '../row-group.ts'

const restMs = 2000

/** What the service holds when all other rows have been measured on it, and its garbage is collected. */
export const after: RowGroup = {
  ids: ['P35.after'],
  async *duels({ large: { service }, memoryAtStart }) {
    yield {
      goals: [
        {
          id: 'P35.after',
          work: 'memory of the server process after all of the above',
          ceiling: 'just started',
          figure: 'memory',
          floor: 1.5,
        },
      ],
      rounds: 1,
      ceiling: { warm: async () => {}, run: async () => ({ memory: memoryAtStart }) },
      ours: {
        warm: async () => {},
        async run() {
          await sleep(restMs)
          await collectGarbage(service)
          await sleep(restMs)
          return { memory: residentMemoryOf([service.server]) }
        },
      },
    }
  },
}
