import { connect, type Socket } from 'node:net'
import { Void } from './figures.ts'
import { quantile } from './statistics.ts'

/*
 * The load generator shares two cores with what it measures, so it does next to nothing: requests are bytes made
 * beforehand, and of a reply it reads the status and the length. Against a bare server it takes 13 µs of CPU a request,
 * most of it the kernel's, where wrk takes 10 and autocannon 17.
 */

export type Drive = {
  /** The next request to send; null ends that connection's part, and the load when all have ended. */
  next(): Buffer | null
  /** What counts as success; by default 200 and 201. */
  expects?(status: number): boolean
}
export type Load = Drive & {
  port: number
  connections: number
  /**
   * Never sleeps: to wake the generator for each reply costs a server 20 µs a write, but only one that is too slow to keep
   * the generator awake by itself. For servers that do not need the core, which is those without a database.
   */
  restless?: boolean
}

export type Loaded = { operations: number; seconds: number; p50: number; p99: number }

/** Keeps every connection busy with one request at a time for so many seconds. Throws Void at the first failure. */
export const load = async ({ port, connections, restless, ...given }: Load, seconds: number): Promise<Loaded> => {
  const lines = await openLines(port, connections)
  const rest = restless ? stayAwake() : () => {}
  try {
    return await drive(lines, given, seconds)
  } finally {
    rest()
    for (const line of lines) line.close()
  }
}

const stayAwake = () => {
  let turn = setImmediate(function again() {
    turn = setImmediate(again)
  })
  return () => clearImmediate(turn)
}

export const openLines = (port: number, connections: number): Promise<Line[]> =>
  Promise.all(Array.from({ length: connections }, () => openLine(port)))

/** The same on connections that are open already, and stay so. */
export const drive = async (
  lines: readonly Line[],
  { next, expects = isDone }: Drive,
  seconds: number,
): Promise<Loaded> => {
  const latencies: number[] = []
  const startedAt = performance.now()
  const endsAt = startedAt + seconds * 1000
  const keepBusy = (line: Line) =>
    new Promise<void>((resolve, reject) => {
      let sentAt = 0
      const send = () => {
        const request = performance.now() < endsAt ? next() : null
        if (!request) return resolve()
        sentAt = performance.now()
        line.send(request)
      }
      line.failed = reject
      line.answered = (status, start) => {
        if (!expects(status)) return reject(new Void(`was answered ${status}: ${start.split('\r\n\r\n')[1]}`))
        latencies.push(performance.now() - sentAt)
        send()
      }
      send()
    })
  await Promise.all(lines.map(keepBusy))
  const took = (performance.now() - startedAt) / 1000
  return { operations: latencies.length, seconds: took, p50: quantile(latencies, 0.5), p99: quantile(latencies, 0.99) }
}

const isDone = (status: number) => status === 200 || status === 201

export type Line = {
  send(request: Buffer): void
  close(): void
  answered(status: number, start: string): void
  failed(reason: Error): void
}

/** A connection that carries one request at a time; replies state their length, as the API's all do. */
const openLine = async (port: number): Promise<Line> => {
  const socket = await connected(port)
  let bytesLeft = 0
  let status = 0
  let start = ''
  const line: Line = {
    send: request => void socket.write(request),
    close: () => void socket.destroy(),
    answered: () => {},
    failed: () => {},
  }
  socket.on('data', chunk => {
    if (bytesLeft > 0) bytesLeft -= chunk.length
    else {
      const before = start.length
      start += chunk.toString('latin1', 0, Math.min(chunk.length, 2048))
      const end = start.indexOf('\r\n\r\n') - before
      if (end + before < 0) return
      status = Number(start.slice(9, 12))
      const length = /content-length: (\d+)/i.exec(start)
      if (!length) return line.failed(new Void('a reply does not state its length'))
      bytesLeft = Number(length[1]) - (chunk.length - end - 4)
    }
    if (bytesLeft > 0) return
    const ended = start
    start = ''
    line.answered(status, ended)
  })
  socket.on('error', fault => line.failed(new Void(`the connection broke: ${fault.message}`)))
  socket.on('close', () => line.failed(new Void('the connection was closed')))
  return line
}

const connected = (port: number): Promise<Socket> =>
  new Promise((resolve, reject) => {
    const socket = connect({ port, host: '127.0.0.1', noDelay: true })
    socket.once('connect', () => resolve(socket.off('error', reject))).once('error', reject)
  })
