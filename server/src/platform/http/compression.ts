import { constants } from 'node:zlib'
import compress from '@fastify/compress'
import type { FastifyInstance } from 'fastify'

/**
 * Compresses JSON for clients that accept it; call before any route is added. An attacker could only learn from lengths
 * through requests made in somebody's name, and browsers do not add a bearer token on their own.
 */
export const compressReplies = async (server: FastifyInstance): Promise<void> => {
  await server.register(compress, {
    encodings: ['br', 'gzip'],
    customTypes: /^application\/json/,
    // Smaller replies fit into one packet anyway.
    threshold: 1400,
    // A page of fifty messages is 230 KB, because each lists who has seen it, and 5 KB compressed. Brotli at 3 takes as
    // long as gzip at 4 and halves the size.
    brotliOptions: { params: { [constants.BROTLI_PARAM_QUALITY]: 3 } },
    zlibOptions: { level: 4 },
    // A compressed request could be a bomb.
    globalDecompression: false,
  })
}
