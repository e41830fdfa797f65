import { setTimeout as sleep } from 'node:timers/promises'
import { startCeiling } from '../ceiling.ts'
import type { Side } from '../figures.ts'
import type { RowGroup } from '../fixture.ts'
import { goalOf } from '../goals.ts'
import { openListeners } from '../listeners.ts'
import { meter } from '../meter.ts'
import { tokensOf } from '../people.ts'

/** The accept queue that the system keeps for a busy server. */
const backlog = 500
/** Gives a server time to close all sockets, which must not slow down the other side's round. */
const leavingMs = 1000

/** After a restart or a network outage at the venue: from the first connection until everybody has received "ready". */
export const reconnect: RowGroup = {
  ids: ['reconnect'],
  async *duels({ large: { service, db }, quick }) {
    const tokens = await tokensOf(db, quick ? 500 : 5000)
    const coming = (server: { server: number; port: number }, greeted: boolean): Side => ({
      async run() {
        const spent = meter({ ...service, server: server.server })
        const began = performance.now()
        const listeners = await openListeners({ port: server.port, tokens, greeted, atOnce: backlog })
        const time = (performance.now() - began) / 1000
        const costs = spent(tokens.length)
        await listeners.close()
        await sleep(leavingMs)
        return { time, ...costs }
      },
    })
    const bare = await startCeiling('broadcast')
    yield {
      goals: [goalOf('reconnect')],
      rounds: 5,
      ceiling: coming(bare, false),
      ours: coming(service, true),
      end: bare.stop,
    }
  },
}
