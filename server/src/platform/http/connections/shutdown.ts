import type { IncomingMessage, ServerResponse } from 'node:http'
import { Server as NetServer, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import type { FastifyInstance } from 'fastify'

const sweepEveryMs = 50
/** A client without its answer by this time after closing began is gone, or will never read it. */
const cutAfterMs = 2_000

/**
 * When the server closes, ends every connection that nobody waits on. Node would wait for two kinds until their silence
 * times out after 30 s: those that have never sent anything, which browsers open ahead, and those kept alive after an
 * answer that was still being produced. If the other end has vanished, it would wait as long for an answer.
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

/** When the service stops, waits for answers in progress, while new requests are still served. */
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
  /** Ends each connection with its next response: a request on one that we end ourselves is lost to its client. */
  const drain = () => {
    for (const reply of unanswered) sayLast(reply)
    server.prependListener('request', (_request, reply) => sayLast(reply))
  }
  return {
    drain,
    /** Drains, and accepts no more connections, because other processes behind the same port do. */
    handOver() {
      NetServer.prototype.close.call(server)
      drain()
    },
    /** Resolves when all requests received so far have been answered, or the time is up. */
    async finish(withinMs: number) {
      server.off('request', count)
      for (const until = performance.now() + withinMs; unanswered.size > 0 && performance.now() < until; )
        await sleep(20)
    },
  }
}
