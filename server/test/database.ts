import { chmod, mkdtemp, rm, statfs } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { sql } from 'kysely'
import type { TestProject } from 'vitest/node'
import { openDatabase } from '../src/platform/database/database.ts'
import { migrate } from '../src/platform/database/migrate.ts'
import { openEmbeddedPostgres } from '../src/platform/embedded-database/embedded-postgres.ts'
import { serviceRole } from '../src/platform/embedded-database/postgres-address.ts'
import { openLog } from '../src/platform/observability/log.ts'
import { connectionsOf, memory } from './database-slots.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** URL of the run's PostgreSQL, without a database name at the end. */
    postgres: string
    /** The same for its superuser. */
    superuser: string
    /** The folder for the run's files; removed with the run. */
    folder: string
  }
}

export const template = 'afterglow_template'

const memoryFreeMin = 4 * 1024 ** 3
/**
 * In memory if there is room: a clone of the template is three hundred files, which take 25 ms there and 250 to 420 on
 * a disk.
 */
const clusterFolder = async (folder: string) => {
  const free = await statfs(memory).then(
    ({ bavail, bsize }) => bavail * bsize,
    () => 0,
  )
  return free >= memoryFreeMin ? join(memory, basename(folder)) : join(folder, 'cluster')
}

/** `bin/test.ts` made the folder, and removes it however the run ends. */
const folderOfRun = () => process.env.RUN_FOLDER ?? mkdtemp(join(tmpdir(), 'afterglow-run-'))

/** One PostgreSQL per test run, with a migrated template that every test file clones. */
export default async (project: TestProject) => {
  const folder = await folderOfRun()
  // PostgreSQL, PgBouncer and nginx run as other users when we are root.
  await chmod(folder, 0o755)
  const directory = await clusterFolder(folder)
  const postgres = await openEmbeddedPostgres({
    directory: join(directory, 'postgres'),
    password: 'test',
    log: await openLog('warn'),
    // Nothing here outlives the run, so no write waits for the disk. Crash safety is tested on real settings.
    settings: [
      'fsync=off',
      'synchronous_commit=off',
      'full_page_writes=off',
      `max_connections=${connectionsOf(project.config.maxWorkers)}`,
    ],
  })
  const [server, superuser] = [postgres.url, postgres.superuserUrl].map(url => url.replace(/\/[^/]*$/, '')) as [
    string,
    string,
  ]
  const admin = openDatabase(`${superuser}/postgres`, { connections: 1 })
  await sql`create database ${sql.id(template)} owner ${sql.id(serviceRole)}`.execute(admin)
  await admin.destroy()
  const db = openDatabase(`${server}/${template}`, { connections: 1 })
  await migrate(db)
  await db.destroy()
  project.provide('postgres', server)
  project.provide('superuser', superuser)
  project.provide('folder', folder)
  return async () => {
    await postgres.stop()
    for (const path of process.env.RUN_FOLDER ? [directory] : [directory, folder])
      await rm(path, { recursive: true, force: true })
  }
}
