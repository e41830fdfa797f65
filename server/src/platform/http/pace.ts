import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { FastifyInstance } from 'fastify'

const everyMs = 10_000
const bytesLeast = 10 * 1024

type Arriving = { request: IncomingMessage; answer: ServerResponse; bytes?: number; answered?: boolean }

/**
 * Cuts off bodies that trickle: a client that sends less than 1 KiB a second would hold a socket and a temporary for hours.
 * What still comes after its answer, which no memory holds, may come until the second look: a client that is cut off
 * before it read its answer would never know.
 */
export const demandPace = (server: FastifyInstance) => {
  // One look at all bodies under way: a timer for each would cost every request a tenth of its way through the server.
  const arriving = new Map<Socket, Arriving>()
  const look = setInterval(() => {
    for (const [socket, body] of arriving) {
      const { bytesRead } = socket
      if (body.bytes !== undefined && (body.answered || bytesRead - body.bytes < bytesLeast)) socket.destroy()
      body.bytes = bytesRead
      body.answered = body.answer.writableEnded
    }
  }, everyMs).unref()
  server.addHook('onClose', async () => clearInterval(look))

  // A request that was answered before it was whole hears nothing of its connection's end.
  server.server.on('connection', (socket: Socket) => socket.once('close', () => arriving.delete(socket)))

  // Before the first hook that may refuse: a refused body is not read, and still arrives.
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
