import { createHash, timingSafeEqual } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { FastifyInstance } from 'fastify'
import type { MetricsSettings } from '../../settings/config.ts'
import { whyNotListening } from '../process/listening.ts'
import { openExposition } from './exposition.ts'
import type { MetricSources } from './figures.ts'

export const metricsAt = (port: number) => ({ host: '127.0.0.1', port, settings: 'METRICS_PORT' })

export type MetricsServing = {
  /** The loopback address, or null. */
  address: string | null
  close(): Promise<void>
}

/**
 * Opens the configured endpoints for metrics. Nobody else learns how many people are here. Undefined if none is
 * configured.
 */
export const serveMetrics = async (
  { port, token }: MetricsSettings,
  server: FastifyInstance,
  measured: MetricSources | undefined,
): Promise<MetricsServing | undefined> => {
  if (!measured) return undefined
  const { type, text } = await openExposition(measured)
  if (token !== null)
    server.get('/metrics', async (request, reply) => {
      if (!isToken(request.headers.authorization, token))
        return reply.code(401).header('WWW-Authenticate', 'Bearer').send({ message: 'Unauthenticated.' })
      return reply.type(type).send(await text())
    })
  if (port === null) return { address: null, close: async () => {} }

  const own = createServer((request, reply) => {
    if (request.method !== 'GET' || request.url !== '/metrics') return void reply.writeHead(404).end()
    text().then(
      said => reply.writeHead(200, { 'content-type': type }).end(said),
      () => reply.writeHead(500).end(),
    )
  })
  own.listen(port, '127.0.0.1')
  await once(own, 'listening').catch(fault => {
    throw whyNotListening(fault, metricsAt(port))
  })
  const { port: listening } = own.address() as { port: number }
  return {
    address: `http://127.0.0.1:${listening}/metrics`,
    async close() {
      own.closeAllConnections()
      await new Promise(resolve => own.close(resolve))
    },
  }
}

/** Compared as hashes, which have equal length and reveal nothing through timing. */
const isToken = (header: string | undefined, token: string) =>
  timingSafeEqual(sumOf(header ?? ''), sumOf(`Bearer ${token}`))
const sumOf = (text: string) => createHash('sha256').update(text).digest()
