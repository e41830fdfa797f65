import { join } from 'node:path'
import { Client } from 'pg'
import { pino } from 'pino'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { freePort } from '../../../test/free-port.ts'
import { later } from '../../../test/later.ts'
import { newFolder } from '../../../test/new-folder.ts'
import { type EmbeddedPostgres, openEmbeddedPostgres } from '../embedded-database/embedded-postgres.ts'
import { CannotStart } from '../process/cannot-start.ts'
import { findSoundDatabase } from './sound-database.ts'

let root = ''
let database: EmbeddedPostgres
beforeAll(async () => {
  root = newFolder('sound')
  database = await openEmbeddedPostgres({
    directory: join(root, 'postgres'),
    password: 'secret-word',
    log: pino({ level: 'silent' }),
    settings: ['fsync=off'],
  })
})
afterAll(async () => {
  await database.stop()
})

async function alter(statement: string) {
  const client = new Client({ connectionString: database.superuserUrl })
  await client.connect()
  await client.query(statement)
  await client.end()
}

test('a database with fsync or synchronous_commit off is refused by name; one with both on is accepted', async () => {
  await expect(findSoundDatabase(database.url)).rejects.toThrow(/has fsync off/)
  await database.stop()
  database = await openEmbeddedPostgres({
    directory: join(root, 'postgres'),
    password: 'secret-word',
    log: pino({ level: 'silent' }),
  })
  expect(await findSoundDatabase(database.url)).toMatch(/^18\.\d+$/)
  await alter('alter database postgres set synchronous_commit = off')
  await expect(findSoundDatabase(database.url)).rejects.toThrow(/has synchronous_commit off/)
})

test('a start waits for an external database that does not answer yet', async () => {
  await database.stop()
  const finding = later(findSoundDatabase(database.url, { withinMs: 60_000 }))
  await new Promise(resolve => setTimeout(resolve, 1_000))
  database = await openEmbeddedPostgres({
    directory: join(root, 'postgres'),
    password: 'secret-word',
    log: pino({ level: 'silent' }),
  })
  // It answers by now, with the setting that the test above left.
  await expect(finding).rejects.toThrow(/has synchronous_commit off/)
})

test('a wrong password and an unknown database are reported in a sentence that hides the password', async () => {
  const wrong = new URL(database.superuserUrl)
  wrong.password = 'wrong-word'
  for (const url of [wrong.href, database.superuserUrl.replace('/postgres?', '/nowhere?')]) {
    const refusal = await findSoundDatabase(url).catch(fault => fault)
    expect(refusal).toBeInstanceOf(CannotStart)
    expect(refusal.message).toMatch(/^The database at the local socket\/\w+ cannot be reached: .*\.$/)
    expect(refusal.message).not.toContain('word@')
  }
})

test('a port where nothing listens is reported as unreachable', async () => {
  const port = await freePort()
  await expect(findSoundDatabase(`postgres://me:secret-word@127.0.0.1:${port}/x`)).rejects.toThrow(
    new CannotStart(`The database at 127.0.0.1:${port}/x cannot be reached: connect ECONNREFUSED 127.0.0.1:${port}.`),
  )
})
