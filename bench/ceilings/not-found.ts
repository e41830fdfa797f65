import Fastify from 'fastify'
import { serveOn } from './ceiling.ts'

/** A bare Fastify that knows no route: every answer is its 404. */
await serveOn(Fastify())
