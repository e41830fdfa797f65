import { createServer } from 'node:net'

/**
 * A port for a program that must be told where to listen: below the system's ephemeral ports, and given to no other
 * caller in any run as long as this process lives.
 */
export const freePort = async (): Promise<number> => {
  for (;;) {
    const port = 20_000 + Math.floor(Math.random() * 12_000)
    if ((await isMine(port)) && (await isFree(port))) return port
  }
}

/** An abstract socket, which the kernel gives to one process; on other systems chance must do. */
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
