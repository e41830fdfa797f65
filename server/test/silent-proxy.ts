import { once } from 'node:events'
import { connect, createServer, type Socket } from 'node:net'
import { readDatabaseAddress } from '../src/platform/database/database-address.ts'
import { whenDone } from './when-done.ts'

export type SilentProxy = {
  port: number
  /** From now on nothing passes, and nobody is told: what is open stays open, what comes is taken and left waiting. */
  silence(): void
  /** What comes from now on passes. What was open before stays silent for ever, as after a firewall forgot it. */
  goOn(): void
  /** Until it goes on, nobody listens there, and what was open is cut. */
  refuse(): void
}

/**
 * A network that leads to a socket or port, and can fall silent without a word; `only` for connections that begin with
 * this text somewhere in their first bytes. Gone with the test file.
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

/** The same database, by a network that can fall silent: for all, or for connections whose first words say `only`. */
export const acrossSilentProxy = async (url: string, only = '') => {
  const { at } = readDatabaseAddress(url)
  const proxy = await openSilentProxy(`${at.host}/.s.PGSQL.5432`, only)
  return { proxy, url: url.replace(/@[^/]*\//, `@127.0.0.1:${proxy.port}/`) }
}
