import { asyncapi } from '@afterglow/contract/asyncapi'
import { openapi } from '@afterglow/contract/openapi'
import Fastify, { type FastifyInstance, type FastifyRequest } from 'fastify'

// The reference is one bundle of its own that styles itself; it may talk to nobody but us.
const readable = [
  "default-src 'self'",
  "script-src 'self' 'unsafe-inline'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data:",
  "font-src 'self' data:",
].join('; ')

/** `api/openapi.json`, `api/asyncapi.json` for the channel, and `/docs` for people. */
export const documentRoutes = (server: FastifyInstance, originOf: (request: FastifyRequest) => string) => {
  const documents = { '/api/openapi.json': openapi, '/api/asyncapi.json': asyncapi }
  for (const [url, documentFor] of Object.entries(documents))
    server.get(url, async (request, reply) =>
      reply.header('Access-Control-Allow-Origin', '*').send(documentFor(originOf(request))),
    )
  let reference: Promise<FastifyInstance> | undefined
  for (const url of ['/docs', '/docs/*']) {
    server.get(url, async (request, reply) => {
      reference ??= openReference()
      const page = await (await reference).inject({ url: request.url })
      return reply
        .code(page.statusCode)
        .headers(page.headers)
        .header('Content-Security-Policy', readable)
        .send(page.rawPayload)
    })
  }
}

/** Loaded when somebody first reads it: the bundle weighs 42 MB in memory. */
const openReference = async () => {
  const { default: reference } = await import('@scalar/fastify-api-reference')
  const pages = Fastify()
  await pages.register(reference, {
    routePrefix: '/docs',
    configuration: {
      url: '/api/openapi.json',
      title: 'Afterglow',
      // Nothing of the page may lead to anybody's servers but ours.
      withDefaultFonts: false,
      telemetry: false,
      agent: { disabled: true },
      mcp: { disabled: true },
      showDeveloperTools: 'never',
    },
  })
  return pages
}
