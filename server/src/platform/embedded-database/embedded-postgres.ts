import { readFileSync, statSync, truncateSync } from 'node:fs'
import { totalmem } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { BaseLogger } from 'pino'
import { CannotStart } from '../process/cannot-start.ts'
import { answers, type EmbeddedAddresses, embeddedAddresses } from './postgres-address.ts'
import { findPostgresBinaries } from './postgres-binaries.ts'
import { accessSetting, clearSockets, closeDoors, clusterUser, prepareCluster } from './postgres-cluster.ts'
import { ensureServiceRole } from './postgres-roles.ts'
import {
  askToStop,
  forceToStop,
  livingPostmaster,
  type Postmaster,
  runsOver,
  startPostmaster,
  wasStartedWith,
} from './postmaster.ts'

/** The addresses stay the same, even over a crash of the database. */
export type EmbeddedPostgres = EmbeddedAddresses & {
  /** Ends sessions and shuts the database down; safe to repeat. */
  stop(): Promise<void>
}

/** An eighth of the machine's memory: a page that is missing is fetched from the system's cache, at some µs each. */
function sharedBuffersMiB() {
  return Math.round(Math.min(2048, Math.max(128, totalmem() / 8 / 2 ** 20)))
}

const baseSettings = [
  // No port, which anybody could take after a crash: a socket that only its owner can reach. Relative to the cluster,
  // where PostgreSQL runs, because parent directories may be inaccessible to its user.
  'listen_addresses=',
  'unix_socket_directories=../socket',
  'unix_socket_permissions=0700',
  'port=5432',
  'max_connections=100',
  `shared_buffers=${sharedBuffersMiB()}MB`,
  'random_page_cost=1.1',
  'max_logical_replication_workers=0',
  'jit=off',
  'fsync=on',
  'synchronous_commit=on',
  'timezone=UTC',
  'log_timezone=UTC',
  // Its log is only about its own state. Failed statements are ours to report; in its log they would contain e-mail
  // addresses and messages.
  'log_min_messages=log',
  'log_min_error_statement=panic',
  'log_error_verbosity=terse',
  'log_checkpoints=off',
  'cluster_name=afterglow',
]
const logBytesMax = 10 * 1024 * 1024
/** Errors at startup that may disappear on a retry: a predecessor that is still exiting. */
const passing = /lock file|shared memory block/
const failuresMax = 10
const watchEveryMs = 200
const retryAfterMs = 2000
const stopWithinMs = 20_000

/**
 * Our own PostgreSQL inside `directory`, created on the first call, on a socket in a private directory. One left
 * running by a killed server is taken over; one that dies is restarted until stop(). `settings` are PostgreSQL's own
 * (`name=value`) and override ours. `demand` is asked, with the superuser's address, before anything is changed in it: if
 * it throws, the version that made it starts as before. Requires the data directory's lock; throws CannotStart.
 */
export async function openEmbeddedPostgres({
  directory,
  password,
  log,
  settings = [],
  demand,
}: {
  directory: string
  password: string
  log: Pick<BaseLogger, 'info' | 'warn' | 'error'>
  settings?: string[]
  demand?: (superuserUrl: string) => Promise<void>
}): Promise<EmbeddedPostgres> {
  const cluster = join(directory, 'cluster')
  const logFile = join(directory, 'postgres.log')
  const user = clusterUser(cluster)
  const { initdb, postgres } = await findPostgresBinaries(user)
  await prepareCluster(directory, user, initdb, { password, durable: !settings.includes('fsync=off') })
  closeDoors(directory, user)
  if (sizeOf(logFile) > logBytesMax) truncateSync(logFile)

  const closing = new AbortController()
  const abandon = () => {
    const left = livingPostmaster(cluster)
    if (left) askToStop(left)
  }
  process.on('exit', abandon)

  const addresses = embeddedAddresses(directory, password)
  const isUp = () => answers(addresses.superuserUrl)
  const allSettings = [...baseSettings, accessSetting(cluster, user), ...settings]

  /** What kill -9 left behind takes a second or two to exit, so we wait for it. */
  async function start(): Promise<Postmaster> {
    for (let failures = 0; ; await sleep(Math.min(25 * 2 ** failures, 1000), null, { signal: closing.signal })) {
      const left = livingPostmaster(cluster)
      if (!left) {
        const logged = sizeOf(logFile)
        const started = await startNew()
        if (started) return started
        const complaint = lastComplaint(logFile, logged)
        if (!passing.test(complaint) || ++failures === failuresMax) {
          throw new CannotStart(`The embedded database in ${directory} does not start: ${complaint}`)
        }
      } else if (!wasStartedWith(cluster, allSettings)) {
        askToStop(left)
      } else if (await isUp()) {
        log.info({ pid: left.pid }, 'the database was still running and is taken over')
        return left
      }
    }
  }

  async function startNew(): Promise<Postmaster | null> {
    clearSockets(directory)
    const child = await startPostmaster(postgres, cluster, user, allSettings, logFile)
    const runs = () => child.exitCode === null && child.signalCode === null
    try {
      while (child.pid && runs()) {
        if (await isUp()) return { pid: child.pid }
        await sleep(15, null, { signal: closing.signal })
      }
      return null
    } catch (fault) {
      child.kill('SIGINT')
      while (runs()) await sleep(15)
      throw fault
    }
  }

  async function keepRunning(current: Postmaster): Promise<void> {
    while (!closing.signal.aborted) {
      await sleep(watchEveryMs, null, { ref: false, signal: closing.signal })
      if (runsOver(current.pid, cluster)) continue
      log.error({ pid: current.pid }, 'the database died and is started again')
      try {
        current = await start()
        log.info({ pid: current.pid }, 'the database runs again')
      } catch (fault) {
        if (closing.signal.aborted) return
        log.error({ err: fault }, 'the database cannot be started; trying on')
        await sleep(retryAfterMs, null, { ref: false, signal: closing.signal })
      }
    }
  }

  async function shutDown(): Promise<void> {
    const askedAt = Date.now()
    for (let left = livingPostmaster(cluster); left; left = livingPostmaster(cluster)) {
      if (Date.now() - askedAt < stopWithinMs) askToStop(left)
      else forceToStop(left)
      await sleep(20)
    }
    process.off('exit', abandon)
  }

  try {
    const first = await start()
    await demand?.(addresses.superuserUrl)
    await ensureServiceRole(addresses, password)
    const kept = keepRunning(first).catch(() => {})
    let stopped: Promise<void> | null = null
    return {
      ...addresses,
      stop() {
        closing.abort()
        stopped ??= kept.then(shutDown)
        return stopped
      },
    }
  } catch (fault) {
    await shutDown()
    throw fault
  }
}

function lastComplaint(logFile: string, fromByte: number): string {
  const lines = readFileSync(logFile).subarray(fromByte).toString().trim().split('\n')
  return lines.findLast(line => /FATAL|PANIC/.test(line)) ?? lines.at(-1) ?? ''
}

const sizeOf = (file: string) => statSync(file, { throwIfNoEntry: false })?.size ?? 0
