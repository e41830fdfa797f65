import { constants } from 'node:zlib'
import compress from '@fastify/compress'
import type { FastifyInstance } from 'fastify'

/**
 * Compresses JSON for who asks for it; call before any route is added. What an attacker could learn from lengths needs
 * requests made in somebody's name, and no browser adds a bearer by itself.
 */
export const compressReplies = async (server: FastifyInstance): Promise<void> => {
  await server.register(compress, {
    encodings: ['br', 'gzip'],
    customTypes: /^application\/json/,
    // Smaller ones travel in one packet anyway.
    threshold: 1400,
    // A page of fifty messages is 230 KB, as each says who has seen it, and 5 KB compressed. Brotli at 3 takes as long as
    // gzip at 4 and gives half.
    brotliOptions: { params: { [constants.BROTLI_PARAM_QUALITY]: 3 } },
    zlibOptions: { level: 4 },
    // A compressed request could be a bomb.
    globalDecompression: false,
  })
}
