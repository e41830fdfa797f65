import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { connect } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import Fastify from 'fastify'
import { expect, test } from 'vitest'
import { endIdleConnections } from './closing.ts'

test('a server closes once all who asked are answered, whatever connections are open', async () => {
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
  const asked = fetch(`http://127.0.0.1:${port}/`)
  await once(server.server, 'request')
  const began = performance.now()
  await server.close()
  expect(performance.now() - began).toBeLessThan(10_000)
  expect(await (await asked).text()).toBe('answered')
  silent.destroy()
})
