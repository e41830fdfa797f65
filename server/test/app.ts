import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import { type Afterglow, afterglow, type Connection } from '@afterglow/sdk'
import { type Webhooks, webhooks } from '@afterglow/sdk/webhooks'
import { pino } from 'pino'
import { inject } from 'vitest'
import { openApp } from '../src/app.ts'
import type { Timing } from '../src/notifications/engine.ts'
import { type Database, openDatabase } from '../src/platform/database/database.ts'
import { serviceRole } from '../src/platform/embedded-database/postgres-address.ts'
import { openStorage } from '../src/platform/media/storage/open-storage.ts'
import type { Storage } from '../src/platform/media/storage/storage.ts'
import type { PublishedTiming } from '../src/platform/openid/published.ts'
import { openPush, type Push } from '../src/platform/push/senders.ts'
import type { FoundTool } from '../src/platform/video/find-tool.ts'
import type { WebClient } from '../src/platform/web-client/open.ts'
import { type Config, readConfig } from '../src/settings/config.ts'
import type { Slice } from '../src/slice.ts'
import { askAdmin, databasePrefix } from './admin.ts'
import { keepNotifications } from './channel-recorder.ts'
import { template } from './database.ts'
import { connectionsMax, takeRoom } from './database-slots.ts'
import { newFolder } from './new-folder.ts'
import { watchReplies } from './recorder.ts'
import { envOf, s3Place } from './s3.ts'
import { whenDone } from './when-done.ts'

/** With `TEST_STORAGE=s3 npm test -- server/src/gallery`, every service of the run keeps its files on S3. */
const onS3 = process.env.TEST_STORAGE === 's3'

/**
 * A database for this test file, cloned from the migrated template (or from PostgreSQL's empty `template1`); dropped at
 * the end of the file.
 */
export const cloneDatabase = async (from = template): Promise<{ db: Database; url: string }> => {
  const name = `${databasePrefix}${randomUUID().replaceAll('-', '')}`
  const giveBack = await takeRoom()
  await askAdmin(
    `create database ${name} template ${from} owner ${serviceRole} connection limit ${connectionsMax}`,
  ).catch(fault => {
    giveBack()
    throw fault
  })
  const url = `${inject('postgres')}/${name}`
  const db = openDatabase(url, { connections: 8 })
  whenDone(async () => {
    await db.destroy()
    await askAdmin(`drop database ${name} with (force)`)
    giveBack()
  })
  return { db, url }
}

/** Every operation of a client. */
export type Api<Extra extends boolean = false> = Afterglow<Extra> & { webhooks: Webhooks }

export const clientOf = <const Given extends Connection>(connection: Given) => ({
  ...afterglow(connection),
  webhooks: webhooks(connection),
})

export type TestApp = {
  url: string
  db: Database
  databaseUrl: string
  dataDir: string
  /** Its storage, opened a second time. */
  storage: Storage
  metricsAddress: string | null
  /** A client of the service, signed in with this token. */
  as(token?: string, language?: string): Api
  withExtra(token: string): Api<true>
}

/** The service's environment: settings, push services and the video tool (none without), and how long it waits. */
export type Surroundings = {
  env?: Record<string, string>
  push?: Push
  video?: FoundTool
  timing?: Partial<Timing & PublishedTiming>
  webClient?: WebClient
  slices?: readonly Slice[]
  /** The database to clone; the migrated template by default. */
  from?: string
  /** Fills the database before the service starts. */
  fill?: (databaseUrl: string) => Promise<void>
  /** Every reply is parsed by the contract and watched, which costs more than making it. */
  checkReplies?: boolean
  /** Verifies mail addresses: mails are files here, which the tests read. */
  provesAddresses?: boolean
}

/** The real service on a free loopback port, with its own database and data directory. */
export const openTestApp = async (
  limits: Partial<Config['limits']> = {},
  {
    env = {},
    push,
    video,
    timing,
    webClient,
    slices,
    from,
    fill,
    checkReplies = true,
    provesAddresses = true,
  }: Surroundings = {},
): Promise<TestApp> => {
  const { db, url: databaseUrl } = await cloneDatabase(from)
  await fill?.(databaseUrl)
  const place = onS3 ? envOf(await s3Place()) : {}
  const dataDir = newFolder('app')
  const config = readConfig({
    DATA_DIR: dataDir,
    RATE_LIMIT_FACTOR: '1000',
    SIGN_INS_PER_ADDRESS: '100000',
    FREE_MB_MIN: '0',
    ...place,
    ...env,
  })
  const log = pino({ level: process.env.TEST_LOG ?? 'silent' })
  const app = await openApp(
    {
      config: {
        ...config,
        limits: { ...config.limits, ...limits },
        mail: { ...config.mail, provesAddresses },
      },
      db,
      databaseUrl,
      secrets: { media: { id: 'test', key: Buffer.alloc(32, 7) } },
      vapidPublicKey: 'the public key',
      push: push ?? openPush({ log }),
      video,
      webClient,
      timing: { restsFor: 4, ...timing },
      log,
      checkReplies,
    },
    slices,
  )
  let url = ''
  if (checkReplies) watchReplies(app.server.server, () => url)
  url = await app.server.listen({ host: '127.0.0.1', port: 0 })
  const storage = await openStorage(config, { tmp: join(dataDir, 'tmp-of-test'), whenUnreachable: () => {} })
  whenDone(async () => {
    await keepNotifications(db)
    await app.close()
    storage.close()
  })
  return {
    url,
    db,
    databaseUrl,
    dataDir: config.dataDir,
    storage,
    metricsAddress: app.metricsAddress,
    as: (token, language) =>
      clientOf({ baseUrl: url, ...(token && { token }), ...(language && { language: () => language }) }),
    withExtra: token => clientOf({ baseUrl: url, token, extra: true }),
  }
}
