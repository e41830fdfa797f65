import { once } from 'node:events'
import { connect, createServer, type Socket } from 'node:net'

/**
 * A network that breaks: it passes bytes to a port until each of the given numbers of bytes has gone up, then cuts
 * every connection. `to` names the target, as a server may return on another port.
 */
export const openCuttingProxy = async (to: () => number, cutsAt: readonly number[]) => {
  const left = [...cutsAt].sort((a, b) => a - b)
  const open = new Set<Socket>()
  let passed = 0
  let cuts = 0
  const cut = () => {
    cuts += 1
    for (const socket of open) socket.destroy()
  }
  const server = createServer(near => {
    const far = connect(to(), '127.0.0.1')
    for (const [socket, other] of [
      [near, far],
      [far, near],
    ] as const) {
      open.add(socket)
      socket
        .on('error', () => {})
        .on('close', () => {
          open.delete(socket)
          other.destroy()
        })
    }
    far.pipe(near)
    near.on('data', chunk => {
      passed += chunk.length
      const due = left[0]
      if (due !== undefined && passed >= due) {
        left.shift()
        return cut()
      }
      if (!far.write(chunk)) {
        near.pause()
        far.once('drain', () => near.resume())
      }
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as { port: number }
  return {
    url: `http://127.0.0.1:${port}`,
    cuts: () => cuts,
    passed: () => passed,
    cut,
    async close() {
      cut()
      server.close()
      await once(server, 'close')
    },
  }
}
