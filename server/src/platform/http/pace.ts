import type { IncomingMessage } from 'node:http'
import type { FastifyInstance } from 'fastify'

const everyMs = 10_000
const bytesLeast = 10 * 1024

type Seen = { bytes: number; answered: boolean }

/**
 * Cuts off bodies that trickle: a client that sends less than 1 KiB a second would hold a socket and a temporary for hours.
 * What still comes after its answer, which no memory holds, may come until the second look: a client that is cut off
 * before it read its answer would never know.
 */
export const demandPace = (server: FastifyInstance) => {
  // One look at all bodies under way: a timer for each would cost every request a tenth of its way through the server.
  const arriving = new Map<IncomingMessage, Seen | undefined>()
  const answers = new WeakMap<IncomingMessage, { writableEnded: boolean }>()
  const look = setInterval(() => {
    for (const [request, before] of arriving) {
      const { socket } = request
      const answered = answers.get(request)?.writableEnded ?? false
      if (before && (before.answered || socket.bytesRead - before.bytes < bytesLeast)) socket.destroy()
      arriving.set(request, { bytes: socket.bytesRead, answered })
    }
  }, everyMs).unref()
  server.addHook('onClose', async () => clearInterval(look))

  // Before the first hook that may refuse: a refused body is not read, and still arrives.
  server.addHook('onRequest', ({ raw }, reply, done) => {
    const { headers } = raw
    if (headers['content-length'] !== undefined || headers['transfer-encoding'] !== undefined) {
      const arrived = () => arriving.delete(raw)
      arriving.set(raw, undefined)
      answers.set(raw, reply.raw)
      raw.once('close', arrived).once('end', arrived)
    }
    done()
  })
}
