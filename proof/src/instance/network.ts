import { once } from 'node:events'
import { connect, createServer, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Random } from '../random.ts'
import { onTestBed, type Run, type TestBed } from '../test-bed.ts'

/** What happens to what passes; each is drawn for itself. */
export type Weather = {
  /** Of replies, as many arrive at the service's end and never here: the connection is cut with the first byte. */
  losesReplies?: number
  /** Of connections, as many are cut after some bytes. */
  cuts?: number
  /** Of chunks, as many come late, as what was lost and sent again does. */
  losesPackets?: number
  /** Bytes of the pieces that everything is torn into. */
  slice?: number
}

/** A network in front of a port, which breaks as it is told. */
export type Network = {
  url: string
  port: number
  weather(now: Weather): void
  /**
   * From now on nothing passes, and nobody is told: what is open stays open. The far end gives its side up after so many
   * milliseconds, as keepalives without an answer make it; without a number it never does.
   */
  silence(farGivesUpMs?: number): void
  /** What comes from now on passes; what was silenced stays so for ever. */
  goOn(): void
  /** Every connection ends at once. */
  cut(): void
  losses(): number
  close(): Promise<void>
}

export const openNetwork = async (to: number, random: Random): Promise<Network> => {
  const open = new Set<Socket>()
  const fars = new Set<Socket>()
  const givenUp = new WeakSet<Socket>()
  const giveUp = (sockets: readonly Socket[]) => {
    for (const socket of sockets) {
      givenUp.add(socket)
      socket.destroy()
    }
  }
  let now: Weather = {}
  let silent = false
  let losses = 0
  const server = createServer(near => {
    const far = connect(to, '127.0.0.1')
    for (const [socket, other] of [
      [near, far],
      [far, near],
    ] as const) {
      open.add(socket)
      socket.on('error', () => {})
      socket.on('close', () => {
        open.delete(socket)
        if (!silent && !givenUp.has(socket)) other.destroy()
      })
    }
    fars.add(far.once('close', () => fars.delete(far)))
    if (silent) return void near.pause()
    const lose = () => {
      losses += 1
      near.destroy()
      far.destroy()
    }
    const endsAfter = random.chance(now.cuts ?? 0) ? random.whole(1, 60_000) : Number.POSITIVE_INFINITY
    let passed = 0
    let asked = false
    const pass = (from: Socket, into: Socket, isReply: boolean) => {
      let line = Promise.resolve()
      from.on('data', (chunk: Buffer) => {
        passed += chunk.length
        if (passed > endsAfter) return lose()
        // One reply, and not every piece of it, has its chance to be lost.
        if (isReply && asked && !chunk.subarray(0, 12).includes('101') && random.chance(now.losesReplies ?? 0))
          return lose()
        asked = !isReply
        from.pause()
        line = line.then(async () => {
          if (random.chance(now.losesPackets ?? 0)) await sleep(random.whole(200, 600))
          await write(into, chunk, now.slice)
          if (!silent) from.resume()
        })
      })
      from.on('end', () => void line.then(() => into.end()))
    }
    pass(near, far, false)
    pass(far, near, true)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as { port: number }
  const cut = () => {
    for (const socket of open) socket.destroy()
  }
  return {
    url: `http://127.0.0.1:${port}`,
    port,
    weather(next) {
      now = next
    },
    silence(farGivesUpMs) {
      silent = true
      for (const socket of open) socket.pause()
      if (farGivesUpMs) setTimeout(giveUp, farGivesUpMs, [...fars]).unref()
    },
    goOn() {
      silent = false
    },
    cut,
    losses: () => losses,
    async close() {
      cut()
      server.close()
      await once(server, 'close')
    },
  }
}

/** An instance whose people come through a network of this kind. */
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

/** A large body in pieces of three bytes would take for ever and show nothing that its beginning does not. */
const tornBytesMax = 3000
const slicesOf = (chunk: Buffer, bytes: number): Buffer[] => {
  const pieces: Buffer[] = []
  let at = 0
  for (; at < Math.min(chunk.length, tornBytesMax); at += bytes) pieces.push(chunk.subarray(at, at + bytes))
  return [...pieces, chunk.subarray(at)].filter(({ length }) => length > 0)
}
