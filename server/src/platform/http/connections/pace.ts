import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { FastifyInstance } from 'fastify'
import { isOurMove } from './silence.ts'

const checkEveryMs = 10_000
const bytesLeast = 10 * 1024

type Arriving = { request: IncomingMessage; answer: ServerResponse; bytes?: number; answered?: boolean }

/**
 * Cuts off bodies that trickle in: a client sending less than 1 KiB a second would hold a socket and a temporary file
 * for hours. A body that waits for us to read it is not trickling. Bytes arriving after the answer, which take no
 * memory, are accepted until the second check: a client that is cut off before reading its answer would never see it.
 */
export const enforcePace = (server: FastifyInstance, everyMs = checkEveryMs) => {
  // One check of all bodies in progress: a timer for each would cost every request a tenth of its time in the server.
  const arriving = new Map<Socket, Arriving>()
  const look = () => {
    for (const [socket, body] of arriving) {
      const { bytesRead } = socket
      const trickles = () => bytesRead - (body.bytes as number) < bytesLeast && !isOurMove(body.request)
      if (body.bytes !== undefined && (body.answered || trickles())) socket.destroy()
      body.bytes = bytesRead
      body.answered = body.answer.writableEnded
    }
    next.refresh()
  }
  // Pending input is read first: after a long callback, timers come before it.
  const next = setTimeout(() => setImmediate(look), everyMs).unref()
  server.addHook('onClose', async () => clearTimeout(next))

  // A request answered before it was complete is not told about the end of its connection.
  server.server.on('connection', (socket: Socket) => socket.once('close', () => arriving.delete(socket)))

  // Before the first hook that may refuse: a refused body is not read, but still arrives.
  server.addHook('onRequest', ({ raw }, reply, done) => {
    const { headers, socket } = raw
    if (headers['content-length'] !== undefined || headers['transfer-encoding'] !== undefined) {
      const arrived = () => arriving.get(socket)?.request === raw && arriving.delete(socket)
      arriving.set(socket, { request: raw, answer: reply.raw })
      raw.once('close', arrived).once('end', arrived)
    }
    done()
  })
}
