import cluster, { type Worker } from 'node:cluster'
import { once } from 'node:events'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Logger } from 'pino'
import { presenceMemory } from '../accounts/sessions/presence.ts'
import { openFoundation } from '../foundation.ts'
import { CannotStart } from '../platform/process/cannot-start.ts'
import { openNeighbourhood } from '../platform/process/neighbours.ts'
import { nodeIn, ourTree, treeToStart } from '../platform/process/releases.ts'
import type { Service } from '../service.ts'
import type { Config } from '../settings/config.ts'
import { closeUntaken } from './cluster-wire.ts'
import { isOurs, type Serves, type ToProcess, type ToSupervisor } from './messages.ts'
import { placeVariable } from './one-of-several.ts'
import { forgetState, writeState } from './state.ts'

export type Processes = Service & {
  /** Replaces each process with a new one, one at a time; the others answer requests meanwhile. */
  restart(): Promise<void>
}

type Running = { worker: Worker; serves: Serves; since: number; gone: Promise<unknown[]> }

const againAfterMs = { least: 100, most: 5_000 }
/** A process that lived this long did not die of its start. */
const settledMs = 10_000
/** Longer than a process takes to stop or hand over. */
const stopsWithinMs = 11_000
const handsOverWithinMs = 150_000

/**
 * Several processes behind one port, on one data directory and one database, which this process owns: it accepts
 * connections and distributes them, restarts processes that die, and serves nothing itself. They end with it.
 */
export async function startProcesses(config: Config, log: Logger): Promise<Processes> {
  // One more during a restart.
  const foundation = await openFoundation(config, log, config.processes + 1)
  const places: (Running | undefined)[] = Array.from({ length: config.processes })
  const living = new Set<Worker>()
  const neighbourhood = openNeighbourhood(presenceMemory())
  let stopping = false
  let restarts = 0
  let restarting: Promise<void> | undefined
  let replaced = 0
  let finishing: number | null = null

  /** What the command line reads, and what each process tells of the others. */
  const writeDown = (failure: string | null = null) => {
    writeState(config.dataDir, {
      supervisor: process.pid,
      processes: places.map(running => running?.worker.process.pid ?? null),
      restarts,
      restarting: restarting !== undefined,
      replaced,
      finishing,
      failure,
    })
    const serving = places.filter(running => running !== undefined)
    const message: ToProcess = { afterglow: 'places', places: { serving: serving.length, of: places.length } }
    for (const { worker } of serving) if (worker.isConnected()) worker.send(message)
  }

  const start = async (place: number): Promise<Running> => {
    const worker = await fork(place)
    living.add(worker)
    neighbourhood.add(worker)
    closeUntaken(worker)
    const gone = endOf(worker).finally(() => living.delete(worker))
    const serves = await startOf(worker, gone)
    return { worker, serves, since: performance.now(), gone }
  }

  const put = (place: number, running: Running) => {
    const before = places[place]
    places[place] = running
    void running.gone.then(([code, signal]) => {
      if (stopping || places[place] !== running) return
      log.error({ process: running.worker.process.pid, code, signal }, 'a process died and is started again')
      places[place] = undefined
      writeDown()
      void startAgain(place, running)
    })
    writeDown()
    return before
  }

  const startAgain = async (place: number, { since }: Running) => {
    const settled = performance.now() - since > settledMs
    if (!settled) await sleep(againAfterMs.most / 5)
    for (
      let pauseMs = againAfterMs.least;
      !stopping && !places[place];
      pauseMs = Math.min(pauseMs * 2, againAfterMs.most)
    )
      try {
        const before = put(place, await start(place))
        if (before) await replace(before)
      } catch (err) {
        log.error({ err, againInMs: pauseMs }, 'a process that died cannot be started again; it is tried on')
        await sleep(pauseMs)
      }
  }

  const replace = async ({ worker, gone }: Running) => {
    if (worker.isConnected()) worker.send({ afterglow: 'hand over' } satisfies ToProcess)
    finishing = worker.process.pid ?? null
    writeDown()
    await endWithin(handsOverWithinMs, [worker], gone)
    finishing = null
  }

  const restartAll = async () => {
    for (const place of places.keys()) {
      if (stopping) return
      const before = put(place, await start(place))
      if (before) await replace(before)
      replaced += 1
      if (!stopping) writeDown()
    }
  }

  const stop = async () => {
    stopping = true
    foundation.tellStopping()
    const all = [...living]
    for (const worker of all) worker.process.kill('SIGTERM')
    await endWithin(stopsWithinMs, all, Promise.all(all.map(endOf)))
    forgetState(config.dataDir)
  }

  try {
    // Problems with the settings are reported once, and one process creates the tables.
    put(0, await start(0))
    const others = [...places.keys()].slice(1).map(async place => put(place, await start(place)))
    await Promise.all(others)
  } catch (fault) {
    await stop()
    await foundation.abandon()
    throw fault
  }

  return {
    ...(places[0] as Running).serves,
    restart() {
      restarting ??= restartAll()
        .then(
          () => null,
          fault => {
            log.error({ err: fault }, 'the processes cannot be restarted; those that were there go on')
            return fault instanceof CannotStart ? fault.message : String(fault)
          },
        )
        .then(failure => {
          restarting = undefined
          replaced = 0
          restarts += 1
          if (!stopping) writeDown(failure)
        })
      writeDown()
      return restarting
    },
    async stop() {
      await stop()
      await foundation.close()
    },
  }
}

const ourNode = process.execPath

/** Throws CannotStart if the system gives no further process, memory or file, or Node is not where it was. */
async function fork(place: number): Promise<Worker> {
  const tree = treeToStart()
  cluster.setupPrimary({ exec: join(tree, 'server/src/main.ts'), ...(tree !== ourTree && { cwd: tree }) })
  // What Node forks with.
  process.execPath = tree === ourTree ? ourNode : nodeIn(tree)
  const worker = cluster.fork({ [placeVariable]: String(place) })
  if (worker.process.pid !== undefined) return worker
  // Node tells it in the next tick, and nothing else about this process ever.
  const [fault] = await once(worker, 'error')
  delete cluster.workers?.[worker.id]
  throw new CannotStart(`Another process cannot be started: ${(fault as Error).message}.`)
}

/** A message to a process that is exiting may fail, which is not an error: what counts is that it ends. */
function endOf(worker: Worker): Promise<unknown[]> {
  worker.on('error', () => {})
  return new Promise(resolve => worker.once('exit', (...how) => resolve(how)))
}

/** Resolves when it serves; throws CannotStart if it does not get that far. */
function startOf(worker: Worker, gone: Promise<unknown[]>): Promise<Serves> {
  return new Promise((resolve, reject) => {
    worker.on('message', (message: unknown) => {
      if (!isOurs(message)) return
      const said = message as ToSupervisor
      if (said.afterglow === 'serves') resolve(said.serves)
      else reject(new CannotStart(said.sentence))
    })
    void gone.then(() => reject(new CannotStart('A process ended before it served; what it said stands above.')))
  })
}

async function endWithin(ms: number, workers: Worker[], gone: Promise<unknown[]>): Promise<void> {
  const late = setTimeout(() => {
    for (const worker of workers) worker.process.kill('SIGKILL')
  }, ms)
  await gone.finally(() => clearTimeout(late))
}
