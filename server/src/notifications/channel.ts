import type { Server as HttpServer, IncomingMessage } from 'node:http'
import {
  type ChannelReady,
  type ChannelRefusal,
  channelMessageBytesMax,
  channelPath,
  channelSocketsPerUser,
} from '@afterglow/contract/realtime'
import type { Logger } from 'pino'
import { Server, type Socket } from 'socket.io'
import type { LivingSession } from '../accounts/sessions.ts'
import type { RateLimits } from '../platform/http/limits.ts'
import { TooMany } from '../platform/http/refusals.ts'
import { noAcks } from './delivering.ts'
import type { Connected, Sockets } from './sockets.ts'

export type ChannelOptions = {
  server: HttpServer
  sockets: Sockets
  /** Whose token this is now, by the database; undefined for one that does not live. */
  findSession(token: string): Promise<LivingSession | undefined>
  /** The origin that a request was addressed to; throws for a malformed one. */
  originOf(request: IncomingMessage): string
  /** Origins of other web pages that may connect. */
  origins: readonly string[]
  limits: RateLimits
  /** Calls back when everything up to a cursor was told to everybody else. */
  enter(enter: (cursor: string) => void): void
  whenOpened(connected: Connected): void
  whenClosed(connected: Connected): void
  socketsMax: number
  log: Pick<Logger, 'warn'>
}

/** The same text for all who come in by the same origin. */
const known = new Map<string, string>()
const knownMax = 100
const asKnown = (origin: string) => {
  if (!known.has(origin) && known.size < knownMax) known.set(origin, origin)
  return known.get(origin) ?? origin
}

const connectsPerMinute = 120
const packetsPerWindow = 100
const packetWindowMs = 10_000

class NotAdmitted extends Error {
  readonly data: ChannelRefusal
  constructor(status: ChannelRefusal['status'], message: string) {
    super(message)
    this.data = { status }
  }
}

/** Opens `/realtime`: Socket.IO over WebSocket, from our own origins, for who has a living token. Nothing is taken from clients. */
export const openChannel = (options: ChannelOptions) => {
  const { server, sockets, limits, log } = options
  const io = new Server(server, {
    path: channelPath,
    addTrailingSlash: false,
    transports: ['websocket'],
    serveClient: false,
    perMessageDeflate: false,
    httpCompression: false,
    maxHttpBufferSize: channelMessageBytesMax,
    pingInterval: 20_000,
    pingTimeout: 10_000,
    connectTimeout: 10_000,
    allowRequest: (request, answer) => answer(null, mayConnect(request)),
  })

  // A browser sends the Origin of the page with every WebSocket, whatever CORS says; apps send none.
  const mayConnect = (request: IncomingMessage) => {
    if (io.engine.clientsCount >= options.socketsMax) return false
    const { origin } = request.headers
    try {
      const own = options.originOf(request)
      return origin === undefined || new URL(origin).host === new URL(own).host || options.origins.includes(origin)
    } catch {
      return false
    }
  }

  // Nobody is told by Socket.IO's rooms; the one it keeps for each socket, under its own name, would cost half a kilobyte.
  Object.assign(io.of('/').adapter, { addAll() {}, delAll() {} })
  io.engine.on('connection', (conn: EngineConnection) => conn.on('packet', limitPackets))

  io.use((socket, next) => {
    admit(socket).then(
      connected => {
        socket.data = connected
        if (socket.conn.readyState !== 'open') countConnect(connected)
        next()
      },
      error => {
        if (!(error instanceof NotAdmitted)) log.warn({ err: error }, 'a socket could not be admitted')
        next(error instanceof NotAdmitted ? error : new NotAdmitted(503, 'Server Error'))
      },
    )
  })

  const admit = async (socket: Socket): Promise<Connected> => {
    const { token } = socket.handshake.auth
    const session = typeof token === 'string' && token.length <= 200 ? await options.findSession(token) : undefined
    if (!session) throw new NotAdmitted(401, 'Unauthenticated.')
    const { id: userId, deviceRow } = session.viewer
    if (sockets.of(userId).length >= channelSocketsPerUser) throw new NotAdmitted(429, 'Too Many Sockets.')
    await limits.demandLeft('connect', userId, connectsPerMinute).catch(error => {
      throw error instanceof TooMany ? new NotAdmitted(429, 'Too Many Attempts.') : error
    })
    const { tokenHash, expiresAt } = session
    const origin = asKnown(options.originOf(socket.request))
    const { socket: stream } = socket.request
    return { socket, stream, userId, deviceRow, tokenHash: tokenHash.toString('base64'), expiresAt, origin }
  }

  // Counted when it ends: so few are open at a time that it bounds connects as well, and an open socket keeps no bucket.
  const countConnect = ({ userId }: Connected) => {
    limits.spend('connect', userId, connectsPerMinute).catch(() => {})
  }

  // One for all sockets: each knows itself.
  function leave(this: Socket) {
    const connected = this.data as Connected
    countConnect(connected)
    sockets.remove(connected)
    options.whenClosed(connected)
  }

  io.on('connection', (socket: Socket) => {
    const connected = socket.data as Connected
    forgetRequest(socket)
    options.enter(cursor => {
      if (!socket.connected) return countConnect(connected)
      if (sockets.of(connected.userId).length >= channelSocketsPerUser) {
        countConnect(connected)
        return void socket.disconnect(true)
      }
      sockets.add(connected)
      socket.on('disconnect', leave)
      socket.emit('ready', { cursor } satisfies ChannelReady)
      options.whenOpened(connected)
    })
  })

  const sendAway = () => {
    for (const { socket } of [...sockets.all()]) socket.disconnect(true)
  }

  return {
    /** Has every client come back: its cursor then says that it has to load afresh. */
    sendAway,
    /** Tells every client to come back, here or elsewhere. */
    async close() {
      io.engine.close()
      sendAway()
      await new Promise(resolve => setImmediate(resolve))
    },
  }
}

/** The request that opened a socket would be kept as long as the socket: half of what an idle one costs. */
const forgetRequest = (socket: Socket) => {
  Object.assign(socket.conn, { request: null })
  Object.assign(socket, { handshake: null, acks: noAcks })
}

type Packet = { type: string; data?: unknown }
type EngineConnection = {
  on(event: 'packet', listener: (this: EngineConnection, packet: Packet) => void): void
  close(discard?: boolean): void
  /** What it has sent since. */
  packets?: number
  packetsSince?: number
}

/** Connecting, disconnecting and acknowledging, as Socket.IO writes them. State changes over HTTP, so there is no more to say. */
const isKnown = ({ type, data }: Packet) => type !== 'message' || (typeof data === 'string' && /^[013]/.test(data))

/** Who sends anything else, or a flood, is cut off. One function for all connections: one for each would be kept as long. */
function limitPackets(this: EngineConnection, packet: Packet) {
  const now = Math.round(performance.now())
  if (now - (this.packetsSince ?? Number.NEGATIVE_INFINITY) > packetWindowMs) {
    this.packetsSince = now
    this.packets = 0
  }
  this.packets = (this.packets ?? 0) + 1
  if (this.packets > packetsPerWindow || !isKnown(packet)) this.close(true)
}
