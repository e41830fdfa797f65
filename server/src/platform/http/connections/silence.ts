import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { FastifyInstance } from 'fastify'

/**
 * Tells whether the next move is ours: the request has fully arrived, or nothing more fits until we read it. Its stream
 * does not tell, because it only ends once it is read, and a crowd may keep us from reading for a while.
 */
export const isOurMove = (request: IncomingMessage): boolean =>
  request.complete || request.readableLength >= request.readableHighWaterMark

/**
 * Ends connections that were silent for the server's `connectionTimeout`, unless the next move is ours: the client
 * waits for us, however long that takes. Once the answer has been sent, silence counts again.
 */
export const allowOurSilence = (server: FastifyInstance) => {
  const latest = new WeakMap<Socket, { request: IncomingMessage; answer: ServerResponse }>()
  server.server.on('request', (request: IncomingMessage, answer: ServerResponse) => {
    latest.set(request.socket, { request, answer })
  })
  server.server.on('timeout', (socket: Socket) => {
    const { request, answer } = latest.get(socket) ?? {}
    const ours = request && isOurMove(request) && answer && !answer.writableEnded && socket.writableLength === 0
    if (!ours) socket.destroy()
  })
}
