import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { connect } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import Fastify from 'fastify'
import { expect, test } from 'vitest'
import { later } from '../../../../test/later.ts'
import { endIdleConnections, openAnswering } from './shutdown.ts'

test('a server closes once all requests are answered, whatever connections are open', async () => {
  const server = Fastify({ connectionTimeout: 30_000 })
  endIdleConnections(server)
  server.get('/', async () => {
    await sleep(300)
    return 'answered'
  })
  await server.listen({ host: '127.0.0.1', port: 0 })
  const { port } = server.server.address() as AddressInfo
  const silent = connect(port, '127.0.0.1')
  await once(silent, 'connect')
  const asked = later(fetch(`http://127.0.0.1:${port}/`))
  await once(server.server, 'request')
  const began = performance.now()
  await server.close()
  expect(performance.now() - began).toBeLessThan(10_000)
  expect(await (await asked).text()).toBe('answered')
  silent.destroy()
})

test('a closing server answers pending requests and serves new ones', async () => {
  const server = Fastify()
  endIdleConnections(server)
  const answering = openAnswering(server)
  let release = () => {}
  const held = new Promise<void>(resolve => {
    release = resolve
  })
  server.get('/slow', () => held.then(() => 'slow'))
  server.get('/', async () => 'quick')
  const url = await server.listen({ host: '127.0.0.1', port: 0 })
  const asked = later(fetch(`${url}/slow`))
  await once(server.server, 'request')
  let finished = false
  const finishing = later(
    answering.finish(60_000).then(() => {
      finished = true
    }),
  )
  expect(await (await fetch(url)).text()).toBe('quick')
  expect(finished).toBe(false)
  release()
  expect(await (await asked).text()).toBe('slow')
  await finishing
  await server.close()
})

test('a request that never ends is cut off', async () => {
  const server = Fastify()
  endIdleConnections(server)
  const answering = openAnswering(server)
  server.get('/', () => new Promise(() => {}))
  const url = await server.listen({ host: '127.0.0.1', port: 0 })
  const asked = fetch(url).catch(() => 'cut')
  await once(server.server, 'request')
  const began = performance.now()
  await answering.finish(100)
  await server.close()
  expect(performance.now() - began).toBeLessThan(10_000)
  expect(await asked).toBe('cut')
})

test('a draining server ends each connection with its next response', async () => {
  const server = Fastify()
  const answering = openAnswering(server)
  server.get('/', async () => 'answered')
  await server.listen({ host: '127.0.0.1', port: 0 })
  const { port } = server.server.address() as AddressInfo
  const socket = connect(port, '127.0.0.1').setEncoding('utf8')
  const ask = async () => {
    socket.write('GET / HTTP/1.1\r\nHost: localhost\r\n\r\n')
    return (await once(socket, 'data'))[0] as string
  }
  expect(await ask()).not.toMatch(/connection: close/i)
  answering.drain()
  const ended = later(once(socket, 'end'))
  expect(await ask()).toMatch(/connection: close/i)
  await ended
  await server.close()
})
