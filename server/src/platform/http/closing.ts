import type { Socket } from 'node:net'
import type { FastifyInstance } from 'fastify'

const sweepEveryMs = 50

/**
 * Ends, once the server closes, every connection that nobody waits on. Node would wait for two kinds of them until their
 * silence is over, 30 s: those that have never said a word, which browsers open ahead, and those kept for another
 * request after an answer that was still being made.
 */
export const endIdleConnections = (server: FastifyInstance) => {
  const open = new Set<Socket>()
  server.server.on('connection', socket => {
    open.add(socket)
    socket.once('close', () => open.delete(socket))
  })
  server.addHook('preClose', done => {
    const sweep = () => {
      for (const socket of open) if (socket.bytesRead === 0) socket.destroy()
      server.server.closeIdleConnections()
    }
    const sweeping = setInterval(sweep, sweepEveryMs)
    server.server.once('close', () => clearInterval(sweeping))
    done()
  })
}
