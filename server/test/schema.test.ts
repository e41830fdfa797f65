import { readFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { cloneDatabase } from './app.ts'
import { describeSchema, schemaSqlFile, writeSchemaTypes } from './describe-schema.ts'

const { db, url } = await cloneDatabase()

test('schema.sql shows the migrated database; `npm run schema` renews it', async () => {
  expect(await describeSchema(db)).toBe(await readFile(schemaSqlFile, 'utf8'))
})

test('the row types match the migrated database', async () => {
  await expect(writeSchemaTypes(url, { verify: true })).resolves.toBeDefined()
})
