import type { IncomingMessage } from 'node:http'
import type { FastifyInstance } from 'fastify'

const everyMs = 10_000
const bytesLeast = 10 * 1024

/** Cuts off bodies that trickle: a client that sends less than 1 KiB a second would hold a socket and a temporary for hours. */
export const demandPace = (server: FastifyInstance) => {
  // One look at all bodies under way: a timer for each would cost every request a tenth of its way through the server.
  const arriving = new Map<IncomingMessage, number | undefined>()
  const look = setInterval(() => {
    for (const [request, before] of arriving) {
      const { socket } = request
      if (before !== undefined && socket.bytesRead - before < bytesLeast) socket.destroy()
      arriving.set(request, socket.bytesRead)
    }
  }, everyMs).unref()
  server.addHook('onClose', async () => clearInterval(look))

  server.addHook('preParsing', (request, _reply, payload, done) => {
    const { raw } = request
    const { headers } = raw
    if (headers['content-length'] !== undefined || headers['transfer-encoding'] !== undefined) {
      const arrived = () => arriving.delete(raw)
      arriving.set(raw, undefined)
      payload.once('close', arrived).once('end', arrived)
    }
    done(null, payload)
  })
}
