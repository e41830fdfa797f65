import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, test } from 'vitest'
import { whenDone } from '../../server/test/when-done.ts'
import { Void } from './figures.ts'
import { load } from './load.ts'

const serve = async (answer: RequestListener): Promise<number> => {
  const server = createServer(answer).listen(0, '127.0.0.1')
  await new Promise(listening => server.once('listening', listening))
  whenDone(() => {
    server.closeAllConnections()
    server.close()
  })
  return (server.address() as AddressInfo).port
}
const next = () => ({ path: '/things', token: 'abc' })

test('the load counts answered requests and asks as a browser does', async () => {
  let answered = 0
  const sockets = new Set<unknown>()
  const port = await serve((request, reply) => {
    answered += 1
    sockets.add(request.socket)
    expect(request.headers).toMatchObject({ authorization: 'Bearer abc', 'accept-encoding': 'br' })
    reply.end('x'.repeat(answered % 10_000))
  })
  const loaded = await load({ port, connections: 4, next }, 1)
  expect(loaded.operations).toBeGreaterThan(4)
  expect(loaded.operations).toBeGreaterThanOrEqual(answered - 4)
  expect(loaded.operations).toBeLessThanOrEqual(answered)
  expect(sockets.size).toBe(4)
  expect(loaded.p99).toBeGreaterThanOrEqual(loaded.p50)
})

test('the load ends after the amount it was given', async () => {
  const port = await serve((_, reply) => reply.end('{}'))
  expect((await load({ port, connections: 2, next, amount: 6 }, 5)).operations).toBe(6)
})

test.each([400, 401, 429, 500])('a single %i response voids the load', async status => {
  let answered = 0
  const port = await serve((_, reply) => {
    answered += 1
    reply.statusCode = answered === 10 ? status : 200
    reply.end('{"message":"no"}')
  })
  await expect(load({ port, connections: 2, next }, 5)).rejects.toThrow(`answered ${status}`)
})

test('a broken connection voids the load', async () => {
  const port = await serve(request => request.socket.destroy())
  await expect(load({ port, connections: 2, next }, 1)).rejects.toThrow(Void)
})
