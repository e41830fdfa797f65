import { stat } from 'node:fs/promises'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import Fastify from 'fastify'
import { expect, test } from 'vitest'
import { closed } from '../../../../test/closed.ts'
import { whenDone } from '../../../../test/when-done.ts'
import { enforcePace } from './pace.ts'

const opened = async (checkEveryMs: number) => {
  const server = Fastify()
  server.removeAllContentTypeParsers()
  server.addContentTypeParser('*', async (_request: unknown, body: AsyncIterable<Buffer>) => {
    let bytes = 0
    for await (const chunk of body) bytes += chunk.length
    return bytes
  })
  enforcePace(server, checkEveryMs)
  // As when a crowd waits for a connection to the database before anybody's token can be looked up.
  server.addHook('preParsing', async ({ headers }) => {
    if (headers['x-busy']) await sleep(5 * checkEveryMs)
  })
  server.post('/', async ({ body }) => body)
  await server.listen({ host: '127.0.0.1', port: 0 })
  whenDone(() => server.close())
  return (server.server.address() as AddressInfo).port
}
const checkEveryMs = 60
const port = await opened(checkEveryMs)

/** Collects the answer until the connection ends. */
const answerTo = async (head: string, length: number, send: (socket: Socket) => Promise<void>, at = port) => {
  const socket = connect(at, '127.0.0.1')
  let said = ''
  socket.on('data', chunk => {
    said += chunk
  })
  const ended = closed(socket)
  socket.write(
    `POST / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n${head}Content-Type: a/b\r\nContent-Length: ${length}\r\n\r\n`,
  )
  await send(socket)
  await ended
  return said
}
const write = (bytes: number) => async (socket: Socket) => void socket.write('x'.repeat(bytes))

test('a small body that waits for us to read it is answered', async () => {
  expect(await answerTo('X-Busy: 1\r\n', 3_000, write(3_000))).toMatch(/200 OK[\s\S]*3000$/)
})

test('a large body that waits for us to read it is answered', async () => {
  expect(await answerTo('X-Busy: 1\r\n', 5_000_000, write(5_000_000))).toMatch(/200 OK[\s\S]*5000000$/)
})

test('a body that arrived while the process was busy is answered', async () => {
  const seldom = 300
  const busyAfterACheck = async (socket: Socket) => {
    await sleep(1.5 * seldom)
    await stat('.')
    socket.write('x'.repeat(3_000))
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 2 * seldom)
  }
  expect(await answerTo('', 3_000, busyAfterACheck, await opened(seldom))).toMatch(/200 OK[\s\S]*3000$/)
})

test('a body that stops arriving is cut off, whether or not it is being read', async () => {
  expect(await answerTo('', 5_000, write(3_000))).toBe('')
  expect(await answerTo('X-Busy: 1\r\n', 5_000, write(3_000))).toBe('')
})

test('a body that trickles in byte by byte is cut off', async () => {
  const trickle = async (socket: Socket) => {
    for (let sent = 0; sent < 30 && !socket.destroyed; sent += 1) {
      socket.write('x')
      await sleep(checkEveryMs / 4)
    }
  }
  expect(await answerTo('', 5_000, trickle)).toBe('')
})
