import Fastify from 'fastify'
import { RateLimiterMemory } from 'rate-limiter-flexible'
import { openBearers } from './bearer.ts'
import { pool, serveOn } from './ceiling.ts'

/** A bare Fastify with a bearer and a rate limit. */
const viewerOf = openBearers(pool())
const limiter = new RateLimiterMemory({ points: 10_000_000, duration: 60 })
const server = Fastify()
server.put('/ping', async (request, reply) => {
  const { remainingPoints } = await limiter.consume(await viewerOf(request))
  reply.header('X-RateLimit-Limit', limiter.points).header('X-RateLimit-Remaining', remainingPoints)
  return { active: true, active_until: new Date(Date.now() + 60_000).toISOString() }
})
await serveOn(server)
