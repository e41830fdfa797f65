import type { Server as HttpServer, IncomingMessage, ServerResponse } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import {
  type ChannelReady,
  type ChannelRefusal,
  channelMessageBytesMax,
  channelPath,
  channelSocketsPerUser,
} from '@afterglow/contract/realtime'
import { generalCodes } from '@afterglow/contract/refusal-codes'
import { interfaceVersion } from '@afterglow/contract/version'
import type { Logger } from 'pino'
import { Server, type Socket } from 'socket.io'
import type { CurrentSession } from '../accounts/sessions/sessions.ts'
import type { RateLimits } from '../platform/http/limits.ts'
import { TooMany } from '../platform/http/refusals.ts'
import { type ConnectionOptions, type ConnectionState, openConnections } from './connections.ts'
import { frameOf } from './frames.ts'
import { openSocketShares } from './socket-quotas.ts'
import type { Connected, Sockets } from './sockets.ts'
import {
  connectionOf,
  connectionsOf,
  cutOff,
  forgetRequest,
  isCut,
  sendFrames,
  whenConnected,
  withoutRooms,
} from './wire.ts'

export type ChannelOptions = ConnectionOptions & {
  server: HttpServer
  sockets: Sockets
  /** The token's session, read from the database; undefined if it is invalid. */
  findSession(token: string): Promise<CurrentSession | undefined>
  limits: RateLimits
  /**
   * Calls back when everything up to a cursor has been sent to everybody else. A socket that is admitted during that
   * turn of the event loop is sent everything after it.
   */
  enter(userId: number, enter: (cursor: string) => void): void
  whenOpened(connected: Connected): void
  whenClosed(connected: Connected): void
  log: Pick<Logger, 'warn'>
}

/** The same text for all who connect through the same origin. */
const known = new Map<string, string>()
const knownMax = 100
const asKnown = (origin: string) => {
  if (!known.has(origin) && known.size < knownMax) known.set(origin, origin)
  return known.get(origin) ?? origin
}

const connectsPerMinute = 120
/** How long clients have to say goodbye when the service stops. */
const goWithinMs = 1_000
const pollRefused = 'The channel is WebSocket only: connect with transports: ["websocket"].'
const upgradeLost =
  'The WebSocket arrived without its Upgrade header, which a proxy on the way has dropped. Ask GET api/realtime/sync meanwhile.'

/** Says why there is no channel: to who polls, and about a proxy that lets none through, once also to the operator. */
const refuseWithoutUpgrade = (log: Pick<Logger, 'warn'>) => {
  let told = false
  return ({ headers, url = '' }: IncomingMessage, reply: ServerResponse, next: () => void) => {
    if (headers.upgrade !== undefined) return next()
    const lost = /[?&]transport=websocket(?:&|$)/.test(url)
    if (lost && !told) log.warn(`${upgradeLost} docs/operators.md has the lines that an nginx needs.`)
    told ||= lost
    const body = JSON.stringify({ error_message: lost ? upgradeLost : pollRefused })
    reply
      .writeHead(400, {
        'Content-Type': 'application/json; charset=utf-8',
        'Content-Length': Buffer.byteLength(body),
        'X-Interface': interfaceVersion,
        'X-Refusal': generalCodes[400],
      })
      .end(body)
  }
}

class NotAdmitted extends Error {
  readonly data: ChannelRefusal
  constructor(status: ChannelRefusal['status'], message: string) {
    super(message)
    this.data = { status }
  }
}

