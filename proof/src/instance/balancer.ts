import { once } from 'node:events'
import { connect, createServer, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'

/** Passes each connection to a process that reports ready, as a proxy with health checks does. */
export const openBalancer = async (ports: () => readonly number[]) => {
  const open = new Set<Socket>()
  const ready = new Map<number, boolean>()
  let looking = true
  let next = 0
  const looked = (async () => {
    for (; looking; await sleep(100))
      await Promise.all(
        ports().map(async port => {
          const reply = await fetch(`http://127.0.0.1:${port}/readyz`, { signal: AbortSignal.timeout(2000) }).catch(
            () => undefined,
          )
          ready.set(port, reply?.status === 200)
        }),
      )
  })()
  /** Ready processes first, in turn, then the others: the last health check may be outdated. */
  const inTurn = () => {
    next += 1
    const all = ports().map((_, at, list) => list[(at + next) % list.length] as number)
    return [...all.filter(port => ready.get(port)), ...all.filter(port => !ready.get(port))]
  }
  const server = createServer(near => {
    open.add(near.on('error', () => {}).on('close', () => open.delete(near)))
    near.pause()
    const trying = (candidates: readonly number[]) => {
      const [port, ...others] = candidates
      if (port === undefined) return void near.destroy()
      const far = connect(port, '127.0.0.1')
      let connected = false
      far.once('connect', () => {
        connected = true
        open.add(far.on('close', () => open.delete(far)))
        near.pipe(far)
        far.pipe(near)
        near.on('close', () => far.destroy())
        far.on('close', () => near.destroy())
        far.on('error', () => near.destroy())
      })
      // Nothing has been passed on yet, so the next process may serve it.
      far.once('error', () => connected || trying(others))
    }
    trying(inTurn())
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as { port: number }).port}`,
    async close() {
      looking = false
      for (const socket of open) socket.destroy()
      server.close()
      await looked
    },
  }
}
