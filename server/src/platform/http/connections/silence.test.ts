import { type AddressInfo, connect } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import Fastify from 'fastify'
import { afterAll, expect, test } from 'vitest'
import { closed } from '../../../../test/closed.ts'
import { allowOurSilence } from './silence.ts'

const connectionTimeout = 300
const server = Fastify({ connectionTimeout, keepAliveTimeout: connectionTimeout })
allowOurSilence(server)
server.post('/slow', async () => {
  await sleep(4 * connectionTimeout)
  return 'answered'
})
await server.listen({ host: '127.0.0.1', port: 0 })
const { port } = server.server.address() as AddressInfo
afterAll(() => server.close())

const ended = async (bytes: string) => {
  const socket = connect(port, '127.0.0.1', () => socket.write(bytes))
  let said = ''
  socket.on('data', chunk => {
    said += chunk
  })
  await closed(socket)
  return said
}
const post = (length: number, body: string) =>
  `POST /slow HTTP/1.1\r\nHost: x\r\nContent-Type: text/plain\r\nContent-Length: ${length}\r\n\r\n${body}`

test('a client is answered however long the answer takes, and disconnected when silent afterwards', async () => {
  expect(await ended(post(4, 'word'))).toMatch(/^HTTP\/1\.1 200 [\s\S]*answered$/)
})

test('a client that falls silent within a request is cut off', async () => {
  expect(await ended(post(8, 'word'))).toBe('')
})

test('a client that never sends a request is cut off', async () => {
  expect(await ended('')).toBe('')
})
