import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { openSync } from 'node:fs'

const running = new Set<ChildProcess>()
// Whatever ends the bench ends what it started. The service stops its database by itself then.
process.once('exit', () => {
  for (const child of running) child.kill('SIGTERM')
})
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, () => process.exit(130))

export type Started = { child: ChildProcess; pid: number }

/** Starts a program of ours (file and arguments) under this Node; output goes to `logFile`. With `ipc` it may send messages. */
export const startProgram = (
  command: readonly string[],
  { env, logFile, ipc = false }: { env: Record<string, string>; logFile: string; ipc?: boolean },
): Started => {
  const log = openSync(logFile, 'w')
  const child = spawn(process.execPath, command, {
    env: { PATH: process.env.PATH, NODE_ENV: 'production', ...env },
    stdio: ['ignore', log, log, ...(ipc ? (['ipc'] as const) : [])],
  })
  running.add(child)
  child.once('exit', () => running.delete(child))
  return { child, pid: child.pid as number }
}

/** Asks it to stop, and waits until it has. */
export const stopProgram = async ({ child }: Started): Promise<void> => {
  if (child.exitCode !== null || child.signalCode !== null) return
  const gone = once(child, 'exit')
  child.kill('SIGTERM')
  await gone
}
