import { setTimeout as sleep } from 'node:timers/promises'
import type { Side } from '../figures.ts'
import { collectGarbage } from '../garbage.ts'
import { load } from '../http-load.ts'
import { form, formType, httpRequest } from '../http-request.ts'
import { membersOf } from '../members.ts'
import { residentMemoryOf } from '../processes.ts'
import type { RowGroup } from '../row-group.ts'
import { startService } from '../service.ts'
import { oneOf, slopeOf } from '../statistics.ts'

const minutes = 30
const atEachEnd = 5
const restMs = 2000
const text = 'Half an hour and still dancing'

/** Reads and sends for half an hour, on a service of its own. Only when it is named: `--only P36`. */
export const endurance: RowGroup = {
  ids: ['P36', 'P36.memory', 'P36.slope'],
  onlyWhenNamed: true,
  async *duels({ large, scratch, random }) {
    const { databaseUrl } = large.service
    const service = await startService(`${scratch}/endurance`, { beside: large.service, databaseUrl })
    const members = await membersOf(large.db, { from: 2, to: large.size.events }, 1)
    const next = () => {
      const { event, token } = oneOf(members, random)
      const die = random()
      if (die < 0.5)
        return httpRequest('GET', `/api/message/list?group_chat_id=${event}&page_length=50&page=1`, { token })
      if (die < 0.7) return httpRequest('GET', `/api/gallery/photos/${event}?page_length=50&page=1`, { token })
      if (die < 0.9) return httpRequest('GET', '/api/account', { token })
      const body = form({ group_chat_id: event, message_content: text })
      return httpRequest('POST', '/api/message', { token, type: formType, body })
    }
    const atStart = residentMemoryOf([service.server])
    const ours: Side = {
      warm: async () => {},
      async run() {
        const p99s: number[] = []
        const memories: number[] = []
        for (let minute = 0; minute < minutes; minute++) {
          // Eight at once keep two cores some 60 % busy.
          p99s.push((await load({ port: service.port, connections: 8, next }, 60)).p99)
          memories.push(residentMemoryOf([service.server]))
        }
        const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length
        const late = memories.slice(-20)
        await collectGarbage(service)
        await sleep(restMs)
        return {
          slowest: mean(p99s.slice(-atEachEnd)) / mean(p99s.slice(0, atEachEnd)),
          slope: slopeOf(late),
          held: residentMemoryOf([service.server]) / atStart,
        }
      },
    }
    yield {
      goals: [
        {
          id: 'P36',
          work: `p99 of the last ${atEachEnd} of ${minutes} minutes of mixed load, as a multiple of the first ${atEachEnd}`,
          ceiling: null,
          figure: 'slowest',
          floor: 1.2,
          aim: 1.05,
        },
        {
          id: 'P36.slope',
          work: 'how the server process grows in the last 20 minutes',
          ceiling: null,
          figure: 'slope',
          floor: 1,
          aim: 0,
        },
        {
          id: 'P36.memory',
          work: 'what it holds after a collection, as a multiple of its start',
          ceiling: null,
          figure: 'held',
          floor: 1.5,
        },
      ],
      rounds: 1,
      ceiling: null,
      ours,
      end: service.stop,
    }
  },
}
