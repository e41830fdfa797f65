import { setTimeout as sleep } from 'node:timers/promises'
import { Client, type ClientConfig, types } from 'pg'

export type Row = Record<string, unknown>
export type Sql = <Of extends Row = Row>(text: string, values?: unknown[]) => Promise<Of[]>

/** IDs here stay far below 2^53, so they are parsed as numbers. */
const parserOf = (id: number, format?: 'text' | 'binary') =>
  id === 20 ? Number : types.getTypeParser(id, format as 'text')

/** Runs one statement on a connection of its own. */
export const query = async (address: ClientConfig, text: string, values: unknown[] = []) => {
  for (let tries = 0; ; tries++) {
    const client = new Client({
      ...address,
      database: 'postgres',
      types: { getTypeParser: parserOf as typeof types.getTypeParser },
    })
    client.on('error', () => {})
    try {
      await client.connect()
      return (await client.query(text, values)).rows
    } catch (fault) {
      // Retries while the database is coming up; any other error is ours to fix.
      if (tries > 200 || /^(?!57|08|53)\w{5}$/.test((fault as { code?: string }).code ?? '')) throw fault
      await sleep(100)
    } finally {
      client.end().catch(() => {})
    }
  }
}
