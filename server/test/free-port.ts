import { createServer } from 'node:net'

/**
 * For a program that must be told where to listen: below the ports that a system gives out by itself, and given to nobody
 * else who asks here, in whatever run, as long as this process lives.
 */
export const freePort = async (): Promise<number> => {
  for (;;) {
    const port = 20_000 + Math.floor(Math.random() * 12_000)
    if ((await isMine(port)) && (await isFree(port))) return port
  }
}

/** A name without a file, which the kernel gives to one process; elsewhere chance must do. */
const isMine = (port: number) =>
  process.platform !== 'linux' ||
  new Promise<boolean>(resolve => {
    const mark = createServer()
    mark.once('error', () => resolve(false)).listen(`\0afterglow-port-${port}`, () => resolve(true))
    mark.unref()
  })

const isFree = async (port: number) => {
  const probe = createServer()
  const free = await new Promise<boolean>(resolve => {
    probe.once('error', () => resolve(false)).listen(port, '127.0.0.1', () => resolve(true))
  })
  await new Promise(resolve => probe.close(resolve))
  return free
}
