import { createHash } from 'node:crypto'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { accepts } from './compression.ts'

/** Something to send, in its plain and compressed forms. */
export type CompressedFile = {
  type: string
  /** Its name contains a hash of its content, so caches need not revalidate it. */
  immutable: boolean
  /** The hash of the content, without quotes. */
  etag: string
  plain: Buffer
  br?: Buffer
  gzip?: Buffer
}

export const etagOf = (plain: Buffer) => createHash('sha256').update(plain).digest('base64url').slice(0, 22)

/** Compresses on worker threads. */
export const prepare = async (type: string, plain: Buffer): Promise<CompressedFile> => {
  const [br, zipped] = await Promise.all([
    promisify(brotliCompress)(plain, { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } }),
    promisify(gzip)(plain),
  ])
  return { type, immutable: false, etag: etagOf(plain), plain, br, gzip: zipped }
}

export const sendPrepared = (request: FastifyRequest, reply: FastifyReply, file: CompressedFile) => {
  const accepted = request.headers['accept-encoding'] ?? ''
  const encoding = (['br', 'gzip'] as const).find(each => file[each] && accepts(accepted, each))
  const etag = `"${file.etag}${encoding ? `-${encoding}` : ''}"`
  reply.headers({
    Vary: 'Accept-Encoding',
    ETag: etag,
    'Cache-Control': file.immutable ? 'public, max-age=31536000, immutable' : 'no-cache',
  })
  if (request.headers['if-none-match']?.includes(etag)) return reply.code(304).send()
  if (encoding) reply.header('Content-Encoding', encoding)
  return reply.type(file.type).send((encoding && file[encoding]) ?? file.plain)
}
