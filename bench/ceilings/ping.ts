import { createHash } from 'node:crypto'
import Fastify from 'fastify'
import { RateLimiterMemory } from 'rate-limiter-flexible'
import { pool, serveOn } from './ceiling.ts'

/** A bare Fastify with a bearer, looked up once and remembered, and a rate limit. */
const db = pool()
const viewers = new Map<string, string>()
const viewerOf = async (authorization = '') => {
  const known = viewers.get(authorization)
  if (known) return known
  const hash = createHash('sha256').update(authorization.slice('Bearer '.length)).digest()
  const { rows } = await db.query('select user_id from devices where token_hash = $1', [hash])
  if (!rows[0]) throw Object.assign(new Error('unknown token'), { statusCode: 401 })
  viewers.set(authorization, rows[0].user_id)
  return rows[0].user_id as string
}

const limiter = new RateLimiterMemory({ points: 10_000_000, duration: 60 })
const server = Fastify()
server.put('/ping', async ({ headers }, reply) => {
  const viewer = await viewerOf(headers.authorization)
  const { remainingPoints } = await limiter.consume(viewer)
  reply.header('X-RateLimit-Limit', limiter.points).header('X-RateLimit-Remaining', remainingPoints)
  return { active: true, active_until: new Date(Date.now() + 60_000).toISOString() }
})
await serveOn(server)
