import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { openSync } from 'node:fs'

const running = new Set<ChildProcess>()
// Ends what the bench started, however it exits. The service stops its own database.
process.once('exit', () => {
  for (const child of running) child.kill('SIGTERM')
})
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, () => process.exit(130))

export type Program = { child: ChildProcess; pid: number; stop(): Promise<void> }

/** Starts a program of ours under this Node. It logs to a file or sends us messages. */
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
