import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, expect, test } from 'vitest'
import { Void } from './figures.ts'
import { load } from './http-load.ts'
import { httpRequest } from './http-request.ts'

const closing: (() => void)[] = []
afterAll(() => {
  for (const close of closing) close()
})

const serve = async (answer: RequestListener): Promise<number> => {
  const server = createServer(answer).listen(0, '127.0.0.1')
  await new Promise(listening => server.once('listening', listening))
  closing.push(() => {
    server.closeAllConnections()
    server.close()
  })
  return (server.address() as AddressInfo).port
}
const get = httpRequest('GET', '/things', { token: 'abc' })

test('counts as many operations as the server answered, on connections that stay open', async () => {
  let answered = 0
  const sockets = new Set<unknown>()
  const port = await serve((request, reply) => {
    answered += 1
    sockets.add(request.socket)
    expect(request.headers.authorization).toBe('Bearer abc')
    reply.end('x'.repeat(answered % 100_000))
  })
  const loaded = await load({ port, connections: 4, next: () => get }, 0.2)
  expect(loaded.operations).toBe(answered)
  expect(loaded.operations).toBeGreaterThan(10)
  expect(sockets.size).toBe(4)
  expect(loaded.p99).toBeGreaterThanOrEqual(loaded.p50)
})

test('a reply that comes in pieces is one operation', async () => {
  const port = await serve((_request, reply) => {
    reply.setHeader('Content-Length', 200_000)
    reply.write('a'.repeat(100_000))
    setTimeout(() => reply.end('b'.repeat(100_000)), 5)
  })
  const requests = [get, get, get]
  const loaded = await load({ port, connections: 1, next: () => requests.pop() ?? null }, 5)
  expect(loaded.operations).toBe(3)
})

test.each([400, 401, 429, 500])('a single %i ends the load', async status => {
  let answered = 0
  const port = await serve((_request, reply) => {
    answered += 1
    reply.statusCode = answered === 10 ? status : 200
    reply.end('{"message":"no"}')
  })
  await expect(load({ port, connections: 2, next: () => get }, 5)).rejects.toThrow(new RegExp(`answered ${status}`))
})

test('a connection that breaks ends the load', async () => {
  const port = await serve(request => request.socket.destroy())
  await expect(load({ port, connections: 2, next: () => get }, 5)).rejects.toThrow(Void)
})
