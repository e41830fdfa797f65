import { createServer } from 'node:http'
import { Server } from 'socket.io'
import { given, serveOn } from './ceiling.ts'

/** A plain Socket.IO that greets everybody who joins, and otherwise does what `broadcast.ts` does. */
const server = createServer()
const io = new Server(server, {
  path: '/realtime',
  addTrailingSlash: false,
  transports: ['websocket'],
  serveClient: false,
})
io.on('connection', socket => void socket.emit('ready', {}))
const [kind = '', ...values] = given.text ? JSON.parse(given.text.slice('42'.length)) : []
process.on('message', () => {
  for (let message = 0; message < Number(given.window); message++) io.emit(kind, ...values)
})
await serveOn({
  listen: at =>
    new Promise(resolve => {
      server.listen(at.port, at.host, () => resolve(`http://127.0.0.1:${(server.address() as { port: number }).port}`))
    }),
})
