import { once } from 'node:events'
import { rmSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pino } from 'pino'
import { openApp } from '../app.ts'
import { openDatabase } from '../platform/database/database.ts'
import { forceToStop, livingPostmaster } from '../platform/embedded-database/postmaster.ts'
import type { Push } from '../platform/push/senders.ts'
import { newVapidKeys } from '../platform/push/web-push/vapid-keys.ts'
import { readConfig } from '../settings/config.ts'
import { openSandboxDatabases } from './databases.ts'
import { fillInitialState } from './initial-state.ts'
import { openDesk, openPushRecorder } from './recorder.ts'

export type Sandbox = {
  url: string
  /** Pushes and mails, and the reset. */
  deskUrl: string
  /** Everything is back to its initial state. */
  reset(): Promise<void>
  close(): Promise<void>
}

const log = pino({ level: 'silent' })

/** The real service on a throwaway database, with fixed people. Nothing of it outlives it. */
export const openSandbox = async ({ port, deskPort }: { port: number; deskPort: number }): Promise<Sandbox> => {
  const dataDir = await mkdtemp(join(tmpdir(), 'afterglow-sandbox-'))
  const forgetAll = () => forget(dataDir)
  process.on('exit', forgetAll)
  const databases = await openSandboxDatabases(join(dataDir, 'postgres'), log)
  const { push, pushes } = openPushRecorder()
  const mailFolder = join(dataDir, 'mail')
  const serve = openServe(dataDir, port, push)

  await databases.createBeginning()
  const first = await serve(databases.beginningUrl, 0)
  await fillInitialState(first.url)
  await first.close()
  await databases.fixInitialState()

  const begin = async (at: number) => {
    await databases.beginAnew()
    pushes.length = 0
    await rm(mailFolder, { recursive: true, force: true })
    return serve(databases.nowUrl, at)
  }
  let running = await begin(port)
  const own = Number(new URL(running.url).port)
  let resetting: Promise<void> | undefined
  const reset = () => {
    // Concurrent callers get the same initial state.
    resetting ??= (async () => {
      await running.close()
      running = await begin(own)
    })().finally(() => {
      resetting = undefined
    })
    return resetting
  }

  const desk = openDesk({ pushes, mailFolder, serviceUrl: () => running.url, reset })
  desk.listen(deskPort, '127.0.0.1')
  await once(desk, 'listening')
  return {
    url: running.url,
    deskUrl: `http://127.0.0.1:${(desk.address() as AddressInfo).port}`,
    reset,
    async close() {
      await resetting
      desk.closeAllConnections()
      desk.close()
      await running.close()
      await databases.close()
      process.off('exit', forgetAll)
      forgetAll()
    },
  }
}

const forget = (dataDir: string) => {
  const left = livingPostmaster(join(dataDir, 'postgres/cluster'))
  if (left) forceToStop(left)
  rmSync(dataDir, { recursive: true, force: true, maxRetries: 10 })
}

/** Serves a database, at any free port if that is 0. */
const openServe = (dataDir: string, port: number, push: Push) => {
  const config = readConfig({
    DATA_DIR: dataDir,
    PORT: String(port),
    FREE_MB_MIN: '0',
    WEBHOOK_PRIVATE_ORIGINS: 'http://127.0.0.1:4000',
  })
  const vapidPublicKey = newVapidKeys().publicKey
  return async (databaseUrl: string, at: number) => {
    const db = openDatabase(databaseUrl, { connections: 8 })
    const app = await openApp({
      config: { ...config, mail: { ...config.mail, provesAddresses: true } },
      db,
      databaseUrl,
      secrets: { media: { id: 'sandbox', key: Buffer.alloc(32, 1) } },
      vapidPublicKey,
      push,
      log,
    })
    const url = await app.server.listen({ host: '127.0.0.1', port: at })
    const close = async () => {
      app.server.server.closeAllConnections()
      await app.close(0)
      await db.destroy()
    }
    return { url, close }
  }
}
