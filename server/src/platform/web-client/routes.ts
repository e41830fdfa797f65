import { randomBytes } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { sendPrepared } from '../http/compressed-file.ts'
import type { ClientFiles } from './files.ts'
import type { WebClient } from './open.ts'
import { type PreviewOf, withPreview } from './preview.ts'

/** Paths of the service itself: anything unknown below them is not a page of the client. */
const service = /^\/(?:api|media|realtime|docs|assets|healthz|readyz|metrics)(?:\/|$)/

/** Nothing may run but our own files. The nonce is for style elements, with which dialogs keep the page from scrolling. */
const policy = (nonce: string) =>
  [
    "default-src 'none'",
    "script-src 'self'",
    `style-src 'self' 'nonce-${nonce}'`,
    "img-src 'self' blob: data:",
    "media-src 'self' blob:",
    "font-src 'self'",
    "connect-src 'self'",
    "manifest-src 'self'",
    "worker-src 'self'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
  ].join('; ')

/** The service worker fetches the client's files, and nothing else. */
const worker = '/sw.js'
const workerPolicy = "default-src 'none'; connect-src 'self'"

const pageHeaders = {
  'Cache-Control': 'no-cache',
  Vary: 'Accept, Accept-Language',
  'Cross-Origin-Opener-Policy': 'same-origin',
}

const preparing = `<!doctype html><html lang="en"><meta charset="utf-8"><meta http-equiv="refresh" content="2"><title>Afterglow</title><p>One moment: the web client is being built.</p></html>`

/** The client's files, and its page at every address that is not the service's. */
export const webClientRoutes = (server: FastifyInstance, client: WebClient, previewOf: PreviewOf) => {
  server.get('/*', async (request, reply) => {
    const path = request.url.split('?', 1)[0] as string
    const built = client.current()
    const file = built?.files.get(path)
    if (path === worker) reply.header('Content-Security-Policy', workerPolicy)
    if (file) return sendPrepared(request, reply.header('Cross-Origin-Resource-Policy', 'same-origin'), file)
    if (service.test(path) || !takesPages(request)) return reply.callNotFound()
    const preview = built && !keeps(request) ? await soon(previewOf(path, request)) : undefined
    if (!preview && !wantsPage(request, built?.ahead.isPage(path) ?? path === '/')) return reply.callNotFound()
    reply.headers(pageHeaders).type('text/html; charset=utf-8')
    if (!built) return reply.code(503).header('Retry-After', 2).send(preparing)
    const nonce = randomBytes(16).toString('base64url')
    const ahead = keeps(request) ? built.page : withAhead(built, path, request.headers['accept-language'])
    const page = preview ? withPreview(ahead, preview) : ahead
    return reply.header('Content-Security-Policy', policy(nonce)).send(page.replaceAll('NONCE', nonce))
  })
}

/** A page is served without a database too, and does not wait for a slow one. */
const soon = <Result>(asked: Promise<Result>): Promise<Result | undefined> =>
  Promise.race([asked, sleep(previewMs, undefined, { ref: false })]).catch(() => undefined)
const previewMs = 1000

/** On six connections of HTTP/1.1, these links let the first resources load a round trip sooner. */
const withAhead = ({ page, ahead }: ClientFiles, path: string, language: string | undefined) =>
  page.replace('</head>', () => `${ahead.linksFor(path, language)}</head>`)

const takesPages = ({ headers: { accept = '*/*' } }: FastifyRequest) => /text\/html|\*\/\*/.test(accept)

/**
 * Browsers declare it; clients that accept anything (curl, a link preview) get the page where there is one, also behind
 * the short code of a link, and otherwise the plain 404, as does a script that mistyped an operation.
 */
const wantsPage = ({ headers: { accept = '' } }: FastifyRequest, isPage: boolean) =>
  isPage || accept.includes('text/html')

/** The service worker requests the page to keep it for every address: what one of them needs is not part of that. */
const keeps = ({ headers }: FastifyRequest) => headers['sec-fetch-dest'] === 'empty'
