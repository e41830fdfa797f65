import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { connect } from 'node:net'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { type MissingTool, missingTool } from '../missing-tool.ts'
import { atTheLatest, freePort, missingOf, signal, until } from './processes.ts'

/** A Redis without persistence. */
export type Redis = {
  port: number
  start(): Promise<void>
  /** Kills it with all its data. */
  kill(): Promise<void>
  /** Keeps its connections open and answers nothing. */
  pause(): void
  goOn(): void
  empty(): Promise<void>
}

export const lacksRedis = (): MissingTool | undefined =>
  missingOf(['redis-server']).length > 0 ? missingTool('redis-server', 'redis-server') : undefined

export const openRedis = async (directory: string): Promise<Redis> => {
  const port = await freePort()
  let server: ChildProcess | undefined
  const send = (name: NodeJS.Signals) => server?.pid && server.exitCode === null && signal(server.pid, name)
  atTheLatest(() => send('SIGKILL'))
  const redis: Redis = {
    port,
    async start() {
      const options = { port, bind: '127.0.0.1', save: '', appendonly: 'no', dir: directory }
      const words = Object.entries(options).flatMap(([name, value]) => [`--${name}`, String(value)])
      server = spawn('redis-server', [...words, '--logfile', join(directory, 'redis.log')], { stdio: 'ignore' })
      await until('Redis answers', () => says(port, 'PING', '+PONG'))
    },
    async kill() {
      if (!server || server.exitCode !== null || server.signalCode !== null) return
      const gone = once(server, 'exit')
      send('SIGKILL')
      await gone
    },
    pause: () => void send('SIGSTOP'),
    goOn: () => void send('SIGCONT'),
    empty: () => until('Redis is empty', () => says(port, 'FLUSHALL', '+OK')),
  }
  await redis.start()
  return redis
}

const says = async (port: number, command: string, answer: string): Promise<boolean> => {
  const socket = connect(port, '127.0.0.1', () => socket.write(`${command}\r\n`))
  const said = once(socket, 'data').then(([data]) => String(data).startsWith(answer))
  const late = sleep(500, false, { ref: false })
  const result = await Promise.race([said.catch(() => false), late])
  socket.on('error', () => {}).destroy()
  return result
}
