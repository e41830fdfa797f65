import type { IncomingMessage } from 'node:http'
import { openWaitingConnections } from './anonymous-connections.ts'
import { openSocketShares } from './socket-quotas.ts'
import { type Connection, cutOff, onConnectionEvent, type Packet, type WebSocket } from './wire.ts'

export type ConnectionOptions = {
  /** The origin that a request was addressed to; throws for a malformed one. */
  originOf(request: IncomingMessage): string
  /** The part of its address that a client cannot vary at will. */
  networkOf(request: IncomingMessage): string
  mayCall(origin: string): boolean
  socketsMax: number
}

/** A phone that reconnects never waits longer than a fraction of a second. */
const waitingPerNetwork = { most: 2_500, ofAll: 1 / 4 }
const packetsPerWindow = 100
const packetWindowMs = 10_000

/** Limits connections before they are authenticated, and the packets that each may send. */
export const openConnections = (options: ConnectionOptions) => {
  const waiting = openWaitingConnections(
    Math.min(waitingPerNetwork.most, Math.ceil(options.socketsMax * waitingPerNetwork.ofAll)),
  )
  const networks = openSocketShares<Connection>(options.socketsMax)
  /** Closes a socket of the heaviest user if there is no room. */
  const hasRoom = (network: string, open: number) => {
    if (open < options.socketsMax) return true
    const dispensable = networks.dispensable(network)
    if (dispensable) cutOff(dispensable)
    return dispensable !== undefined
  }
  // A browser sends the page's Origin with every WebSocket, regardless of CORS; apps send none.
  const mayBegin = (request: IncomingMessage, open: number) => {
    const { origin } = request.headers
    try {
      const network = options.networkOf(request)
      // Its share is counted once it is known whose they are (socket-quotas.ts).
      if (!waiting.mayWait(network) || !hasRoom(network, open)) return false
      const own = options.originOf(request)
      return origin === undefined || options.mayCall(origin) || new URL(origin).host === new URL(own).host
    } catch {
      return false
    }
  }

  const begin = (conn: Connection<ConnectionState>) => {
    onConnectionEvent(conn, { packet: limitPackets, ping: limitPings })
    const network = options.networkOf(conn.request)
    networks.add(network, conn)
    conn.once('close', () => networks.remove(network, conn))
    waiting.begin(network)
    conn.waits = () => {
      conn.waits = undefined
      conn.off('close', left)
      waiting.end(network)
    }
    const left = () => conn.waits?.()
    conn.once('close', left)
  }

  return { mayBegin, begin }
}

/** How much somebody has sent recently. */
type PacketCount = { packets?: number; packetsSince?: number }
export type ConnectionState = PacketCount & {
  /** It has asked to join, and was not refused. */
  joins?: boolean
  /** Ends its wait. */
  waits?: (() => void) | undefined
}

/**
 * Connecting, disconnecting and acknowledging, as Socket.IO encodes them. Changes are made over HTTP, so there is
 * nothing else to send.
 */
const isKnown = ({ type, data }: Packet) => type !== 'message' || (typeof data === 'string' && /^[013]/.test(data))

/**
 * A client that sends anything else, or a flood, is cut off. One function for all connections: one for each would be
 * retained as long.
 */
function limitPackets(this: Connection<ConnectionState>, packet: Packet) {
  if (isFlood(this) || !isKnown(packet)) this.close(true)
}

/** The library answers each of them, even for a client that never reads the answers. */
function limitPings(this: WebSocket & PacketCount) {
  if (isFlood(this)) this.terminate()
}

const isFlood = (from: PacketCount) => {
  const now = Math.round(performance.now())
  if (now - (from.packetsSince ?? Number.NEGATIVE_INFINITY) > packetWindowMs) {
    from.packetsSince = now
    from.packets = 0
  }
  from.packets = (from.packets ?? 0) + 1
  return from.packets > packetsPerWindow
}
