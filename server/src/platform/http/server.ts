import { randomUUID } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { generalCodes } from '@afterglow/contract/refusal-codes'
import { interfaceVersion } from '@afterglow/contract/version'
import cors from '@fastify/cors'
import Fastify, {
  type FastifyBaseLogger,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
  type HTTPMethods,
  LogController,
} from 'fastify'
import type { Config } from '../../settings/config.ts'
import { openAddressing, openTrust } from './client-address.ts'
import { compressReplies } from './compression.ts'
import { enforcePace } from './connections/pace.ts'
import { endIdleConnections } from './connections/shutdown.ts'
import { allowOurSilence } from './connections/silence.ts'
import { answerError } from './errors.ts'
import { maySayMethod, overrideMethod } from './method-override.ts'
import { openOrigins } from './origins.ts'
import { publicPathOf, takesOff } from './public-path.ts'
import { Unreadable } from './refusals.ts'
import type { ActAs } from './serve.ts'

const readMethods: HTTPMethods[] = ['GET', 'POST', 'PUT', 'DELETE', 'PATCH']
/** Answered by a process that only runs jobs, too. */
const aboutItself = /^\/(?:healthz|readyz|metrics)(?:\?|$)/
const channelPath = /^\/realtime\/?(?:\?|$)/
/** The tus headers that a browser may send and read for resumable uploads. */
const tusHeaders = ['Tus-Resumable', 'Upload-Length', 'Upload-Metadata', 'Upload-Offset']

/** The HTTP server with everything common to all requests, and no operation yet. */
export const openServer = async (config: Config, log: FastifyBaseLogger): Promise<FastifyInstance> => {
  const server = bareServer(config, log)
  endIdleConnections(server)
  allowOurSilence(server)
  await allowOrigins(server, config)
  refuseExpectations(server)
  sendHeaders(server, config)
  nameRefusals(server)
  logAnswers(server, log)
  compressReplies(server)
  enforcePace(server)
  server.setErrorHandler((error, request, reply) => answerError(error, request, reply))
  refuseUnknownPaths(server, config)
  return server
}

const bareServer = (config: Config, log: FastifyBaseLogger): FastifyInstance =>
  Fastify({
    loggerInstance: log,
    // A logger per request would cost more than the line it writes; the lines name their request themselves.
    childLoggerFactory: logger => logger,
    logController: new LogController({ disableRequestLogging: true }),
    trustProxy: config.trustedProxies.length > 0 ? config.trustedProxies : false,
    requestIdHeader: false,
    genReqId: requestIds(config.trustedProxies),
    bodyLimit: 64 * 1024,
    // A client that asked before its connection ended is served to the end.
    return503OnClosing: false,
    // A whole request may take half an hour (a large photo on a venue's network), its headers 10 s, a silence 30 s.
    requestTimeout: 30 * 60_000,
    connectionTimeout: 30_000,
    http: {
      ...takesOff(publicPathOf(config)),
      headersTimeout: 10_000,
      maxHeaderSize: 16 * 1024,
      // Any other protocol a client offers to speak (h2c, as curl and Java do) is answered in HTTP/1.1.
      shouldUpgradeCallback: ({ headers, url = '' }) =>
        config.work.requests && headers.upgrade?.toLowerCase() === 'websocket' && channelPath.test(url),
    },
    rewriteUrl: overrideMethod,
    routerOptions: { ignoreTrailingSlash: true, ignoreDuplicateSlashes: true, maxParamLength: 300 },
    // These bypass all of the hooks below.
    frameworkErrors: (error, request, reply) => {
      reply.raw.setHeader('X-Interface', interfaceVersion)
      answerError(error, request, reply.header('X-Refusal', generalCodes[400]))
    },
    clientErrorHandler: (error, socket) => {
      if (!socket.writable || error.code === 'ECONNRESET') return void socket.destroy()
      const body = JSON.stringify({ error_message: 'The request cannot be read.' })
      socket.end(
        `HTTP/1.1 400 Bad Request\r\nConnection: close\r\nContent-Type: application/json; charset=utf-8\r\nContent-Length: ${body.length}\r\nX-Interface: ${interfaceVersion}\r\nX-Refusal: ${generalCodes[400]}\r\n\r\n${body}`,
      )
    },
  })

const allowOrigins = async (server: FastifyInstance, config: Config) => {
  const mayCall = openOrigins(config.corsOrigins)
  await server.register(cors, {
    origin: config.corsOrigins.length > 0 && ((origin, answer) => answer(null, mayCall(origin ?? ''))),
    methods: ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'],
    allowedHeaders: [
      'Authorization',
      'Content-Type',
      'Idempotency-Key',
      'X-HTTP-Method-Override',
      'X-Requested-With',
      ...tusHeaders,
    ],
    exposedHeaders: [
      'X-RateLimit-Limit',
      'X-RateLimit-Remaining',
      'X-RateLimit-Reset',
      'Retry-After',
      'X-Request-Id',
      'Location',
      'Idempotency-Replayed',
      'X-Refusal',
      'X-Interface',
      'Deprecation',
      'Sunset',
      ...tusHeaders,
      'Upload-Expires',
      'Tus-Version',
      'Tus-Extension',
      'Tus-Max-Size',
    ],
    maxAge: 86_400,
  })
}

