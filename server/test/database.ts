import { mkdtemp, rm, statfs } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import type { TestProject } from 'vitest/node'
import { openDatabase } from '../src/platform/database/database.ts'
import { migrate } from '../src/platform/database/migrate.ts'
import { openEmbeddedPostgres } from '../src/platform/embedded-database/embedded-postgres.ts'
import { serviceRole } from '../src/platform/embedded-database/postgres-address.ts'
import { openLog } from '../src/platform/observability/log.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** URL of the run's PostgreSQL, without a database name at the end. */
    postgres: string
    /** The same for its superuser. */
    superuser: string
  }
}

export const template = 'afterglow_template'

const memory = '/dev/shm'
const memoryFreeMin = 4 * 1024 ** 3
/**
 * In memory where there is room: a clone of the template is three hundred files, which take 25 ms there and 250 to 420 on
 * a disk.
 */
const folderOfRun = async () => {
  const free = await statfs(memory).then(
    ({ bavail, bsize }) => bavail * bsize,
    () => 0,
  )
  return free >= memoryFreeMin ? memory : tmpdir()
}

/** One PostgreSQL a test run, with a migrated template that every test file clones. */
export default async (project: TestProject) => {
  const directory = await mkdtemp(join(await folderOfRun(), 'afterglow-test-'))
  const postgres = await openEmbeddedPostgres({
    directory: join(directory, 'postgres'),
    password: 'test',
    log: await openLog('warn'),
    // Nothing here outlives the run, so nothing is worth a disk's wait. What survives a crash is tested on real settings.
    settings: ['fsync=off', 'synchronous_commit=off', 'full_page_writes=off', 'max_connections=200'],
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
  return async () => {
    await postgres.stop()
    await rm(directory, { recursive: true, force: true })
  }
}
