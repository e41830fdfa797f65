import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createConnection } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { freePort } from './free-port.ts'
import { newFolder } from './new-folder.ts'
import { whenDone } from './when-done.ts'

/** A Redis for this test file, in memory only. */
export const openTestRedis = async () => {
  const port = await freePort()
  const dir = newFolder('redis')
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
  })
  return {
    url: `redis://127.0.0.1:${port}`,
    /** It stops and loses all its data. */
    stop,
    start,
    /** It keeps every connection open and answers nothing. */
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
