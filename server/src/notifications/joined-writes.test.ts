import { connect, Socket as Stream } from 'node:net'
import { expect, test, vi } from 'vitest'
import { openTestApp } from '../../test/app.ts'
import { enter } from '../../test/cast.ts'
import { closed } from '../../test/closed.ts'
import { openRawSocket } from '../../test/raw-socket.ts'

const app = await openTestApp()
const port = Number(new URL(app.url).port)

test('a client is let in, greeted and told where it stands with two writes', async () => {
  const { token } = await enter(app, 'gus')
  const writes: string[] = []
  const note = (name: '_write' | '_writev') => {
    const write = Stream.prototype[name] as (...given: unknown[]) => void
    return vi.spyOn(Stream.prototype, name).mockImplementation(function (this: Stream, ...given: unknown[]) {
      if (this.localPort === port) writes.push(name)
      return write.apply(this, given)
    })
  }
  const spies = [note('_write'), note('_writev')]
  const { texts, close } = await openRawSocket(app.url, { token })
  await vi.waitFor(() => expect(texts.some(text => text.startsWith('42["ready"'))).toBe(true), 20_000)
  expect(texts.map(text => text.slice(0, 2))).toEqual(['0{', '40', '42'])
  expect(writes).toEqual(['_writev', '_writev'])
  for (const spy of spies) spy.mockRestore()
  close()
})

test('an old protocol is refused in words', async () => {
  const client = connect(port, '127.0.0.1')
  client.write(
    'GET /realtime/?EIO=3&transport=websocket HTTP/1.1\r\nHost: party\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n' +
      'Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n',
  )
  let told = ''
  client.on('data', chunk => {
    told += chunk
  })
  await closed(client)
  expect(told).toMatch(/^HTTP\/1\.1 101 .+\r\n\r\nHTTP\/1\.1 400 Bad Request.+Unsupported protocol version$/s)
})
