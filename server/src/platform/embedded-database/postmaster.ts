import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, openSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { directoryArgument, type SystemUser } from './postgres-cluster.ts'

/** The process that a running PostgreSQL consists of first. */
export type Postmaster = { pid: number }

/** The one that runs over this cluster, whoever started it; null when none does, also when its pid file still stands. */
export function livingPostmaster(cluster: string): Postmaster | null {
  const pid = Number(pidFileOf(cluster)[0])
  return pid > 1 && runsOver(pid, cluster) ? { pid } : null
}

/**
 * Starts PostgreSQL over the cluster, apart from our terminal and our end: Ctrl-C and kill -9 must not reach it before we
 * decide. It takes the cluster for itself or exits; resolves when it was started, not when it answers.
 */
export async function startPostmaster(
  postgres: string,
  cluster: string,
  user: SystemUser,
  settings: string[],
  logFile: string,
): Promise<ChildProcess> {
  const log = openSync(logFile, 'a', 0o600)
  // A pid file outlives kill -9. PostgreSQL takes it over once its process is gone, but mistakes a zombie or another
  // program that was given the number since for a rival. We know better by then: this variable excepts one pid.
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

/** Whether the running one was started with these settings. */
export function wasStartedWith(cluster: string, settings: string[]): boolean {
  const given = contentOf(join(cluster, 'postmaster.opts')).matchAll(/"-c" "([^"]*)"/g)
  return JSON.stringify([...given].map(match => match[1])) === JSON.stringify(settings)
}

/** Ends sessions, writes a checkpoint and exits; safe to repeat, and when it is gone. */
export function askToStop({ pid }: Postmaster): void {
  signal(pid, 'SIGINT')
}

/** Exits at once, like after a crash: the next start recovers. */
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

const pidFileOf = (cluster: string) => contentOf(join(cluster, 'postmaster.pid')).split('\n')

function contentOf(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return ''
  }
}
