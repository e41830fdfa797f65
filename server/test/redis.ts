import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { createConnection } from 'node:net'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { freePort } from './free-port.ts'
import { whenDone } from './when-done.ts'

/** Whether this machine has a Redis to test with; where it has not, its tests are skipped. */
export const hasRedis = (process.env.PATH ?? '').split(delimiter).some(path => existsSync(join(path, 'redis-server')))

/** A Redis of this test file's own, in memory only. */
export const openTestRedis = async () => {
  const port = await freePort()
  const dir = mkdtempSync(join(tmpdir(), 'afterglow-redis-'))
  let server: ChildProcess | undefined
  const start = async () => {
    const options = ['--port', String(port), '--bind', '127.0.0.1', '--save', '', '--appendonly', 'no', '--dir', dir]
    server = spawn('redis-server', options, { stdio: 'ignore' })
    for (let tries = 0; !(await answers(port)); tries++) {
      if (tries > 200) throw new Error('Redis does not start')
      await sleep(10)
    }
  }
  const stop = async () => {
    if (!server || server.exitCode !== null || server.signalCode !== null) return
    const gone = once(server, 'exit')
    server.kill('SIGKILL')
    await gone
  }
  await start()
  whenDone(async () => {
    await stop()
    rmSync(dir, { recursive: true, force: true })
  })
  return {
    url: `redis://127.0.0.1:${port}`,
    /** It dies with everything it knew. */
    stop,
    start,
    /** It holds every connection and answers nothing. */
    stall: () => server?.kill('SIGSTOP'),
    goOn: () => server?.kill('SIGCONT'),
  }
}

const answers = (port: number) =>
  new Promise<boolean>(resolve => {
    const socket = createConnection(port, '127.0.0.1', () => socket.write('PING\r\n'))
    socket.on('data', () => resolve(true)).on('error', () => resolve(false))
    socket.on('close', () => resolve(false))
    setTimeout(() => socket.destroy(), 500).unref()
  }).then(result => result)
