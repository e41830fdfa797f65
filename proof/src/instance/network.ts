import { once } from 'node:events'
import { connect, createServer, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Random } from '../random.ts'
import { onTestBed, type Run, type TestBed } from '../test-bed.ts'

/** Probabilities of network faults, each drawn independently. */
export type NetworkFaults = {
  /** Share of replies that are lost after the service has sent them: the connection is cut at the first byte. */
  losesReplies?: number
  /** Share of connections that are cut after some bytes. */
  cuts?: number
  /** Share of chunks that arrive late, like lost and retransmitted packets. */
  losesPackets?: number
  /** Every chunk is split into pieces of this many bytes. */
  slice?: number
}

/** A network in front of a port, with faults on demand. */
export type Network = {
  url: string
  port: number
  weather(now: NetworkFaults): void
  /**
   * From now on nothing passes and no connection is closed. The far end gives up after this many milliseconds, like
   * keepalives without an answer; without a number it never does.
   */
  silence(farGivesUpMs?: number): void
  /** New data passes again; silenced connections stay silent for ever. */
  goOn(): void
  cut(): void
  losses(): number
  close(): Promise<void>
}

export const openNetwork = async (to: number, random: Random): Promise<Network> => {
  const state: State = {
    weather: {},
    silent: false,
    losses: 0,
    open: new Set(),
    fars: new Set(),
    givenUp: new WeakSet(),
  }
  const server = createServer(near => carry(near, connect(to, '127.0.0.1'), state, random))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as { port: number }
  const cut = () => {
    for (const socket of state.open) socket.destroy()
  }
  return {
    url: `http://127.0.0.1:${port}`,
    port,
    weather(next) {
      state.weather = next
    },
    silence(farGivesUpMs) {
      state.silent = true
      for (const socket of state.open) socket.pause()
      if (farGivesUpMs) setTimeout(giveUp, farGivesUpMs, [...state.fars], state).unref()
    },
    goOn() {
      state.silent = false
    },
    cut,
    losses: () => state.losses,
    async close() {
      cut()
      server.close()
      await once(server, 'close')
    },
  }
}

/** State shared by all connections of a network. */
type State = {
  weather: NetworkFaults
  silent: boolean
  losses: number
  open: Set<Socket>
  fars: Set<Socket>
  givenUp: WeakSet<Socket>
}

const giveUp = (sockets: readonly Socket[], { givenUp }: State) => {
  for (const socket of sockets) {
    givenUp.add(socket)
    socket.destroy()
  }
}

const carry = (near: Socket, far: Socket, state: State, random: Random) => {
  endsWithOther(near, far, state)
  endsWithOther(far, near, state)
  state.fars.add(far.once('close', () => state.fars.delete(far)))
  if (state.silent) return void near.pause()
  const connection = new Connection(near, far, state, random)
  connection.pass(near, far, false)
  connection.pass(far, near, true)
}

const endsWithOther = (socket: Socket, other: Socket, state: State) => {
  state.open.add(socket)
  socket.on('error', () => {})
  socket.on('close', () => {
    state.open.delete(socket)
    if (!state.silent && !state.givenUp.has(socket)) other.destroy()
  })
}

class Connection {
  readonly #near: Socket
  readonly #far: Socket
  readonly #state: State
  readonly #random: Random
  readonly #endsAfter: number
  #passed = 0
  #asked = false

  constructor(near: Socket, far: Socket, state: State, random: Random) {
    this.#near = near
    this.#far = far
    this.#state = state
    this.#random = random
    this.#endsAfter = random.chance(state.weather.cuts ?? 0) ? random.whole(1, 60_000) : Number.POSITIVE_INFINITY
  }

  pass(from: Socket, into: Socket, isReply: boolean) {
    let line = Promise.resolve()
    from.on('data', (chunk: Buffer) => {
      this.#passed += chunk.length
      if (this.#passed > this.#endsAfter || this.#losesReply(chunk, isReply)) return this.#lose()
      this.#asked = !isReply
      from.pause()
      line = line.then(async () => {
        if (this.#random.chance(this.#state.weather.losesPackets ?? 0)) await sleep(this.#random.whole(200, 600))
        await write(into, chunk, this.#state.weather.slice)
        if (!this.#state.silent) from.resume()
      })
    })
    from.on('end', () => void line.then(() => into.end()))
  }

  /** Loss is drawn once per reply, not per chunk. */
  #losesReply(chunk: Buffer, isReply: boolean) {
    const begins = isReply && this.#asked && !chunk.subarray(0, 12).includes('101')
    return begins && this.#random.chance(this.#state.weather.losesReplies ?? 0)
  }

  #lose() {
    this.#state.losses += 1
    this.#near.destroy()
    this.#far.destroy()
  }
}

/** Opens an instance whose people connect through such a network. */
export const onNetwork = async (
  run: Run,
  work: (testBed: TestBed, network: Network) => Promise<void>,
): Promise<void> => {
  let network: Network
  await onTestBed(run, testBed => work(testBed, network), {
    async before({ port }) {
      network = await openNetwork(port, run.random.of('network'))
      return network
    },
  })
}

const write = async (into: Socket, chunk: Buffer, slice: number | undefined) => {
  for (const piece of slice ? slicesOf(chunk, slice) : [chunk]) {
    if (into.destroyed) return
    if (!into.write(piece)) await Promise.race([once(into, 'drain'), once(into, 'close')]).catch(() => {})
    else if (slice) await new Promise(resolve => setImmediate(resolve))
  }
}

/** Splitting a large body into pieces of three bytes would take for ever and prove nothing more than its beginning. */
const tornBytesMax = 3000
const slicesOf = (chunk: Buffer, bytes: number): Buffer[] => {
  const pieces: Buffer[] = []
  let at = 0
  for (; at < Math.min(chunk.length, tornBytesMax); at += bytes) pieces.push(chunk.subarray(at, at + bytes))
  return [...pieces, chunk.subarray(at)].filter(({ length }) => length > 0)
}
