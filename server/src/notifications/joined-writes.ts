import type { IncomingMessage } from 'node:http'
import type { Socket as Stream } from 'node:net'
import type { Server } from 'socket.io'

/*
 * A write costs about as much as everything computed for it. Socket.IO greets a client with four: the WebSocket's
 * answer, its own opening, the answer to joining, and then our `ready`. Joined, they are two.
 */

/** The WebSocket's answer and Socket.IO's opening leave together. */
export const joinOpening = (io: Server) => {
  io.engine.on('initial_headers', (_headers: unknown, { socket }: IncomingMessage) => socket.cork())
  const leave = ({ socket }: IncomingMessage) => socket.uncork()
  io.engine.on('connection', ({ request }: { request: IncomingMessage }) => leave(request))
  // Whoever speaks an old protocol gets the answer first, then the refusal.
  io.engine.on('connection_error', ({ req }: { req: IncomingMessage }) => leave(req))
}

/** What is written until the end of this turn of the event loop leaves together. */
export const joinThisTurn = (stream: Stream) => {
  stream.cork()
  setImmediate(() => stream.uncork())
}
