import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, openSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { textOf } from '../process/file-text.ts'
import { directoryArgument, type SystemUser } from './postgres-cluster.ts'

/** The first process of a running PostgreSQL. */
export type Postmaster = { pid: number }

/**
 * The postmaster running on this cluster, started by anybody; null if there is none, even if its PID file still
 * exists.
 */
export function livingPostmaster(cluster: string): Postmaster | null {
  const pid = Number(pidFileOf(cluster)[0])
  return pid > 1 && runsOver(pid, cluster) ? { pid } : null
}

/**
 * Starts PostgreSQL on the cluster, detached from our terminal and our exit: Ctrl-C and kill -9 must not reach it
 * before we decide. It locks the cluster or exits; resolves when it has been started, not when it answers.
 */
export async function startPostmaster(
  postgres: string,
  cluster: string,
  user: SystemUser,
  settings: string[],
  logFile: string,
): Promise<ChildProcess> {
  const log = openSync(logFile, 'a', 0o600)
  // A PID file survives kill -9. PostgreSQL replaces it once its process is gone, but mistakes a zombie, or another
  // program that has since got the PID, for a rival. By then we know better: this variable exempts one PID.
  const leftPid = pidFileOf(cluster)[0]
  const postmaster = spawn(
    postgres,
    ['-D', directoryArgument(cluster, user), ...settings.flatMap(setting => ['-c', setting])],
    {
      cwd: cluster,
      detached: true,
      stdio: ['ignore', log, log],
      env: { TZ: 'UTC', ...(leftPid && { PG_GRANDPARENT_PID: leftPid }) },
      ...user,
    },
  )
  try {
    await once(postmaster, 'spawn')
  } finally {
    closeSync(log)
  }
  postmaster.unref()
  return postmaster
}

/** Tells whether the running server was started with these settings. */
export function wasStartedWith(cluster: string, settings: string[]): boolean {
  const given = textOf(join(cluster, 'postmaster.opts')).matchAll(/"-c" "([^"]*)"/g)
  return JSON.stringify([...given].map(match => match[1])) === JSON.stringify(settings)
}

/** Ends sessions, writes a checkpoint and exits; safe to repeat, and if it is gone. */
export function askToStop({ pid }: Postmaster): void {
  signal(pid, 'SIGINT')
}

/** Exits at once, as after a crash: the next start recovers. */
export function forceToStop({ pid }: Postmaster): void {
  signal(pid, 'SIGQUIT')
}

export function runsOver(pid: number, cluster: string): boolean {
  if (process.platform !== 'linux') return signal(pid, 0)
  try {
    const place = statSync(`/proc/${pid}/cwd`)
    const here = statSync(cluster)
    return place.ino === here.ino && place.dev === here.dev
  } catch {
    return false
  }
}

function signal(pid: number, name: NodeJS.Signals | 0): boolean {
  try {
    return process.kill(pid, name)
  } catch (fault) {
    return (fault as NodeJS.ErrnoException).code === 'EPERM'
  }
}

const pidFileOf = (cluster: string) => textOf(join(cluster, 'postmaster.pid')).split('\n')
