import { readFile } from 'node:fs/promises'
import { asyncapi } from '@afterglow/contract/asyncapi'
import { openapi } from '@afterglow/contract/openapi'
import { openapi30 } from '@afterglow/contract/openapi-30'
import { pageOfRefusals } from '@afterglow/contract/refusal-pages'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Config } from '../../settings/config.ts'
import { onFirstUse } from '../process/first-use.ts'
import { openReference, policy } from './api-reference.ts'
import { type CompressedFile, prepare, sendPrepared } from './compressed-file.ts'
import { networkOf, type RateLimits } from './limits.ts'
import { publicPathOf } from './public-path.ts'

type DocumentOptions = {
  config: Pick<Config, 'publicUrl'>
  originOf(request: FastifyRequest): string
  limits: RateLimits
  /** Documents per minute and network. */
  perNetwork: number
}

const documents = {
  '/api/openapi.json': openapi,
  '/api/openapi-3.0.json': (origin: string) => openapi30(openapi(origin)),
  '/api/asyncapi.json': asyncapi,
}
/** The pages that the document refers to. */
const pages = {
  '/docs/readings': () => readFile(new URL('../../../../docs/readings.md', import.meta.url)),
  '/docs/refusals': async () => pageOfRefusals(),
}
/** Without a configured origin, it is whatever a Host header says: only this many are kept. */
const originsKept = 8

/**
 * `api/openapi.json` and its 3.0 twin, `api/asyncapi.json` for the channel, and `/docs` for people. Each is generated
 * and compressed once.
 */
export const documentRoutes = (server: FastifyInstance, { config, originOf, limits, perNetwork }: DocumentOptions) => {
  const publicPath = publicPathOf(config)
  const admit = async (request: FastifyRequest) => {
    await limits.spend('network documents', networkOf(request.ip), perNetwork)
  }

  for (const [url, documentFor] of Object.entries(documents)) {
    const kept = new Map<string, Promise<CompressedFile>>()
    // Generating one for another origin only inserts its name.
    let made: string | undefined
    const madeFor = (origin: string) => {
      if (documentFor === asyncapi) return JSON.stringify(documentFor(origin))
      made ??= JSON.stringify(documentFor(anyOrigin))
      return made.replaceAll(anyOrigin, () => origin)
    }
    server.get(url, { onRequest: admit }, async (request, reply) => {
      const origin = originOf(request)
      let document = kept.get(origin)
      if (!document) {
        if (kept.size >= originsKept) kept.clear()
        document = prepare('application/json; charset=utf-8', Buffer.from(madeFor(origin)))
        kept.set(origin, document)
      }
      return sendPrepared(request, reply.header('Access-Control-Allow-Origin', '*'), await document)
    })
  }

  for (const [url, textFor] of Object.entries(pages)) {
    const made = onFirstUse(async () => prepare('text/markdown; charset=utf-8', Buffer.from(await textFor())))
    server.get(url, { onRequest: admit }, async (request, reply) =>
      sendPrepared(request, reply.header('Access-Control-Allow-Origin', '*'), await made()),
    )
  }

  const opened = onFirstUse(() => openReference(publicPath))
  server.get('/docs', { onRequest: admit }, async (request, reply) => {
    // Its script is named relative to the directory.
    if (request.url.split('?', 1)[0] === '/docs') return reply.redirect(`${publicPath}/docs/`, 301)
    const { page, inline } = await opened()
    return sendPrepared(request, reply.header('Content-Security-Policy', policy(inline)), page)
  })
  server.get('/docs/js/scalar.js', { onRequest: admit }, async (request, reply) =>
    sendPrepared(request, reply, (await opened()).script),
  )
}

const anyOrigin = 'http://origin.invalid'
