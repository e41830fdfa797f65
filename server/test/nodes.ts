import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { embeddedAddresses } from '../src/platform/embedded-database/postgres-address.ts'
import { askToStop, livingPostmaster } from '../src/platform/embedded-database/postmaster.ts'
import { openSecrets } from '../src/platform/secrets/secrets.ts'
import { type Api, clientOf } from './app.ts'
import { compiled } from './compiled.ts'
import { newFolder } from './new-folder.ts'
import { whenDone } from './when-done.ts'

const ourProgram = new URL('../src/main.ts', import.meta.url).pathname

/** A process of the service, as in production. */
export type Node = {
  url: string
  pid: number
  dataDir: string
  as(token?: string): Api
  withExtra(token: string): Api<true>
  /** Kills it with kill -9. */
  kill(): Promise<unknown>
  stop(): Promise<unknown>
}

/**
 * Several processes of the service over one database that outlives them, the first one's own unless `DATABASE_URL`
 * names another; it ends with the test file. `node` runs them, and `program` is their entry point.
 */
export const openNodes = async (
  env: Record<string, string> = {},
  { node = process.execPath, program = ourProgram } = {},
) => {
  const folder = newFolder('nodes')
  const children = new Set<ChildProcess>()
  let started = 0

  const start = async (more: Record<string, string> = {}): Promise<Node> => {
    started += 1
    const settings = {
      DATA_DIR: join(folder, String(started)),
      PORT: '0',
      LOG_LEVEL: process.env.TEST_LOG ?? 'silent',
      RATE_LIMIT_FACTOR: '1000',
      SIGN_INS_PER_ADDRESS: '100000',
      ...compiled,
      ...env,
      ...more,
    }
    const child = spawn(node, [program], {
      env: settings,
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    children.add(child)
    const gone = once(child, 'exit').finally(() => children.delete(child))
    let said = ''
    // Without destroyOnReturn the pipe would end with the loop.
    for await (const chunk of child.stdout.iterator({ destroyOnReturn: false })) {
      said += chunk
      const url = /(?:listens on|here:) (http:[^\s")]+)/.exec(said)?.[1]
      if (!url) continue
      child.stdout.resume()
      const end = (signal: NodeJS.Signals) => {
        child.kill(signal)
        return gone
      }
      return {
        url,
        pid: child.pid as number,
        dataDir: settings.DATA_DIR,
        as: token => clientOf({ baseUrl: url, ...(token && { token }) }),
        withExtra: token => clientOf({ baseUrl: url, token, extra: true }),
        kill: () => end('SIGKILL'),
        stop: () => end('SIGTERM'),
      }
    }
    throw new Error(`A node does not start: ${said}`)
  }

  const home = env.DATA_DIR ?? join(folder, '1')
  const cluster = join(home, 'postgres', 'cluster')
  whenDone(async () => {
    for (const child of children) child.kill('SIGKILL')
    for (let left = livingPostmaster(cluster); left; left = livingPostmaster(cluster)) {
      askToStop(left)
      await sleep(20)
    }
  })
  const first = await start()
  const embeddedUrl = () => {
    const { databasePassword } = openSecrets(env.SECRETS_FILE ?? join(home, 'secrets.json'))
    return embeddedAddresses(join(home, 'postgres'), databasePassword).url
  }
  const databaseUrl = env.DATABASE_URL ?? embeddedUrl()
  // Settings of one instance, whose database remembers that it has secrets.
  const shared = { DATABASE_URL: databaseUrl, SECRETS_FILE: env.SECRETS_FILE ?? join(home, 'secrets.json') }
  return {
    first,
    databaseUrl,
    /** The data directory of the nth process, counted from 1. */
    homeOf: (nth: number) => join(folder, String(nth)),
    another: (more: Record<string, string> = {}) => start({ ...shared, ...more }),
    /** Restarts a node that has ended, with its own directory. */
    again: ({ dataDir }: Pick<Node, 'dataDir'>, more: Record<string, string> = {}) =>
      start({ ...shared, DATA_DIR: dataDir, ...more }),
  }
}