const openServer = (server: HttpServer, mayConnect: (request: IncomingMessage) => boolean): Server =>
  new Server(server, {
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

/**
 * Opens `/realtime`: Socket.IO over WebSocket, from our own origins, for clients with a valid token. Clients cannot
 * send anything.
 */
export const openChannel = (options: ChannelOptions) => {
  const { server, sockets, limits, log } = options
  const connections = openConnections(options)
  const shares = openSocketShares<Connected>(options.socketsMax)
  let closing = false
  const readyAt = openReadyFrames()
  const io = openServer(server, request => !closing && connections.mayBegin(request, io.engine.clientsCount))
  io.engine.use(refuseWithoutUpgrade(log))

  withoutRooms(io)
  whenConnected(io, connections.begin)

  io.use((socket, next) => {
    const conn = connectionOf<ConnectionState>(socket)
    // A connection is one socket: a second would receive everything twice.
    if (conn.joins) return next(new NotAdmitted(429, 'Too Many Sockets.'))
    conn.joins = true
    const refuse = (error: unknown) => {
      conn.joins = false
      if (!(error instanceof NotAdmitted)) log.warn({ err: error }, 'a socket could not be admitted')
      next(error instanceof NotAdmitted ? error : new NotAdmitted(503, 'Server Error'))
    }
    admit(socket, options, shares).then(connected => {
      conn.waits?.()
      options.enter(connected.userId, cursor => {
        if (conn.readyState !== 'open') countConnect(connected)
        socket.data = { connected, cursor } satisfies JoiningSocket
        next()
      })
    }, refuse)
  })

  // Counted when it ends: few can be open at a time, which limits connects as well, and an open socket holds no bucket.
  const countConnect = ({ userId }: Connected) => {
    limits.spend('connect', userId, connectsPerMinute).catch(() => {})
  }

  // One for all sockets: each knows itself.
  function leave(this: Socket) {
    const connected = this.data as Connected
    countConnect(connected)
    // A client that left the namespace but kept the connection would no longer be counted, and outlive its session.
    connectionOf(this).close()
    if (!sockets.of(connected.userId).includes(connected)) return
    sockets.remove(connected)
    for (const holder of holdersOf(connected)) shares.remove(holder, connected, connected.userId)
    options.whenClosed(connected)
  }

  io.on('connection', (socket: Socket) => {
    const { connected, cursor } = socket.data as JoiningSocket
    socket.data = connected
    forgetRequest(socket)
    socket.on('disconnect', leave)
    if (sockets.of(connected.userId).length >= channelSocketsPerUser) return void socket.disconnect(true)
    sockets.add(connected)
    for (const holder of holdersOf(connected)) shares.add(holder, connected, connected.userId)
    sendFrames(socket, connected.stream, readyAt(cursor))
    options.whenOpened(connected)
  })

  return {
    /** Makes every client reconnect: its cursor then tells it to reload. */
    sendAway: () => sendAway(sockets),
    /** Tells every client to reconnect, here or elsewhere. Those that do not react are cut off. */
    async close() {
      closing = true
      const open = connectionsOf(io)
      io.engine.close()
      sendAway(sockets)
      await cutOffLate(open)
    },
  }
}

/** The shares in which a socket counts: its network's, and its link's if it came by one. */
const holdersOf = ({ network, crowd }: Pick<Connected, 'network' | 'crowd'>) => [
  `network ${network}`,
  ...(crowd ? [crowd] : []),
]

const admit = async (
  socket: Socket,
  options: ChannelOptions,
  shares: ReturnType<typeof openSocketShares<Connected>>,
): Promise<Connected> => {
  const { sockets, limits } = options
  const { token } = socket.handshake.auth
  const session = typeof token === 'string' && token.length <= 200 ? await options.findSession(token) : undefined
  if (!session) throw new NotAdmitted(401, 'Unauthenticated.')
  const { id: userId, ...own } = session.viewer
  const network = options.networkOf(socket.request)
  const rooms = holdersOf({ network, crowd: own.crowd }).map(holder => shares.room(holder, userId))
  const isTooMany = sockets.of(userId).length >= channelSocketsPerUser || rooms.some(room => !room.for)
  if (isTooMany) throw new NotAdmitted(429, 'Too Many Sockets.')
  for (const { by } of rooms) by?.socket.disconnect(true)
  await limits.demandLeft('connect', userId, connectsPerMinute).catch(error => {
    throw error instanceof TooMany ? new NotAdmitted(429, 'Too Many Attempts.') : error
  })
  const { tokenHash, expiresAt } = session
  const origin = asKnown(options.originOf(socket.request))
  const { socket: stream } = socket.request
  return { socket, stream, userId, network, ...own, tokenHash: tokenHash.toString('base64'), expiresAt, origin }
}

const openReadyFrames = () => {
  let ready: { cursor: string; frame: Buffer } = { cursor: '', frame: Buffer.alloc(0) }
  /** The same bytes for all who enter together. */
  return (cursor: string) => {
    if (ready.cursor !== cursor)
      ready = { cursor, frame: frameOf(`42["ready",${JSON.stringify({ cursor } satisfies ChannelReady)}]`) }
    return ready.frame
  }
}

const sendAway = (sockets: Sockets) => {
  for (const { socket } of [...sockets.all()]) socket.disconnect(true)
}

const cutOffLate = async (open: ReturnType<typeof connectionsOf>) => {
  const until = performance.now() + goWithinMs
  while (!open.every(isCut) && performance.now() < until) await sleep(20)
  for (const connection of open) cutOff(connection)
}

/** A socket that may join, and from where on it will be told. */
type JoiningSocket = { connected: Connected; cursor: string }
