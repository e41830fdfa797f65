import type { Worker } from 'node:cluster'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Logger } from 'pino'
import { presenceMemory } from '../accounts/sessions/presence.ts'
import { openFoundation } from '../foundation.ts'
import { CannotStart } from '../platform/process/cannot-start.ts'
import { openNeighbourhood } from '../platform/process/sibling-processes.ts'
import type { Service } from '../service.ts'
import type { Config } from '../settings/config.ts'
import { closeUntaken } from './cluster-wire.ts'
import type { Serves, ToProcess } from './messages.ts'
import { forgetState, writeState } from './state.ts'
import { endOf, endWithin, fork, startOf } from './worker.ts'

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
  const supervisor = new Supervisor(config, log)
  const stop = async () => {
    foundation.announceStop()
    await supervisor.stop()
  }
  try {
    await supervisor.startAll()
  } catch (fault) {
    await stop()
    await foundation.abandon()
    throw fault
  }
  return {
    ...supervisor.serves,
    restart: () => supervisor.restart(),
    async stop() {
      await stop()
      await foundation.close()
    },
  }
}

class Supervisor {
  readonly #config: Config
  readonly #log: Logger
  readonly #places: (Running | undefined)[]
  readonly #living = new Set<Worker>()
  readonly #neighbourhood = openNeighbourhood(presenceMemory())
  #stopping = false
  #restarts = 0
  #died = 0
  #restarting: Promise<void> | undefined
  #replaced = 0
  #finishing: number | null = null

  constructor(config: Config, log: Logger) {
    this.#config = config
    this.#log = log
    this.#places = Array.from({ length: config.processes })
  }

  get serves(): Serves {
    return (this.#places[0] as Running).serves
  }

  async startAll() {
    // Problems with the settings are reported once, and one process creates the tables.
    this.#put(0, await this.#start(0))
    const others = [...this.#places.keys()].slice(1)
    await Promise.all(others.map(async place => this.#put(place, await this.#start(place))))
  }

  restart(): Promise<void> {
    this.#restarting ??= this.#restartAll()
      .then(
        () => null,
        fault => {
          this.#log.error({ err: fault }, 'the processes cannot be restarted; those that were there go on')
          return fault instanceof CannotStart ? fault.message : String(fault)
        },
      )
      .then(failure => {
        this.#restarting = undefined
        this.#replaced = 0
        this.#restarts += 1
        if (!this.#stopping) this.#writeDown(failure)
      })
    this.#writeDown()
    return this.#restarting
  }

  async stop() {
    this.#stopping = true
    const all = [...this.#living]
    for (const worker of all) worker.process.kill('SIGTERM')
    await endWithin(stopsWithinMs, all, Promise.all(all.map(endOf)))
    forgetState(this.#config.dataDir)
  }

  async #restartAll() {
    for (const place of this.#places.keys()) {
      if (this.#stopping) return
      await this.#renew(place)
      this.#replaced += 1
      if (!this.#stopping) this.#writeDown()
    }
  }

  /** Starts a process in this place; the one that was there hands over to it. */
  async #renew(place: number) {
    const before = this.#put(place, await this.#start(place))
    if (before) await this.#handOver(before)
  }

  async #start(place: number): Promise<Running> {
    const worker = await fork(place)
    this.#living.add(worker)
    this.#neighbourhood.add(worker)
    closeUntaken(worker)
    const gone = endOf(worker).finally(() => this.#living.delete(worker))
    const serves = await startOf(worker, gone)
    return { worker, serves, since: performance.now(), gone }
  }

  #put(place: number, running: Running) {
    const before = this.#places[place]
    this.#places[place] = running
    void running.gone.then(([code, signal]) => {
      if (this.#stopping || this.#places[place] !== running) return
      this.#log.error({ process: running.worker.process.pid, code, signal }, 'a process died and is started again')
      this.#places[place] = undefined
      this.#died += 1
      this.#writeDown()
      void this.#startAgain(place, running)
    })
    this.#writeDown()
    return before
  }

  async #startAgain(place: number, { since }: Running) {
    const settled = performance.now() - since > settledMs
    if (!settled) await sleep(againAfterMs.most / 5)
    for (let pauseMs = againAfterMs.least; !this.#stopping && !this.#places[place]; ) {
      try {
        await this.#renew(place)
      } catch (err) {
        this.#log.error({ err, againInMs: pauseMs }, 'a process that died cannot be started again; it is tried on')
        await sleep(pauseMs)
      }
      pauseMs = Math.min(pauseMs * 2, againAfterMs.most)
    }
  }

  async #handOver({ worker, gone }: Running) {
    if (worker.isConnected()) worker.send({ afterglow: 'hand over' } satisfies ToProcess)
    this.#finishing = worker.process.pid ?? null
    this.#writeDown()
    await endWithin(handsOverWithinMs, [worker], gone)
    this.#finishing = null
  }

  /** The command line reads this file, and each process uses it to report on the others. */
  #writeDown(failure: string | null = null) {
    writeState(this.#config.dataDir, {
      supervisor: process.pid,
      processes: this.#places.map(running => running?.worker.process.pid ?? null),
      restarts: this.#restarts,
      restarting: this.#restarting !== undefined,
      replaced: this.#replaced,
      finishing: this.#finishing,
      failure,
    })
    const serving = this.#places.filter(running => running !== undefined)
    const places = { serving: serving.length, of: this.#places.length, died: this.#died }
    const message: ToProcess = { afterglow: 'places', places }
    for (const { worker } of serving) if (worker.isConnected()) worker.send(message)
  }
}
