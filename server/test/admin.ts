import pg from 'pg'
import { inject } from 'vitest'

/** The prefix of this worker's databases. */
export const databasePrefix = `test_${process.pid}_`

let connected: Promise<pg.Client> | undefined

/** Runs a statement on the run's PostgreSQL as its superuser, over one connection for all files of a worker. */
export const askAdmin = async <Row extends object>(sql: string, values: unknown[] = []): Promise<Row[]> => {
  connected ??= connect()
  const client = await connected
  return (await client.query<Row>(sql, values)).rows
}

const connect = async () => {
  const client = new pg.Client({ connectionString: `${inject('superuser')}/postgres` })
  client.on('error', () => {
    connected = undefined
  })
  await client.connect()
  return client
}
