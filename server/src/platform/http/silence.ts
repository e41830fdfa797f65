import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { FastifyInstance } from 'fastify'

/**
 * Ends connections that were silent for the server's `connectionTimeout`, unless the silence is ours: a client whose
 * request has fully arrived is waiting for our answer, however long that takes. Once it has been sent, silence counts
 * again.
 */
export const allowOurSilence = (server: FastifyInstance) => {
  const latest = new WeakMap<Socket, { request: IncomingMessage; answer: ServerResponse }>()
  server.server.on('request', (request: IncomingMessage, answer: ServerResponse) => {
    latest.set(request.socket, { request, answer })
  })
  server.server.on('timeout', (socket: Socket) => {
    const { request, answer } = latest.get(socket) ?? {}
    const ours = request?.complete && answer && !answer.writableEnded && socket.writableLength === 0
    if (!ours) socket.destroy()
  })
}
