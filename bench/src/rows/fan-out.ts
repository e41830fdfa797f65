import { setTimeout as sleep } from 'node:timers/promises'
import { startCeilingServer } from '../ceiling.ts'
import type { Duel, Side, Slice } from '../figures.ts'
import { collectGarbage } from '../garbage.ts'
import { openLines } from '../http-load.ts'
import { type Listeners, openListeners } from '../listeners.ts'
import { type Metered, meter } from '../meter.ts'
import { residentMemoryOf } from '../processes.ts'
import { ask, openRoom, sendTo, tokensOf } from '../room.ts'
import type { RowGroup } from '../row-group.ts'
import { startService } from '../service.ts'
import type { Stage } from '../stage.ts'
import { quantile } from '../statistics.ts'

const rooms = [500, 1000, 5000]
const window = 4
const awaits = '42["message.created"'

/** Messages to many listeners, from the POST to the last socket; how late one is told; what an idle socket holds. */
export const fanOut: RowGroup = {
  ids: [
    ...rooms.flatMap(size => [`P13.${size}`, `P14.${size}`]),
    'P13.socket-io',
    'P13.latency',
    'P13.latency-p99',
    'P19',
  ],
  async *duels(stage) {
    for (const size of rooms) yield* broadcast(stage, size)
    yield await latency(stage)
    yield await idleSockets(stage)
  },
}

/**
 * Nothing rings, as in a chat that everybody has muted: the row is about the channel, P31 and P32 are about pushes. In the
 * smallest room a plain Socket.IO is raced as well, which tells what is the library's.
 */
async function* broadcast({ large: { service, db } }: Stage, size: number): AsyncGenerator<Duel> {
  const room = await openRoom(service, db, { guests: size, muted: true })
  const listeners = await openListeners({ port: service.port, tokens: room.guests, awaits })
  const request = sendTo(room)
  const lines = await openLines(service.port, window)
  const send = () => Promise.all(lines.map(line => ask(line, request)))
  await Promise.all([send(), listeners.hear(window)])
  const text = listeners.sample()
  const work = `message to ${size} listeners, ${window} at once, stored and heard`
  const against = async (name: 'broadcast' | 'socket-io', goals: Duel['goals']): Promise<Duel> => {
    const ceiling = await startCeilingServer(name, { window: String(window), text })
    const greeted = name === 'socket-io'
    const strangers = await openListeners({ port: ceiling.port, tokens: room.guests, awaits, greeted })
    return {
      goals,
      ceiling: turns(strangers, size, { ...service, server: ceiling.server }, async () => ceiling.tell('send')),
      ours: turns(listeners, size, service, send),
      async end() {
        await strangers.close()
        await ceiling.stop()
      },
    }
  }

  const bare = `bare ws sending the same ${Buffer.byteLength(text)} bytes`
  yield await against('broadcast', [
    { id: `P13.${size}`, work, ceiling: bare, figure: 'rate', floor: 2, aim: 3, cpuDecides: true },
    { id: `P14.${size}`, work: 'CPU a delivery', ceiling: bare, figure: 'cpu', floor: 0.5, aim: 0.35 },
  ])
  const plain = 'plain Socket.IO sending the same'
  if (size === rooms[0])
    yield await against('socket-io', [{ id: 'P13.socket-io', work, ceiling: plain, figure: 'rate', cpuDecides: true }])
  for (const line of lines) line.close()
  await listeners.close()
}

/** One turn after the other: the next begins when everybody has heard the last. An operation is one delivery. */
const turns = (listeners: Listeners, size: number, metered: Metered, send: () => Promise<unknown>): Side => ({
  async run(seconds): Promise<Slice> {
    const spent = meter(metered)
    const began = performance.now()
    const took: number[] = []
    while (performance.now() - began < seconds * 1000) {
      const sentAt = performance.now()
      await Promise.all([listeners.hear(window), send()])
      took.push(performance.now() - sentAt)
    }
    const deliveries = took.length * window * size
    const rate = deliveries / ((performance.now() - began) / 1000)
    return { rate, p50: quantile(took, 0.5), p99: quantile(took, 0.99), ...spent(deliveries) }
  },
})

/** The reply says that a message is committed; the socket of another member hears it so much later. */
const latency = async ({ large: { service, db } }: Stage): Promise<Duel> => {
  const room = await openRoom(service, db, { guests: 1, muted: true })
  const listeners = await openListeners({ port: service.port, tokens: room.guests, awaits })
  const [line] = await openLines(service.port, 1)
  const request = sendTo(room)
  const ours: Side = {
    async run(seconds) {
      const late: number[] = []
      for (const began = performance.now(); performance.now() - began < seconds * 1000; ) {
        const heard = listeners.hear(1).then(() => performance.now())
        if (line) await ask(line, request)
        const replied = performance.now()
        late.push(Math.max(0, (await heard) - replied))
      }
      return { p50: quantile(late, 0.5), p99: quantile(late, 0.99) }
    },
  }
  const work = 'from the reply to a send to the socket of another member'
  return {
    goals: [
      { id: 'P13.latency', work: `${work}, p50`, ceiling: null, figure: 'p50' },
      { id: 'P13.latency-p99', work: `${work}, p99`, ceiling: null, figure: 'p99' },
    ],
    ceiling: null,
    ours,
    async end() {
      line?.close()
      await listeners.close()
    },
  }
}

const crowd = 5000
const few = 100
const settleMs = 1500

type Holding = { server: number; logFile: string; port: number; stop(): Promise<void> }

/**
 * Of a service that has done nothing else, and of a `ws` that knows nobody; both new in every round. One that held them
 * before keeps what they took and gives it to the next, so that its growth says little of what a socket costs. Some come
 * and go first, for what is made once.
 */
const idleSockets = async ({ large, scratch }: Stage): Promise<Duel> => {
  const { databaseUrl } = large.service
  const tokens = await tokensOf(large.db, crowd)
  const held = (start: () => Promise<Holding>, greeted: boolean): Side => {
    const settled = async (server: Holding) => {
      await sleep(settleMs)
      await collectGarbage(server)
      return residentMemoryOf([server.server])
    }
    const open = ({ port }: Holding, people: readonly string[]) =>
      openListeners({ port, tokens: people, awaits, greeted })
    return {
      async run() {
        const server = await start()
        await (await open(server, tokens.slice(0, few))).close()
        const before = await settled(server)
        const listeners = await open(server, tokens)
        const after = await settled(server)
        await listeners.close()
        await server.stop()
        return { memory: after - before }
      },
      // There is nothing to warm up.
      warm: async () => {},
    }
  }
  return {
    goals: [
      { id: 'P19', work: `memory of ${crowd} idle sockets`, ceiling: 'bare ws', figure: 'memory', floor: 2, aim: 1.25 },
    ],
    rounds: 3,
    ceiling: held(() => startCeilingServer('broadcast'), false),
    ours: held(() => startService(`${scratch}/sockets`, { beside: large.service, databaseUrl }), true),
  }
}
