import { setTimeout as sleep } from 'node:timers/promises'
import { startCeilingServer } from '../ceiling.ts'
import type { Duel, Side, Slice } from '../figures.ts'
import { type Line, openLines } from '../http-load.ts'
import { openListeners } from '../listeners.ts'
import { meter } from '../meter.ts'
import { residentMemoryOf } from '../processes.ts'
import { ask, openRoom, sendTo, tokensOf } from '../room.ts'
import type { RowGroup } from '../row-group.ts'
import type { Stage } from '../stage.ts'
import { median, quantile } from '../statistics.ts'

const awaits = '42["message.created"'

/** Many rooms at once, a whole venue that comes back, and a tenth of a room that has stopped to read. */
export const rooms: RowGroup = {
  ids: ['P15', 'P15.slowest', 'P20', 'P20.socket-io', 'P21', 'P21.growth'],
  async *duels(stage) {
    yield* comingBack(stage)
    yield await slowReaders(stage)
    yield await manyRooms(stage)
  },
}

const roomsMost = 100
const guests = 50

/** Every room gets a message, and the next when all of its own have heard it, whatever the others do. */
const manyRooms = async ({ large: { service, db, size } }: Stage): Promise<Duel> => {
  const number = Math.min(roomsMost, Math.floor(size.users / 1000))
  const filled = []
  for (let n = 0; n < number; n++) {
    const room = await openRoom(service, db, { guests, muted: true, skipping: n * (guests + 1) })
    filled.push({ room, listeners: await openListeners({ port: service.port, tokens: room.guests, awaits }) })
  }
  // A line that waited for all rooms to fill would be closed by then.
  const lines = await openLines(service.port, filled.length)
  const opened = filled.map(({ room, listeners }, at) => ({
    listeners,
    line: lines[at] as Line,
    request: sendTo(room),
  }))
  const [first] = opened as [(typeof opened)[number]]
  await Promise.all([first.listeners.hear(1), ask(first.line, first.request)])
  const bare = await startCeilingServer('broadcast', { window: '1', text: first.listeners.sample() })
  const strangers = await openListeners({
    port: bare.port,
    tokens: Array.from({ length: number * guests }, () => ''),
    awaits,
    greeted: false,
  })
  const ours: Side = {
    async run(seconds): Promise<Slice> {
      const spent = meter(service)
      const began = performance.now()
      const took = await Promise.all(
        opened.map(async ({ listeners, line, request }) => {
          const turns: number[] = []
          while (performance.now() - began < seconds * 1000) {
            const sentAt = performance.now()
            await Promise.all([listeners.hear(1), ask(line, request)])
            turns.push(performance.now() - sentAt)
          }
          return turns
        }),
      )
      const all = took.flat()
      const p50s = took.map(turns => quantile(turns, 0.5))
      const deliveries = all.length * guests
      return {
        rate: deliveries / ((performance.now() - began) / 1000),
        p50: quantile(all, 0.5),
        p99: quantile(all, 0.99),
        slowest: Math.max(...p50s) / median(p50s),
        ...spent(deliveries),
      }
    },
  }
  const ceiling: Side = {
    async run(seconds): Promise<Slice> {
      const spent = meter({ ...service, server: bare.server })
      const began = performance.now()
      const turns: number[] = []
      while (performance.now() - began < seconds * 1000) {
        const sentAt = performance.now()
        bare.tell('send')
        await strangers.hear(1)
        turns.push(performance.now() - sentAt)
      }
      const deliveries = turns.length * number * guests
      return {
        rate: deliveries / ((performance.now() - began) / 1000),
        p50: quantile(turns, 0.5),
        p99: quantile(turns, 0.99),
        ...spent(deliveries),
      }
    },
  }
  return {
    goals: [
      {
        id: 'P15',
        work: `${number} rooms of ${guests}, each a message after the other, stored and heard`,
        ceiling: 'bare ws sending the same to as many sockets',
        figure: 'rate',
        floor: 1.1,
        aim: 1.3,
        cpuDecides: true,
      },
      {
        id: 'P15.slowest',
        work: 'p50 of the slowest of these rooms, as a multiple of the median room’s',
        ceiling: null,
        figure: 'slowest',
        floor: 1.5,
      },
    ],
    ceiling,
    ours,
    async end() {
      for (const { line } of opened) line.close()
      await Promise.all([strangers, ...opened.map(({ listeners }) => listeners)].map(each => each.close()))
      await bare.stop()
    },
  }
}

