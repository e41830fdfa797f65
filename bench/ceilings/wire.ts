import type { Socket } from 'node:net'
import pg from 'pg'

/*
 * One connection that runs one prepared statement, as near to libpq as Node gets: pg signs in, then its socket is ours,
 * and the messages are bytes. pgbench itself is no faster on the same statement (docs/performance.md).
 */

const sync = Buffer.from([0x53, 0, 0, 0, 4])
const execute = Buffer.from([0x45, 0, 0, 0, 9, 0, 0, 0, 0, 0])

export type Prepared = {
  /** Runs it and waits for its commit; throws PostgreSQL's complaint, or that it gave no row. */
  run(values: readonly string[]): Promise<void>
}

/** Connects, and prepares the statement. */
export const prepareOn = async (url: string, text: string): Promise<Prepared> => {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  const socket = (client as unknown as { connection: { stream: Socket } }).connection.stream
  socket.removeAllListeners('data')
  const asked = exchange(socket)
  await asked(Buffer.concat([message('P', [zeroEnded('send'), zeroEnded(text), Buffer.from([0, 0])]), sync]))
  return {
    async run(values) {
      const { rows } = await asked(Buffer.concat([bind(values), execute, sync]))
      if (rows === 0) throw new Error('the statement gave no row')
    },
  }
}

/** Sends bytes that end with Sync, and reads up to ReadyForQuery. */
const exchange = (socket: Socket) => {
  let waiting: { resolve(got: { rows: number }): void; reject(reason: Error): void } | null = null
  let pending: Buffer = Buffer.alloc(0)
  let rows = 0
  let complaint = ''
  socket.on('data', chunk => {
    pending = pending.length ? Buffer.concat([pending, chunk]) : chunk
    let at = 0
    while (pending.length - at >= 5) {
      const end = at + 1 + pending.readInt32BE(at + 1)
      if (end > pending.length) break
      const kind = pending[at]
      if (kind === 0x44) rows += 1
      else if (kind === 0x45) complaint = pending.toString('utf8', at + 5, end)
      else if (kind === 0x5a) {
        if (complaint) waiting?.reject(new Error(complaint.replaceAll('\0', ' ')))
        else waiting?.resolve({ rows })
      }
      at = end
    }
    pending = pending.subarray(at)
  })
  return (bytes: Buffer) =>
    new Promise<{ rows: number }>((resolve, reject) => {
      waiting = { resolve, reject }
      rows = 0
      complaint = ''
      socket.write(bytes)
    })
}

const bind = (values: readonly string[]) => {
  const parts = values.flatMap(value => {
    const bytes = Buffer.from(value)
    const length = Buffer.alloc(4)
    length.writeInt32BE(bytes.length)
    return [length, bytes]
  })
  const count = Buffer.from([0, 0, values.length >> 8, values.length & 255])
  return message('B', [zeroEnded(''), zeroEnded('send'), count, ...parts, Buffer.from([0, 0])])
}

const message = (kind: string, parts: Buffer[]) => {
  const head = Buffer.alloc(5)
  head.write(kind)
  const content = Buffer.concat(parts)
  head.writeInt32BE(content.length + 4, 1)
  return Buffer.concat([head, content])
}

const zeroEnded = (text: string) => Buffer.from(`${text}\0`)
