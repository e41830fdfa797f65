import type { IncomingMessage, ServerResponse } from 'node:http'
import { Server as NetServer, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import type { FastifyInstance } from 'fastify'

const sweepEveryMs = 50
/** Whoever has not got their answer by then after closing began has gone, or will never read it. */
const cutAfterMs = 2_000

/**
 * Ends, once the server closes, every connection that nobody waits on. Node would wait for two kinds of them until their
 * silence is over, 30 s: those that have never said a word, which browsers open ahead, and those kept for another
 * request after an answer that was still being made; and for one whose other end has vanished as long as for an answer.
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
    const cut = () => {
      for (const socket of open) socket.destroy()
    }
    const sweeping = setInterval(sweep, sweepEveryMs)
    const cutting = setTimeout(cut, cutAfterMs)
    server.server.once('close', () => {
      clearInterval(sweeping)
      clearTimeout(cutting)
    })
    done()
  })
}

/** Waits, when the service stops, for the answers that are being made, while whoever comes meanwhile is still served. */
export const openAnswering = ({ server }: Pick<FastifyInstance, 'server'>) => {
  const unanswered = new Set<ServerResponse>()
  const count = (_request: IncomingMessage, reply: ServerResponse) => {
    unanswered.add(reply)
    reply.on('close', () => unanswered.delete(reply))
  }
  server.on('request', count)
  const sayLast = (reply: ServerResponse) => {
    if (!reply.headersSent) reply.setHeader('Connection', 'close')
  }
  return {
    /**
     * Takes no connection any more, as other processes behind the same port do, and ends each with its next answer: a
     * request that finds its connection closed would be lost to its client.
     */
    handOver() {
      NetServer.prototype.close.call(server)
      for (const reply of unanswered) sayLast(reply)
      server.prependListener('request', (_request, reply) => sayLast(reply))
    },
    /** Resolves when all who have asked by now have their answer, or the time is over. */
    async finish(withinMs: number) {
      server.off('request', count)
      for (const until = performance.now() + withinMs; unanswered.size > 0 && performance.now() < until; )
        await sleep(20)
    },
  }
}