const refuseExpectations = (server: FastifyInstance) => {
  server.server.on('checkExpectation', (_request, answer: ServerResponse) => {
    const body = JSON.stringify({ error_message: 'The request expects what this service does not know.' })
    answer
      .setHeader('Content-Type', 'application/json; charset=utf-8')
      .setHeader('Content-Length', body.length)
      .setHeader('Connection', 'close')
      .setHeader('X-Interface', interfaceVersion)
      .setHeader('X-Refusal', generalCodes[417])
      .writeHead(417)
      .end(body)
  })
}

const sendHeaders = (server: FastifyInstance, config: Config) => {
  const alwaysSecure = config.publicUrl?.startsWith('https:') ?? false
  const addressed = openAddressing(config.trustedProxies)
  server.addHook('onRequest', (request, reply, done) => {
    // For this host alone: other hosts below the same domain are not ours.
    if (alwaysSecure || addressed(request.raw).protocol === 'https')
      reply.raw.setHeader('Strict-Transport-Security', 'max-age=31536000')
    reply.raw.setHeader('X-Interface', interfaceVersion)
    reply.raw.setHeader('X-Request-Id', request.id)
    reply.raw.setHeader('X-Content-Type-Options', 'nosniff')
    reply.raw.setHeader('Cache-Control', 'no-store')
    reply.raw.setHeader('Content-Security-Policy', "default-src 'none'")
    reply.raw.setHeader('Referrer-Policy', 'no-referrer')
    done(namesTwoHosts(request.raw) ? new Unreadable('The request names two hosts.') : undefined)
  })
}

const nameRefusals = (server: FastifyInstance) => {
  server.addHook('onSend', (_request, reply, _payload, done) => {
    const { statusCode } = reply
    if (statusCode >= 400 && !reply.hasHeader('X-Refusal'))
      reply.header('X-Refusal', generalCodes[statusCode as keyof typeof generalCodes] ?? generalCodes[500])
    done()
  })
}

const logAnswers = (server: FastifyInstance, log: FastifyBaseLogger) => {
  server.addHook('onResponse', (request, reply, done) => {
    // The route's pattern rather than the path, which may contain a secret.
    const { config, url: path } = request.routeOptions
    const ms = Math.round(reply.elapsedTime)
    const { id, method, viewer } = request
    const operation = (request.actsAs ?? config.operation)?.name
    log.info({ request: id, method, path, operation, status: reply.statusCode, ms, user: viewer?.id }, 'answered')
    done()
  })
}

const refuseUnknownPaths = (server: FastifyInstance, config: Config) => {
  const notFound = (reply: FastifyReply) => reply.code(404).type('text/plain; charset=utf-8').send('Not found!')
  const isHere = ({ is404, url }: FastifyRequest) => !is404 && (config.work.requests || aboutItself.test(url))
  // Before its body is read: for an unknown path it would be kept for nothing.
  server.addHook('onRequest', async (request, reply) => (isHere(request) ? undefined : notFound(reply)))
  server.setNotFoundHandler((_request, reply) => notFound(reply))
}

const requestIdForm = /^[\w.:-]{8,128}$/

/** The request ID from a trusted proxy, so that its log lines and ours can be matched; otherwise one of our own. */
const requestIds = (trustedProxies: readonly string[]) => {
  const trusts = openTrust(trustedProxies)
  return ({ headers, socket }: Pick<IncomingMessage, 'headers' | 'socket'>) => {
    const named = headers['x-request-id']
    return typeof named === 'string' && requestIdForm.test(named) && trusts(socket.remoteAddress) ? named : randomUUID()
  }
}

/** A proxy in front may have used the other one. */
const namesTwoHosts = ({ rawHeaders }: IncomingMessage) => {
  let hosts = 0
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at] as string
    if (name.length === 4 && name.toLowerCase() === 'host') hosts += 1
  }
  return hosts > 1
}

/**
 * After the last route: every other method on a known path is answered with 405 and `Allow`. Call before any route is
 * added.
 */
export const refuseOtherMethods = (server: FastifyInstance) => {
  const known = new Map<string, Set<string>>()
  server.addHook('onRoute', ({ method, url }) => {
    const methods = known.get(url) ?? known.set(url, new Set()).get(url)
    for (const one of [method].flat()) methods?.add(one)
  })
  return (actAs: ActAs) => {
    for (const [url, methods] of [...known]) {
      const others = readMethods.filter(method => !methods.has(method))
      const allow = [...methods].join(', ')
      if (url.includes('*') || others.length === 0) continue
      const refuse = (reply: FastifyReply) =>
        reply.code(405).header('Allow', allow).send({ message: 'Method Not Allowed' })
      server.route({
        method: others,
        url,
        onRequest: async (request, reply) => (maySayMethod(request) ? undefined : refuse(reply)),
        handler: async (request, reply) => ((await actAs(request, reply)) ? reply : refuse(reply)),
      })
    }
  }
}

/** The prefix of absolute links: PUBLIC_URL with its path, or the origin that the request was addressed to. */
export const originOf = ({ publicUrl, trustedProxies }: Pick<Config, 'publicUrl' | 'trustedProxies'>) => {
  if (publicUrl) return () => publicUrl
  const addressed = openAddressing(trustedProxies)
  return (request: IncomingMessage) => {
    const { protocol, host } = addressed(request)
    if (!/^[\w.-]+(?::\d{1,5})?$|^\[[\da-f:.]+\](?::\d{1,5})?$/i.test(host))
      throw new Unreadable('The Host header is malformed.')
    return `${protocol}://${host}`
  }
}
