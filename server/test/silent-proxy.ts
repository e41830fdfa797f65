import { once } from 'node:events'
import { connect, createServer, type Socket } from 'node:net'
import { readDatabaseAddress } from '../src/platform/database/database-address.ts'
import { whenDone } from './when-done.ts'

export type SilentProxy = {
  port: number
  /**
   * Nothing passes from now on, without a signal: open connections stay open, new ones are accepted and left waiting.
   */
  silence(): void
  /**
   * New connections pass from now on. Those from before stay silent for ever, as after a firewall dropped its state.
   */
  goOn(): void
  /** Until `goOn`, connections are refused, and open ones are cut. */
  refuse(): void
}

/**
 * A network to a socket or port that can fall silent; `only` for connections with this text in their first bytes. Ends
 * with the test file.
 */
export const openSilentProxy = async (to: string | number, only = ''): Promise<SilentProxy> => {
  const open = new Set<Socket>()
  const concerned = new Set<Socket>()
  let silent = false
  const keep = (socket: Socket) => {
    open.add(socket.on('error', () => {}).on('close', () => open.delete(socket) && concerned.delete(socket)))
    return socket
  }
  const server = createServer(near => {
    keep(near)
    near.once('data', first => {
      const isConcerned = first.includes(only)
      if (isConcerned) concerned.add(near)
      if (silent && isConcerned) return near.pause()
      const far = keep(typeof to === 'string' ? connect(to) : connect(to, '127.0.0.1'))
      if (isConcerned) concerned.add(far)
      near.on('close', () => far.destroy())
      far.on('close', () => (silent && isConcerned) || near.destroy())
      far.write(first)
      near.pipe(far)
      far.pipe(near)
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as { port: number }
  const refuse = () => {
    server.close()
    for (const socket of open) socket.destroy()
  }
  whenDone(async () => refuse())
  return {
    port,
    silence() {
      silent = true
      for (const socket of concerned) socket.unpipe().pause()
    },
    goOn() {
      silent = false
      if (!server.listening) server.listen(port, '127.0.0.1')
    },
    refuse,
  }
}

/**
 * The same database, over a network that can fall silent: for all, or for connections whose first bytes contain `only`.
 */
export const acrossSilentProxy = async (url: string, only = '') => {
  const { at } = readDatabaseAddress(url)
  const proxy = await openSilentProxy(`${at.host}/.s.PGSQL.5432`, only)
  return { proxy, url: url.replace(/@[^/]*\//, `@127.0.0.1:${proxy.port}/`) }
}
