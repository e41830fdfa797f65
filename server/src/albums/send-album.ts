import { Readable } from 'node:stream'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { goneSignal } from '../platform/http/connections/abort-signal.ts'
import { networkOf } from '../platform/http/limits.ts'
import type { Turn } from '../platform/jobs/fair-queue.ts'
import { dispositionOf, goodEverywhere } from '../platform/media/file-name.ts'
import { readRange } from '../platform/media/serving/range.ts'
import type { Contents, Layout } from '../platform/zip/layout.ts'
import type { Entry } from '../platform/zip/records.ts'
import { ZipChanged, zipBytes } from '../platform/zip/stream.ts'
import type { Album, Selection } from './album-store.ts'
import { albumContents } from './album-zip.ts'

/** Scans all rows of an album, and files without a checksum: the only part that no client's network slows down. */
export type LayOutInTurn = (turn: Turn, contents: Contents<Entry>) => Promise<Layout>

type Sending = Parameters<typeof albumContents>[0] & { layOutInTurn: LayOutInTurn }

/** Sends the zip, or the requested range of it. */
export const sendAlbum = async (
  { layOutInTurn, ...opening }: Sending,
  request: FastifyRequest,
  reply: FastifyReply,
  selection: Selection,
  { name, timezone }: Album,
) => {
  const contents = albumContents(opening, selection, timezone)
  const crowd = `user ${selection.viewerId}`
  const turn = { who: `${crowd} ${networkOf(request.ip)}`, crowd, gone: goneSignal(reply) }
  const layout = await layOutInTurn(turn, contents)
  const { length, etag } = layout
  const ifRange = request.headers['if-range']
  const range =
    request.method === 'GET' && (ifRange === undefined || ifRange === etag)
      ? readRange(request.headers.range, length)
      : null
  reply.headers({
    etag,
    'accept-ranges': 'bytes',
    'content-type': 'application/zip',
    'content-disposition': dispositionOf('attachment', `${goodEverywhere(name) || 'album'}.zip`),
    'x-content-type-options': 'nosniff',
  })
  if (range === 'unsatisfiable') return reply.code(416).header('content-range', `bytes */${length}`).send('')
  if (range) reply.code(206).header('content-range', `bytes ${range.start}-${range.end}/${length}`)
  reply.header('content-length', range ? range.end - range.start + 1 : length)
  if (request.method === 'HEAD') return reply.send()
  const body = Readable.from(zipBytes(contents, layout, range ?? undefined), { objectMode: false })
  // The connection is cut before the announced length, so no client mistakes it for the whole file.
  body.on('error', err => {
    if (err instanceof ZipChanged) request.log.info({ reason: err.message }, 'the album changed while it was sent')
    else if ((err as NodeJS.ErrnoException).code !== 'ERR_STREAM_PREMATURE_CLOSE')
      request.log.error({ err }, 'an album could not be sent')
  })
  return reply.send(body)
}
