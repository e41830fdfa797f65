import { createServer } from 'node:http'
import { WebSocketServer } from 'ws'
import { given, serveOn } from './ceiling.ts'

/** A bare `ws` that sends a text to everybody on request, and knows no users. */
const server = createServer()
const sockets = new WebSocketServer({ server, perMessageDeflate: false })
process.on('message', ({ times }: { times: number }) => {
  for (let message = 0; message < times; message++) {
    for (const socket of sockets.clients) socket.send(given.text ?? '')
  }
})
await serveOn({
  listen: at =>
    new Promise(resolve => {
      server.listen(at.port, at.host, () => resolve(`http://127.0.0.1:${(server.address() as { port: number }).port}`))
    }),
})
