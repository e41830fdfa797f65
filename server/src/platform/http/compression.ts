import { brotliCompressSync, constants, gzipSync, zstdCompressSync } from 'node:zlib'
import type { FastifyInstance } from 'fastify'

/**
 * In order of preference. A page of fifty messages takes zstd 0.1 ms, brotli 0.3 and gzip 0.5; each shrinks its 110 KB
 * to 2.
 */
const encodings = {
  zstd: (bytes: Buffer) => zstdCompressSync(bytes, { params: { [constants.ZSTD_c_compressionLevel]: 1 } }),
  br: (bytes: Buffer) => brotliCompressSync(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: 3 } }),
  gzip: (bytes: Buffer) => gzipSync(bytes, { level: 4 }),
}

/** Smaller replies fit into one packet anyway. */
const bytesMin = 1400

/** Tells whether a client accepts this encoding; a weight of 0 is a refusal. */
export const accepts = (accepted: string, encoding: string) =>
  new RegExp(`\\b${encoding}\\b(?!\\s*;\\s*q=0(?:\\.0*)?\\s*(?:,|$))`, 'i').test(accepted)

/**
 * Compresses JSON for clients that accept it, in one call: a stream for each reply takes ten times as long. An attacker
 * could only learn from lengths through requests made in somebody's name, and browsers do not add a bearer token on
 * their own.
 */
export const compressReplies = (server: FastifyInstance): void => {
  // Hooks of the server, because those of a route run after HEAD has dropped the body, whose length it states.
  server.addHook('onSend', (request, reply, payload, done) => {
    const isJson = String(reply.getHeader('content-type')).startsWith('application/json')
    const isWhole = typeof payload === 'string' || Buffer.isBuffer(payload)
    if (!isJson || !isWhole || Buffer.byteLength(payload) < bytesMin || reply.hasHeader('content-encoding'))
      return done(null, payload)
    reply.header('Vary', [reply.getHeader('vary') ?? [], 'Accept-Encoding'].flat().join(', '))
    const accepted = request.headers['accept-encoding'] ?? ''
    const encoding = (Object.keys(encodings) as (keyof typeof encodings)[]).find(each => accepts(accepted, each))
    if (!encoding) return done(null, payload)
    reply.header('Content-Encoding', encoding)
    done(null, encodings[encoding](Buffer.isBuffer(payload) ? payload : Buffer.from(payload)))
  })
}
