import cluster, { type Worker } from 'node:cluster'
import { once } from 'node:events'
import { join } from 'node:path'
import { CannotStart } from '../platform/process/cannot-start.ts'
import { nodeIn, ourTree, treeToStart } from '../platform/process/releases.ts'
import { isOurs, type Serves, type ToSupervisor } from './messages.ts'
import { placeVariable } from './one-of-several.ts'

/* One of the processes: how it is started, says that it serves, and ends. */

const ourNode = process.execPath

/** Throws CannotStart if the system gives no further process, memory or file, or Node is not where it was. */
export async function fork(place: number): Promise<Worker> {
  const tree = treeToStart()
  cluster.setupPrimary({ exec: join(tree, 'server/src/main.ts'), ...(tree !== ourTree && { cwd: tree }) })
  // cluster.fork starts this executable.
  process.execPath = tree === ourTree ? ourNode : nodeIn(tree)
  const worker = cluster.fork({ [placeVariable]: String(place) })
  if (worker.process.pid !== undefined) return worker
  // Node reports it in the next tick, and never emits anything else about this process.
  const [fault] = await once(worker, 'error')
  delete cluster.workers?.[worker.id]
  throw new CannotStart(`Another process cannot be started: ${(fault as Error).message}.`)
}

/** A message to a process that is exiting may fail, which is not an error: what counts is that it ends. */
export function endOf(worker: Worker): Promise<unknown[]> {
  worker.on('error', () => {})
  return new Promise(resolve => worker.once('exit', (...how) => resolve(how)))
}

/** Resolves when it serves; throws CannotStart if it does not get that far. */
export function startOf(worker: Worker, gone: Promise<unknown[]>): Promise<Serves> {
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

export async function endWithin(ms: number, workers: Worker[], gone: Promise<unknown[]>): Promise<void> {
  const late = setTimeout(() => {
    for (const worker of workers) worker.process.kill('SIGKILL')
  }, ms)
  await gone.finally(() => clearTimeout(late))
}
