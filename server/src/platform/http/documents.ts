import { openapi } from '@afterglow/contract/openapi'
import reference from '@scalar/fastify-api-reference'
import type { FastifyInstance, FastifyRequest } from 'fastify'

// The reference is one bundle of its own that styles itself; it may talk to nobody but us.
const readable =
  "default-src 'self'; script-src 'self' 'unsafe-inline'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; font-src 'self' data:"

/** `api/openapi.json`, and `/docs` for people. */
export const documentRoutes = async (server: FastifyInstance, originOf: (request: FastifyRequest) => string) => {
  server.get('/api/openapi.json', async (request, reply) =>
    reply.header('Access-Control-Allow-Origin', '*').send(openapi(originOf(request))),
  )
  await server.register(async docs => {
    docs.addHook('onSend', async (_request, reply) => {
      reply.header('Content-Security-Policy', readable)
    })
    await docs.register(reference, {
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
  })
}
