import { once } from 'node:events'
import { type Side, Void } from './figures.ts'
import { meter } from './meter.ts'
import { startProgram } from './program.ts'

/** Starts bench/ceilings/<name>.ts, and waits for what it says first. */
const start = async (name: string, given: Record<string, unknown>) => {
  const path = new URL(`../ceilings/${name}.ts`, import.meta.url).pathname
  const { child, pid, stop } = startProgram([path], { GIVEN: JSON.stringify(given) }, 'messages')
  const ended = once(child, 'exit').then(() => Promise.reject(new Error(`The ceiling ${name} ended.`)))
  const [said] = await Promise.race([once(child, 'message'), ended])
  ended.catch(() => {})
  return { child, pid, said, stop }
}

/** A ceiling that is an HTTP server, which tells the port it listens on. */
export const startCeilingServer = async (name: string, given: Record<string, unknown> = {}) => {
  const { child, pid, said, stop } = await start(name, given)
  /** Of a broadcast: its text, so many times to everybody. */
  const send = (times: number) => void child.send({ times })
  return { server: pid, port: said as number, send, stop }
}

/** What such a program answers to `{ seconds }`: what it did, or what failed. */
type Worked = { operations: number; seconds: number; p50: number; p99: number } | { failed: string }

/** A ceiling that does its work by itself, told for how long. Its own CPU time is the client's, PostgreSQL's counts. */
export const startCeilingWorker = async (
  name: string,
  given: Record<string, unknown>,
  { postgres, countsItself = false }: { postgres: number; countsItself?: boolean },
): Promise<{ side: Side; stop(): Promise<void> }> => {
  const { child, pid, stop } = await start(name, given)
  const side: Side = {
    async run(seconds) {
      const spent = meter({ postgres, ...(countsItself ? { server: pid } : { server: null, client: pid }) })
      child.send({ seconds })
      const [worked] = (await once(child, 'message')) as [Worked]
      if ('failed' in worked) throw new Void(worked.failed)
      const { operations, seconds: took, p50, p99 } = worked
      return { rate: operations / took, p50, p99, ...spent(operations) }
    },
  }
  return { side, stop }
}
