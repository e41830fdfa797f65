import type { IncomingMessage } from 'node:http'
import type { Socket as Stream } from 'node:net'
import type { Server, Socket } from 'socket.io'

/*
 * The only file that uses internals of Socket.IO and the libraries below it. It was written for these versions;
 * wire.test.ts names each field and checks that it still does what is expected.
 */
export const writtenFor = { 'socket.io': '4.8.4', 'socket.io-adapter': '2.5.8', 'engine.io': '6.6.11', ws: '8.21.3' }

export type WebSocket = { terminate(): void }
export type Packet = { type: string; data?: unknown }
type ConnectionEvents<Listener> = {
  (event: 'packet', listener: Listener): void
  (event: 'close', listener: () => void): void
}

/** The connection under a socket. `Own` is what its user stores on it: a separate object would be retained as long. */
export type Connection<Own = unknown> = Own & {
  request: IncomingMessage
  readyState: string
  /** Packets that wait for the previous one to be sent. */
  writeBuffer: readonly unknown[]
  transport: {
    socket: WebSocket & { readyState: number; on(event: 'ping', listener: (this: WebSocket) => void): void }
  }
  on: ConnectionEvents<(this: Connection<Own>, packet: Packet) => void>
  once(event: 'close', listener: () => void): void
  off(event: 'close', listener: () => void): void
  close(discard?: boolean): void
  write(data: string, options: { wsPreEncodedFrame: Buffer[] }): void
}

/** Rooms are not used; the one kept for each socket, under its own name, would cost half a kilobyte. */
export const withoutRooms = (io: Server) => void Object.assign(io.of('/').adapter, { addAll() {}, delAll() {} })

/** Every WebSocket that opens, before it has sent anything. */
export const whenConnected = <Own>(io: Server, opened: (connection: Connection<Own>) => void) =>
  void io.engine.on('connection', opened)

export const connectionsOf = (io: Server) =>
  Object.values((io.engine as unknown as { clients: Record<string, Connection> }).clients)

export const connectionOf = <Own>(socket: Socket) => socket.conn as unknown as Connection<Own>

/** Calls the same functions for all connections: one for each would be retained as long. */
export const onConnectionEvent = <Own>(
  connection: Connection<Own>,
  heard: { packet(this: Connection<Own>, packet: Packet): void; ping(this: WebSocket): void },
) => {
  connection.on('packet', heard.packet)
  connection.transport.socket.on('ping', heard.ping)
}

/** At once, without waiting for the other side. */
export const cutOff = ({ transport }: Connection) => transport.socket.terminate()

const closed = 3
export const isCut = ({ transport }: Connection) => transport.socket.readyState === closed

/** The request that opened a socket would be retained as long as the socket: half of what an idle one costs. */
export const forgetRequest = (socket: Socket) => {
  Object.assign(socket.conn, { request: null })
  Object.assign(socket, { handshake: null, acks: noAcks })
}

/** How many packets are waiting for the previous one to be sent. */
export const heldBack = (socket: Socket) => connectionOf(socket).writeBuffer.length

/** Sends ready WebSocket frames; what is held back goes first. */
export const sendFrames = (socket: Socket, stream: Stream, frames: Buffer) => {
  if (heldBack(socket) > 0) connectionOf(socket).write('', { wsPreEncodedFrame: [frames] })
  else if (stream.writable) stream.write(frames)
}

type Acks = { acks: Map<number, () => void> }
/** For every socket without pending acknowledgements: a map of its own would cost each 200 bytes. */
const noAcks: Acks['acks'] = new Map()

/** Calls back when the client answers with this number. Returns a function that stops expecting it. */
export const expectAck = (socket: Socket, number: number, answered: () => void) => {
  const expecting = socket as unknown as Acks
  if (expecting.acks === noAcks) expecting.acks = new Map()
  expecting.acks.set(number, answered)
  return () => expecting.acks.delete(number)
}
