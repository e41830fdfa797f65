import { readFileSync, statSync, truncateSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { BaseLogger } from 'pino'
import { CannotStart } from '../process/cannot-start.ts'
import { clearSockets, type SystemUser } from './postgres-cluster.ts'
import {
  askToStop,
  forceToStop,
  livingPostmaster,
  type Postmaster,
  runsOver,
  startPostmaster,
  wasStartedWith,
} from './postmaster.ts'

const logBytesMax = 10 * 1024 * 1024
/** Errors at startup that may disappear on a retry: a predecessor that is still exiting. */
const passing = /lock file|shared memory block/
const failuresMax = 10
const watchEveryMs = 200
const retryAfterMs = 2000
const stopWithinMs = 20_000

export type Keeping = {
  directory: string
  cluster: string
  user: SystemUser
  /** PostgreSQL's program. */
  postgres: string
  settings: string[]
  isUp(): Promise<boolean>
  log: Pick<BaseLogger, 'info' | 'warn' | 'error'>
}

/** Starts the database of a cluster, adopts a running one, and restarts it when it dies. */
export class PostgresKeeper {
  readonly #keeping: Keeping
  readonly #logFile: string
  readonly #closing = new AbortController()

  constructor(keeping: Keeping) {
    this.#keeping = keeping
    this.#logFile = join(keeping.directory, 'postgres.log')
    if (sizeOf(this.#logFile) > logBytesMax) truncateSync(this.#logFile)
    process.on('exit', this.#abandon)
  }

  /** A killed predecessor takes a second or two to exit, so we wait for it. */
  async start(): Promise<Postmaster> {
    const { directory, cluster, settings, isUp, log } = this.#keeping
    for (let failures = 0; ; await this.#sleep(Math.min(25 * 2 ** failures, 1000))) {
      const left = livingPostmaster(cluster)
      if (!left) {
        const logged = sizeOf(this.#logFile)
        const started = await this.#startNew()
        if (started) return started
        const complaint = lastComplaint(this.#logFile, logged)
        if (!passing.test(complaint) || ++failures === failuresMax) {
          throw new CannotStart(`The embedded database in ${directory} does not start: ${complaint}`)
        }
      } else if (!wasStartedWith(cluster, settings)) {
        askToStop(left)
      } else if (await isUp()) {
        log.info({ pid: left.pid }, 'the database was still running and is taken over')
        return left
      }
    }
  }

  /** Runs until `letGo`. */
  async keepRunning(current: Postmaster): Promise<void> {
    const { cluster, log } = this.#keeping
    while (!this.#closing.signal.aborted) {
      await this.#sleep(watchEveryMs, false)
      if (runsOver(current.pid, cluster)) continue
      log.error({ pid: current.pid }, 'the database died and is started again')
      try {
        current = await this.start()
        log.info({ pid: current.pid }, 'the database runs again')
      } catch (fault) {
        if (this.#closing.signal.aborted) return
        log.error({ err: fault }, 'the database cannot be started; trying on')
        await this.#sleep(retryAfterMs, false)
      }
    }
  }

  letGo() {
    this.#closing.abort()
  }

  async shutDown(): Promise<void> {
    const { cluster } = this.#keeping
    const askedAt = Date.now()
    for (let left = livingPostmaster(cluster); left; left = livingPostmaster(cluster)) {
      if (Date.now() - askedAt < stopWithinMs) askToStop(left)
      else forceToStop(left)
      await sleep(20)
    }
    process.off('exit', this.#abandon)
  }

  async #startNew(): Promise<Postmaster | null> {
    const { directory, cluster, user, postgres, settings, isUp } = this.#keeping
    clearSockets(directory)
    const child = await startPostmaster(postgres, cluster, user, settings, this.#logFile)
    const runs = () => child.exitCode === null && child.signalCode === null
    try {
      while (child.pid && runs()) {
        if (await isUp()) return { pid: child.pid }
        await this.#sleep(15)
      }
      return null
    } catch (fault) {
      child.kill('SIGINT')
      while (runs()) await sleep(15)
      throw fault
    }
  }

  /** Throws after `letGo`. */
  #sleep(ms: number, ref = true) {
    return sleep(ms, null, { ref, signal: this.#closing.signal })
  }

  readonly #abandon = () => {
    const left = livingPostmaster(this.#keeping.cluster)
    if (left) askToStop(left)
  }
}

function lastComplaint(logFile: string, fromByte: number): string {
  const lines = readFileSync(logFile).subarray(fromByte).toString().trim().split('\n')
  return lines.findLast(line => /FATAL|PANIC/.test(line)) ?? lines.at(-1) ?? ''
}

const sizeOf = (file: string) => statSync(file, { throwIfNoEntry: false })?.size ?? 0
