import { createServer } from 'node:net'
import { Client } from 'pg'
import { CannotStart } from './cannot-start.ts'
import { superuser } from './postgres-cluster.ts'

/** Where the embedded database is reached by its superuser. */
export const addressOn = (port: number, password: string) =>
  `postgres://${superuser}:${encodeURIComponent(password)}@127.0.0.1:${port}/postgres`

/** False while it is not up yet; throws CannotStart when it is and does not know the password. */
export async function answers(url: string): Promise<boolean> {
  const client = new Client({ connectionString: url, connectionTimeoutMillis: 2000 })
  client.on('error', () => {})
  try {
    await client.connect()
    await client.end()
    return true
  } catch (fault) {
    if ((fault as { code?: string }).code !== '28P01') return false
    throw new CannotStart(
      'The embedded database was made with other secrets: put back the secrets.json that belongs to it.',
    )
  }
}

/** A port nobody listens on, below those that the system hands out by itself. */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = 20_000 + Math.floor(Math.random() * 12_000)
    const free = await new Promise<boolean>(resolve => {
      const probe = createServer()
      probe.once('error', () => resolve(false))
      probe.listen(port, '127.0.0.1', () => probe.close(() => resolve(true)))
    })
    if (free) return port
  }
}
