import { once } from 'node:events'
import { type AddressInfo, connect } from 'node:net'
import { Writable } from 'node:stream'
import { pino } from 'pino'
import { expect, test } from 'vitest'
import { later } from '../../../test/later.ts'
import { readConfig } from '../../settings/config.ts'
import { openServer, refuseOtherMethods } from './server.ts'

const open = async (env: Record<string, string> = {}) => {
  const lines: Record<string, unknown>[] = []
  const sink = new Writable({
    write(line, _, done) {
      lines.push(JSON.parse(line))
      done()
    },
  })
  const server = await openServer(readConfig(env), pino({ base: null }, sink))
  const refuseTheRest = refuseOtherMethods(server)
  server.get('/j/:code/qr.svg', async () => 'a picture')
  refuseTheRest(async () => false)
  return { server, lines }
}

test('a request’s log line has its method and pattern, and no secret of its path', async () => {
  const { server, lines } = await open()
  await server.inject({ method: 'GET', url: '/j/secret-of-a-link/qr.svg?token=secret' })
  await server.inject({ method: 'POST', url: '/j/secret-of-a-link/qr.svg' })
  await server.inject({ method: 'POST', url: '/unknown/secret' })
  expect(lines).toMatchObject([
    { msg: 'answered', method: 'GET', path: '/j/:code/qr.svg', status: 200 },
    { msg: 'answered', method: 'POST', path: '/j/:code/qr.svg', status: 405 },
    { msg: 'answered', method: 'POST', status: 404 },
  ])
  expect(JSON.stringify(lines)).not.toContain('secret')
})

test.each([
  ['of a trusted proxy', '127.0.0.1', 'c0ffee-1234.5678:9', true],
  ['of anybody', '', 'c0ffee-1234.5678:9', false],
  ['that is none', '127.0.0.1', 'a line\n{"of":"a log"}', false],
  ['that is too short', '127.0.0.1', '1', false],
  ['that is too long', '127.0.0.1', 'x'.repeat(129), false],
])('a request ID from %s is accepted or replaced', async (_, TRUSTED_PROXIES, name, taken) => {
  const { server, lines } = await open({ TRUSTED_PROXIES })
  await server.inject({ url: '/j/x/qr.svg', headers: { 'x-request-id': name }, remoteAddress: '127.0.0.1' })
  expect(lines[0]?.request === name).toBe(taken)
  expect(lines[0]?.request).toMatch(/^[\w.:-]{8,128}$/)
})

test.each([
  ['where the service is reached by https', { PUBLIC_URL: 'https://party.example' }, {}, 'max-age=31536000'],
  [
    'behind a trusted proxy that is',
    { TRUSTED_PROXIES: '127.0.0.1' },
    { 'x-forwarded-proto': 'https' },
    'max-age=31536000',
  ],
  ['by http not', {}, {}, undefined],
  ['by http not, whatever a stranger says', {}, { 'x-forwarded-proto': 'https' }, undefined],
])('browsers are told to use https only, %s', async (_, env, headers, told) => {
  const { server } = await open(env)
  const reply = await server.inject({ url: '/j/x/qr.svg', headers, remoteAddress: '127.0.0.1' })
  expect(reply.headers['strict-transport-security']).toBe(told)
})

test('a request that arrives while the server closes is served', async () => {
  const { server } = await open()
  let release = () => {}
  const held = new Promise<void>(resolve => {
    release = resolve
  })
  server.get('/slow', () => held.then(() => 'slow'))
  const begun = new Promise(resolve => server.addHook('preClose', async () => resolve(true)))
  await server.listen({ host: '127.0.0.1', port: 0 })
  const socket = connect((server.server.address() as AddressInfo).port, '127.0.0.1').setEncoding('utf8')
  const ask = (path: string) => {
    socket.write(`GET ${path} HTTP/1.1\r\nHost: localhost\r\n\r\n`)
    return once(server.server, 'request')
  }
  let received = ''
  socket.on('data', data => {
    received += data
  })
  await ask('/slow')
  const closing = later(server.close())
  await begun
  await ask('/j/x/qr.svg')
  const ended = once(socket, 'end')
  release()
  await ended
  expect(received.match(/HTTP\/1.1 \d+/g)).toEqual(['HTTP/1.1 200', 'HTTP/1.1 200'])
  expect(received).toMatch(/a picture$/)
  await closing
})