const crowd = 5000
/** As many as a listening socket of the system holds back for a server that is busy. */
const backlog = 500
/** Until a server has seen them all off: the other side's round must not pay for that. */
const leavingMs = 1000

/**
 * After a restart or a venue's network: from the first connection until everybody is told "ready". A plain Socket.IO
 * that knows nobody tells which part is the library's.
 */
async function* comingBack({ large: { service, db } }: Stage): AsyncGenerator<Duel> {
  const tokens = await tokensOf(db, crowd)
  const coming = (server: { server: number; port: number }, greeted: boolean): Side => ({
    async run() {
      const spent = meter({ ...service, server: server.server })
      const began = performance.now()
      const listeners = await openListeners({ port: server.port, tokens, awaits, greeted, atOnce: backlog })
      const time = (performance.now() - began) / 1000
      const costs = spent(tokens.length)
      await listeners.close()
      await sleep(leavingMs)
      return { time, ...costs }
    },
  })
  const work = `${tokens.length} come back, ${backlog} at a time, until all are told "ready"`
  const bare = await startCeilingServer('broadcast')
  yield {
    goals: [
      {
        id: 'P20',
        work,
        ceiling: 'as many handshakes of a bare ws',
        figure: 'time',
        floor: 2,
        aim: 1.5,
        cpuDecides: true,
      },
    ],
    rounds: 5,
    ceiling: coming(bare, false),
    ours: coming(service, true),
    end: bare.stop,
  }
  const plain = await startCeilingServer('socket-io')
  yield {
    goals: [{ id: 'P20.socket-io', work, ceiling: 'the same by a plain Socket.IO', figure: 'time' }],
    rounds: 3,
    ceiling: coming(plain, true),
    ours: coming(service, true),
    end: plain.stop,
  }
}

const listening = 500

/** The same room with everybody reading, and with a tenth of it that has stopped to. */
const slowReaders = async ({ large: { service, db } }: Stage): Promise<Duel> => {
  const room = await openRoom(service, db, { guests: listening, muted: true })
  const slow = room.guests.slice(0, listening / 10)
  const reading = room.guests.slice(slow.length)
  const listeners = await openListeners({ port: service.port, tokens: reading, awaits })
  const lines = await openLines(service.port, 4)
  const request = sendTo(room)
  const turns = async (seconds: number): Promise<Slice> => {
    const began = performance.now()
    const took: number[] = []
    while (performance.now() - began < seconds * 1000) {
      const sentAt = performance.now()
      await Promise.all([listeners.hear(lines.length), ...lines.map(line => ask(line, request))])
      took.push(performance.now() - sentAt)
    }
    const deliveries = took.length * lines.length * reading.length
    return {
      rate: deliveries / ((performance.now() - began) / 1000),
      p50: quantile(took, 0.5),
      p99: quantile(took, 0.99),
    }
  }
  /** With these beside, who read or do not. */
  const beside = (paused: boolean): Side => ({
    async run(seconds) {
      const others = await openListeners({ port: service.port, tokens: slow, awaits })
      if (paused) others.pause()
      const before = residentMemoryOf([service.server])
      const slice = await turns(seconds)
      const memory = residentMemoryOf([service.server]) - before
      await others.close()
      await sleep(200)
      return { ...slice, memory }
    },
  })
  return {
    goals: [
      {
        id: 'P21',
        work: 'messages to the others while a tenth of a room does not read',
        ceiling: 'while everybody reads',
        figure: 'rate',
        floor: 0.95,
        aim: 1,
      },
      {
        id: 'P21.growth',
        work: 'what the server process grows by meanwhile',
        ceiling: null,
        figure: 'memory',
        floor: 64,
      },
    ],
    ceiling: beside(false),
    ours: beside(true),
    async end() {
      for (const line of lines) line.close()
      await listeners.close()
    },
  }
}
