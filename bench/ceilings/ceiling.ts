import { brotliCompressSync, constants } from 'node:zlib'
import type { FastifyReply } from 'fastify'
import pg from 'pg'

/* What every ceiling needs: what the bench gave it, and a way to tell the bench where it listens. */

/** What the bench gave this program. */
export const given: Record<string, string> = JSON.parse(process.env.GIVEN ?? '{}')

/** Listens on a free port of the loopback and tells it to the bench. */
export const serveOn = async (server: {
  listen(at: { host: string; port: number }): Promise<string>
}): Promise<void> => {
  const address = await server.listen({ host: '127.0.0.1', port: 0 })
  process.send?.(Number(new URL(address).port))
}

/** As many connections as the service has, kept while the other side has its turn. */
export const pool = () =>
  new pg.Pool({ connectionString: given.databaseUrl, max: 16, idleTimeoutMillis: 0 })
    // Its database ends when the bench does, also before this program.
    .on('error', () => process.exit())

/** JSON that the database built, compressed by the same call as the service's. */
export const sendCompressed = (reply: FastifyReply, json: string) =>
  reply
    .headers({ 'Content-Type': 'application/json; charset=utf-8', 'Content-Encoding': 'br' })
    .send(brotliCompressSync(json, { params: { [constants.BROTLI_PARAM_QUALITY]: 3 } }))

// Nobody is left to work for.
process.once('disconnect', () => process.exit())
