import { once } from 'node:events'
import { readdirSync, readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { createRequire } from 'node:module'
import type { AddressInfo } from 'node:net'
import { dirname, join } from 'node:path'
import { Server, type Socket } from 'socket.io'
import { expect, test, vi } from 'vitest'
import { whenDone } from '../../test/when-done.ts'
import * as wire from './wire.ts'

/** Each internal field of the libraries, and what it must be for this file to work. */
const privateFields = {
  'io.engine.clients': 'object',
  'adapter.addAll': 'function',
  'adapter.delAll': 'function',
  'socket.conn': 'object',
  'socket.acks': 'object',
  'socket.handshake': 'object',
  'conn.request': 'object',
  'conn.readyState': 'string',
  'conn.writeBuffer': 'object',
  'conn.write': 'function',
  'conn.close': 'function',
  'conn.transport.socket.readyState': 'number',
  'conn.transport.socket.terminate': 'function',
}

const opened = async () => {
  const server = createServer()
  const io = new Server(server, { transports: ['websocket'] })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const client = new WebSocket(`ws://127.0.0.1:${port}/socket.io/?EIO=4&transport=websocket`)
  const heard: string[] = []
  client.addEventListener('message', ({ data }) => {
    if (data.startsWith('42')) heard.push(data)
    // Socket.IO's protocol: opened, and a numbered event that expects an answer.
    if (data.startsWith('0')) client.send('40')
    if (data.startsWith('427')) client.send('437[]')
  })
  whenDone(() => {
    client.close()
    return io.close()
  })
  const connections: wire.Connection[] = []
  wire.whenConnected(io, connection => void connections.push(connection))
  const [socket] = (await once(io, 'connection')) as [Socket]
  return { io, heard, socket, connections }
}

const valueAt = (root: Record<string, unknown>, path: string) =>
  path.split('.').reduce<unknown>((at, name) => (at as Record<string, unknown> | undefined)?.[name], root)

test.each(Object.entries(wire.writtenFor))('the wire was written for %s %s', (name, version) => {
  const require = createRequire(import.meta.url)
  const fromSocketIo = createRequire(require.resolve('socket.io'))
  let folder = dirname(name === 'socket.io' ? require.resolve(name) : fromSocketIo.resolve(name))
  while (JSON.parse(textOf(join(folder, 'package.json')) ?? '{}').name !== name) folder = dirname(folder)
  expect(JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')).version).toBe(version)
})

const textOf = (path: string) => {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return null
  }
}

test('every private field is there', async () => {
  const { io, socket } = await opened()
  const roots = { io, socket, adapter: io.of('/').adapter, conn: socket.conn }
  const found = Object.keys(privateFields).map(path => [path, typeof valueAt(roots, path)])
  expect(Object.fromEntries(found)).toEqual(privateFields)
})

test('the wire counts connections, sends frames in order, hears answers and cuts off', async () => {
  const { io, heard, socket, connections } = await opened()
  expect(wire.connectionsOf(io)).toEqual(connections)
  const conn = wire.connectionOf(socket)
  expect(conn).toBe(connections[0])
  const packets: unknown[] = []
  wire.onConnectionEvent(conn, { packet: packet => void packets.push(packet.data), ping() {} })
  const stream = socket.request.socket
  wire.forgetRequest(socket)
  expect([socket.conn.request, socket.handshake]).toEqual([null, null])

  const answered = vi.fn()
  wire.expectAck(socket, 7, answered)
  const frame = (text: string) => Buffer.concat([Buffer.from([0x81, text.length]), Buffer.from(text)])
  wire.sendFrames(socket, stream, frame('427["told",1]'))
  // Socket.IO's own packets are held back until it has sent them: frames go after them.
  socket.emit('told', 2)
  socket.emit('told', 3)
  expect(wire.heldBack(socket)).toBeGreaterThan(0)
  wire.sendFrames(socket, stream, frame('42["told",4]'))
  await vi.waitFor(() => expect(heard).toEqual(['427["told",1]', '42["told",2]', '42["told",3]', '42["told",4]']), {
    timeout: 60_000,
  })
  await vi.waitFor(() => expect(answered).toHaveBeenCalledOnce(), { timeout: 60_000 })
  expect(packets).toEqual(['37[]'])

  expect(wire.isCut(conn)).toBe(false)
  wire.cutOff(conn)
  await vi.waitFor(() => expect(wire.isCut(conn)).toBe(true), { timeout: 60_000 })
})

test('without rooms no socket has one', async () => {
  const { io, socket } = await opened()
  wire.withoutRooms(io)
  const before = [...socket.rooms]
  await socket.join('a room')
  expect([...socket.rooms]).toEqual(before)
})

test('nobody else touches those fields', () => {
  const owned = /\.(?:conn|acks|writeBuffer|transport)\b|wsPreEncodedFrame|engine(?: as unknown)|\.adapter\b/
  const others = readdirSync(import.meta.dirname).filter(
    name => name.endsWith('.ts') && !/^wire\.|\.test\.ts$/.test(name),
  )
  expect(others.filter(name => owned.test(readFileSync(join(import.meta.dirname, name), 'utf8')))).toEqual([])
})
