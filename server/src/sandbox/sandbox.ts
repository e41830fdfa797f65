import { once } from 'node:events'
import { rmSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import { pino } from 'pino'
import { openApp } from '../app.ts'
import { openDatabase } from '../platform/database/database.ts'
import { migrate } from '../platform/database/migrate.ts'
import { openEmbeddedPostgres } from '../platform/embedded-database/embedded-postgres.ts'
import { serviceRole } from '../platform/embedded-database/postgres-address.ts'
import { forceToStop, livingPostmaster } from '../platform/embedded-database/postmaster.ts'
import { newVapidKeys } from '../platform/push/web-push/vapid-keys.ts'
import { readConfig } from '../settings/config.ts'
import { fixBeginning, tellBeginning } from './initial-state.ts'
import { openDesk, openPushRecorder } from './recorder.ts'

const beginning = 'sandbox_beginning'
const now = 'sandbox_now'

export type Sandbox = {
  url: string
  /** Pushes and mails, and the reset. */
  deskUrl: string
  /** Everything is back to its initial state. */
  reset(): Promise<void>
  close(): Promise<void>
}

/** The real service on a throwaway database, with fixed people. Nothing of it outlives it. */
export const openSandbox = async ({ port, deskPort }: { port: number; deskPort: number }): Promise<Sandbox> => {
  const dataDir = await mkdtemp(join(tmpdir(), 'afterglow-sandbox-'))
  const log = pino({ level: 'silent' })
  const forgetAll = () => {
    const left = livingPostmaster(join(dataDir, 'postgres/cluster'))
    if (left) forceToStop(left)
    rmSync(dataDir, { recursive: true, force: true, maxRetries: 10 })
  }
  process.on('exit', forgetAll)
  const postgres = await openEmbeddedPostgres({
    directory: join(dataDir, 'postgres'),
    password: 'sandbox',
    log,
    settings: ['fsync=off', 'synchronous_commit=off', 'full_page_writes=off'],
  })
  const urlOf = (address: string, name: string) => address.replace(/\/[^/]*$/, `/${name}`)
  const admin = openDatabase(urlOf(postgres.superuserUrl, 'postgres'), { connections: 1 })
  const config = readConfig({
    DATA_DIR: dataDir,
    PORT: String(port),
    FREE_MB_MIN: '0',
    WEBHOOK_PRIVATE_ORIGINS: 'http://127.0.0.1:4000',
  })
  const { push, pushes } = openPushRecorder()
  const vapid = newVapidKeys()
  const mailFolder = join(dataDir, 'mail')

  const serve = async (name: string, at: number) => {
    const db = openDatabase(urlOf(postgres.url, name), { connections: 8 })
    const app = await openApp({
      config: { ...config, mail: { ...config.mail, provesAddresses: true } },
      db,
      databaseUrl: urlOf(postgres.url, name),
      secrets: { media: { id: 'sandbox', key: Buffer.alloc(32, 1) } },
      vapidPublicKey: vapid.publicKey,
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
  const forget = async () => {
    pushes.length = 0
    await rm(mailFolder, { recursive: true, force: true })
  }

  await sql`create database ${sql.id(beginning)} owner ${sql.id(serviceRole)}`.execute(admin)
  const empty = openDatabase(urlOf(postgres.url, beginning), { connections: 1 })
  await migrate(empty)
  await empty.destroy()
  const first = await serve(beginning, 0)
  await tellBeginning(first.url)
  await first.close()
  const fixing = openDatabase(urlOf(postgres.superuserUrl, beginning), { connections: 1 })
  await fixBeginning(fixing)
  await fixing.destroy()

  const begin = async (at: number) => {
    await sql`drop database if exists ${sql.id(now)} with (force)`.execute(admin)
    await sql`create database ${sql.id(now)} template ${sql.id(beginning)} owner ${sql.id(serviceRole)}`.execute(admin)
    await forget()
    return serve(now, at)
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
      await admin.destroy()
      await postgres.stop()
      process.off('exit', forgetAll)
      forgetAll()
    },
  }
}
