import type { FastifyInstance } from 'fastify'

const everyMs = 10_000
const bytesLeast = 10 * 1024

/** Cuts off bodies that trickle: a client that sends less than 1 KiB a second would hold a socket and a temporary for hours. */
export const demandPace = (server: FastifyInstance) => {
  server.addHook('preParsing', (request, _reply, payload, done) => {
    const { socket } = request.raw
    let before = socket.bytesRead
    const watch = setInterval(() => {
      if (socket.bytesRead - before < bytesLeast) socket.destroy()
      before = socket.bytesRead
    }, everyMs)
    payload.once('close', () => clearInterval(watch)).once('end', () => clearInterval(watch))
    done(null, payload)
  })
}
