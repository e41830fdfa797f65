/**
 * `npm run schema`: writes server/schema.sql and the row types from a freshly migrated database, and freezes new
 * migrations.
 */
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openDatabase } from '../server/src/platform/database/database.ts'
import { migrate } from '../server/src/platform/database/migrate.ts'
import { frozenFile, readFrozen, readMigrations } from '../server/src/platform/database/migrations.ts'
import { openEmbeddedPostgres } from '../server/src/platform/embedded-database/embedded-postgres.ts'
import { openLog } from '../server/src/platform/observability/log.ts'
import { describeSchema, schemaSqlFile, writeSchemaTypes } from '../server/test/describe-schema.ts'

const directory = await mkdtemp(join(tmpdir(), 'afterglow-schema-'))
const postgres = await openEmbeddedPostgres({
  directory: join(directory, 'postgres'),
  password: 'schema',
  log: await openLog('warn'),
  settings: ['fsync=off'],
})
const db = openDatabase(postgres.url, { connections: 1 })
await migrate(db)
const frozen = await readFrozen()
for (const { name, sha256 } of await readMigrations()) frozen[name] ??= { statements: sha256 }
await writeFile(frozenFile, `${JSON.stringify(frozen, null, 2)}\n`)
await writeFile(schemaSqlFile, await describeSchema(db))
await writeSchemaTypes(postgres.url)
await db.destroy()
await postgres.stop()
await rm(directory, { recursive: true, force: true })
