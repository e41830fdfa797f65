import { brotliCompressSync, constants } from 'node:zlib'
import type { FastifyReply } from 'fastify'
import pg from 'pg'

/* Shared by all ceilings: the parameters from the bench, and the report of the port to it. */

export const given: Record<string, string> = JSON.parse(process.env.GIVEN ?? '{}')

/** Listens on a free loopback port and reports it to the bench. */
export const serveOn = async (server: {
  listen(at: { host: string; port: number }): Promise<string>
}): Promise<void> => {
  const address = await server.listen({ host: '127.0.0.1', port: 0 })
  process.send?.(Number(new URL(address).port))
}

/** The same number of connections as the service, kept while the other side has its turn. */
export const pool = () =>
  new pg.Pool({ connectionString: given.databaseUrl, max: 16, idleTimeoutMillis: 0 })
    // The bench's database may end before this program.
    .on('error', () => process.exit())

/** Sends JSON that the database built, compressed by the same call as the service's. */
export const sendCompressed = (reply: FastifyReply, json: string) =>
  reply
    .headers({ 'Content-Type': 'application/json; charset=utf-8', 'Content-Encoding': 'br' })
    .send(brotliCompressSync(json, { params: { [constants.BROTLI_PARAM_QUALITY]: 3 } }))

// Ends with the bench.
process.once('disconnect', () => process.exit())
