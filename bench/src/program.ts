import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { openSync } from 'node:fs'

const running = new Set<ChildProcess>()
// Whatever ends the bench ends what it started. The service stops its database by itself then.
process.once('exit', () => {
  for (const child of running) child.kill('SIGTERM')
})
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, () => process.exit(130))

export type Program = { child: ChildProcess; pid: number; stop(): Promise<void> }

/** Starts a program of ours (file and arguments) under this Node. It writes to a log file, or sends us messages. */
export const startProgram = (
  command: readonly string[],
  env: Record<string, string>,
  output: { logFile: string } | 'messages',
): Program => {
  const log = output === 'messages' ? 'inherit' : openSync(output.logFile, 'w')
  const child = spawn(process.execPath, command, {
    env: { PATH: process.env.PATH, NODE_ENV: 'production', ...env },
    stdio: ['ignore', log, log, ...(output === 'messages' ? (['ipc'] as const) : [])],
  })
  running.add(child)
  const gone = once(child, 'exit').then(() => void running.delete(child))
  const stop = () => {
    child.kill('SIGTERM')
    return gone
  }
  return { child, pid: child.pid as number, stop }
}
