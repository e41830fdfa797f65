import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'

/** Relays bytes to a server on loopback until it stalls: then its connections stay open and carry nothing. */
export async function openStallingRelay(target: string) {
  const sockets = new Set<Socket>()
  const server = createServer(client => {
    const upstream = connect(Number(new URL(target).port), '127.0.0.1')
    for (const socket of [client, upstream]) {
      sockets.add(socket)
      socket.on('error', () => {})
      socket.on('close', () => sockets.delete(socket))
    }
    client.pipe(upstream)
    upstream.pipe(client)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')

  return {
    origin: `https://localhost:${(server.address() as AddressInfo).port}`,
    /** Stalls the open connections; later ones work. */
    stall() {
      for (const socket of sockets) socket.unpipe().pause()
    },
    async close() {
      for (const socket of sockets) socket.destroy()
      server.close()
      await once(server, 'close')
    },
  }
}
