import { randomUUID } from 'node:crypto'
import cors from '@fastify/cors'
import Fastify, { type FastifyBaseLogger, type FastifyInstance, type HTTPMethods, LogController } from 'fastify'
import type { Config } from '../../config.ts'
import { endIdleConnections } from './closing.ts'
import { compressReplies } from './compressing.ts'
import { answerError } from './errors.ts'
import { demandPace } from './pace.ts'
import { Unreadable } from './refusals.ts'

const readMethods: HTTPMethods[] = ['GET', 'POST', 'PUT', 'DELETE', 'PATCH']
/** What a browser may send and read of resumable uploads (tus). */
const tusHeaders = ['Tus-Resumable', 'Upload-Length', 'Upload-Metadata', 'Upload-Offset']

/** The HTTP server with everything that holds for every request, and no operation yet. */
export const openServer = async (config: Config, log: FastifyBaseLogger): Promise<FastifyInstance> => {
  const server = Fastify({
    loggerInstance: log,
    // A logger for each request would cost more than the line it writes; the lines name their request themselves.
    childLoggerFactory: logger => logger,
    logController: new LogController({ disableRequestLogging: true }),
    trustProxy: config.trustedProxies.length > 0 ? config.trustedProxies : false,
    requestIdHeader: false,
    genReqId: () => randomUUID(),
    bodyLimit: 64 * 1024,
    // A whole request may take half an hour (a large photo on a venue's network), its headers 10 s, a silence 30 s.
    requestTimeout: 30 * 60_000,
    connectionTimeout: 30_000,
    http: { headersTimeout: 10_000, maxHeaderSize: 16 * 1024 },
    routerOptions: { ignoreTrailingSlash: true, ignoreDuplicateSlashes: true, maxParamLength: 300 },
    frameworkErrors: (error, request, reply) => void answerError(error, request, reply),
    clientErrorHandler: (error, socket) => {
      if (!socket.writable || error.code === 'ECONNRESET') return void socket.destroy()
      const body = JSON.stringify({ error_message: 'The request cannot be read.' })
      socket.end(
        `HTTP/1.1 400 Bad Request\r\nConnection: close\r\nContent-Type: application/json; charset=utf-8\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
      )
    },
  })

  endIdleConnections(server)
  await server.register(cors, {
    origin: config.corsOrigins.length > 0 ? config.corsOrigins : false,
    methods: ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'],
    allowedHeaders: ['Authorization', 'Content-Type', 'Idempotency-Key', ...tusHeaders],
    exposedHeaders: [
      'X-RateLimit-Limit',
      'X-RateLimit-Remaining',
      'X-RateLimit-Reset',
      'Retry-After',
      'X-Request-Id',
      'Location',
      'Idempotency-Replayed',
      ...tusHeaders,
      'Upload-Expires',
      'Tus-Version',
      'Tus-Extension',
      'Tus-Max-Size',
    ],
    maxAge: 86_400,
  })

  server.addHook('onRequest', (_request, reply, done) => {
    reply.raw.setHeader('X-Content-Type-Options', 'nosniff')
    reply.raw.setHeader('Cache-Control', 'no-store')
    reply.raw.setHeader('Content-Security-Policy', "default-src 'none'")
    reply.raw.setHeader('Referrer-Policy', 'no-referrer')
    done()
  })
  server.addHook('onResponse', (request, reply, done) => {
    const { operation } = request.routeOptions.config
    const ms = Math.round(reply.elapsedTime)
    const { id, viewer } = request
    log.info({ request: id, operation: operation?.name, status: reply.statusCode, ms, user: viewer?.id }, 'answered')
    done()
  })
  await compressReplies(server)
  demandPace(server)
  server.setErrorHandler((error, request, reply) => answerError(error, request, reply))
  server.setNotFoundHandler((_request, reply) => reply.code(404).type('text/plain; charset=utf-8').send('Not found!'))
  return server
}

/** After the last route: every other method on a known path is answered 405 with `Allow`. Call before any route is added. */
export const refuseOtherMethods = (server: FastifyInstance) => {
  const known = new Map<string, Set<string>>()
  server.addHook('onRoute', ({ method, url }) => {
    const methods = known.get(url) ?? known.set(url, new Set()).get(url)
    for (const one of [method].flat()) methods?.add(one)
  })
  return () => {
    for (const [url, methods] of [...known]) {
      const others = readMethods.filter(method => !methods.has(method))
      const allow = [...methods].join(', ')
      if (url.includes('*') || others.length === 0) continue
      server.route({
        method: others,
        url,
        onRequest: async (_request, reply) =>
          reply.code(405).header('Allow', allow).send({ message: 'Method Not Allowed' }),
        handler: () => undefined,
      })
    }
  }
}

/** The origin that absolute links start with: configured, or as the request was addressed. */
export const originOf = (publicUrl: string | null) => {
  if (publicUrl) return () => publicUrl.replace(/\/+$/, '')
  return (request: { host: string; protocol: string }) => {
    const host = request.host
    if (!/^[\w.-]+(?::\d{1,5})?$|^\[[\da-f:.]+\](?::\d{1,5})?$/i.test(host))
      throw new Unreadable('The Host header is malformed.')
    return `${request.protocol}://${host}`
  }
}
