import { createServer } from 'node:net'

/** For a program that must be told where to listen: below the ports that a system gives out by itself. */
export const freePort = async () => {
  for (;;) {
    const port = 20_000 + Math.floor(Math.random() * 12_000)
    const probe = createServer()
    const free = await new Promise<boolean>(resolve => {
      probe.once('error', () => resolve(false)).listen(port, '127.0.0.1', () => resolve(true))
    })
    await new Promise(resolve => probe.close(resolve))
    if (free) return port
  }
}
