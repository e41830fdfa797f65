import { once } from 'node:events'
import { readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Started, startProgram, stopProgram } from './child.ts'
import { type Side, Void } from './figures.ts'
import { type Load, load } from './http-load.ts'
import { type Metered, meter } from './meter.ts'

const programs = new URL('../ceilings/', import.meta.url).pathname
/** A port for its inspector that nobody has, should garbage.ts open that. */
const nodeOptions = '--inspect-port=0'

const start = async (
  name: string,
  given: Record<string, unknown>,
): Promise<{ started: Started; told: unknown; logFile: string; stop(): Promise<void> }> => {
  const logFile = join(tmpdir(), `afterglow-ceiling-${process.pid}-${name}.log`)
  const env = { GIVEN: JSON.stringify(given), NODE_OPTIONS: nodeOptions }
  const started = startProgram([`${programs}${name}.ts`], { env, logFile, ipc: true })
  const ended = once(started.child, 'exit').then(() => {
    throw new Error(`The ceiling ${name} ended:\n${readFileSync(logFile, 'utf8')}`)
  })
  const [told] = await Promise.race([once(started.child, 'message'), ended])
  ended.catch(() => {})
  const stop = async () => {
    await stopProgram(started)
    rmSync(logFile)
  }
  return { started, told, logFile, stop }
}

/** A ceiling that is an HTTP server: bench/ceilings/<name>.ts, which tells the port it listens on. */
export const startCeilingServer = async (name: string, given: Record<string, unknown> = {}) => {
  const { started, told, logFile, stop } = await start(name, given)
  const tell = (what: string) => void started.child.send(what)
  return { server: started.pid, port: told as number, logFile, tell, stop }
}

/** Until code is compiled and what may be kept is: so many operations, or as many as these seconds allow. */
const warmUp = { operations: 1500, secondsLeast: 0.5, secondsMost: 3 }

/** One round of HTTP load on a server, with what an operation cost. */
export const httpSide = (given: Load, metered: Metered): Side => ({
  async run(seconds) {
    const spent = meter(metered)
    const { operations, seconds: took, p50, p99 } = await load(given, seconds)
    return { rate: operations / took, p50, p99, ...spent(operations) }
  },
  async warm() {
    for (let [operations, seconds] = [0, 0]; seconds < warmUp.secondsMost; ) {
      const loaded = await load(given, warmUp.secondsLeast)
      operations += loaded.operations
      seconds += loaded.seconds
      if (operations >= warmUp.operations) return
    }
  },
})

/** What such a program answers to `{ seconds }`: what it did, or what failed. */
export type Worked = { operations: number; seconds: number; p50: number; p99: number } | { failed: string }

/** A ceiling that does its work by itself, told for how long. Its own CPU time is the client's, PostgreSQL's counts. */
export const startCeilingWorker = async (
  name: string,
  given: Record<string, unknown>,
  metered: { postgres: number; countsItself?: boolean },
): Promise<{ side: Side; stop(): Promise<void> }> => {
  const { started, stop } = await start(name, given)
  const own = metered.countsItself ? { server: started.pid } : { server: null, client: started.pid }
  const side: Side = {
    async run(seconds) {
      const spent = meter({ postgres: metered.postgres, ...own })
      started.child.send({ seconds })
      const [worked] = (await once(started.child, 'message')) as [Worked]
      if ('failed' in worked) throw new Void(worked.failed)
      const { operations, seconds: took, p50, p99 } = worked
      return { rate: operations / took, p50, p99, ...spent(operations) }
    },
  }
  return { side, stop }
}
