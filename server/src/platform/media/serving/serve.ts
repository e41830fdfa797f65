import type { Readable } from 'node:stream'
import type { FastifyPluginAsync, FastifyReply, FastifyRequest } from 'fastify'
import { dispositionOf } from '../file-name.ts'
import { typeHeaders } from '../media-type.ts'
import type { Holder, MediaQuery, Signer } from '../signed-url.ts'
import { type ByteRange, NotStored, type Storage } from '../storage/storage.ts'
import { openPieces } from '../structure/open-pieces.ts'
import type { Piece } from '../structure/pieces.ts'
import { namesTag, readRange } from './range.ts'
import type { SentByProxy } from './sent-by-proxy.ts'
import { openSmallFiles, smallBytesMax } from './small-files.ts'

/**
 * A stored file or pieces of one, one in memory, or one to be created for those who may have it (null: it cannot be).
 * `etag` (without quotes) defaults to the hash; `name` is its name for saving.
 */
export type MediaFile =
  | {
      epoch: number
      type: string
      sha256: string
      bytes: number
      pieces?: Piece[]
      etag?: string
      name?: string
      /** Never displayed: its encoding is untrusted. */
      saved?: true
    }
  | { epoch: number; type: string; body: Buffer; etag: string; name?: string }
  | { epoch: number; make(): Promise<MediaFile | null> }
type MadeFile = Exclude<MediaFile, { make: unknown }>

export type MediaDoor = {
  storage: Storage
  signer: Signer
  /** The file behind an object's variant and its current epoch, or null. */
  find(object: number, variant: string): Promise<MediaFile | null>
  /** Tells whether this is still the holder's link epoch, and they are in the object's event. */
  mayHold(holder: Holder, object: number): Promise<boolean>
  sentByProxy?: SentByProxy
}

type MediaRequest = FastifyRequest<{ Params: { object: string; variant: string }; Querystring: MediaQuery }>

/**
 * GET and HEAD `/media/:object/:variant`, with or without an ending. The signature is the permission; there is no bearer token. A wrong or expired
 * one, an unknown object and a lost file look the same: 404 `Not found!`.
 */
export const mediaRoutes =
  (door: MediaDoor): FastifyPluginAsync =>
  async app => {
    const files: Files = { storage: door.storage, readSmall: openSmallFiles(door.storage) }
    app.route<{ Params: { object: string; variant: string }; Querystring: MediaQuery }>({
      method: ['GET', 'HEAD'],
      url: '/media/:object/:variant',
      handler: async (request, reply) => {
        const file = await permitted(request, door)
        if (!file) return notFound(reply)
        const etag = `"${'sha256' in file ? (file.etag ?? file.sha256) : file.etag}"`
        const length = 'body' in file ? file.body.length : file.bytes
        const fresh = namesTag(request.headers['if-none-match'], etag)
        const path = fresh ? null : await pathAtProxy(file, request, door)
        // The proxy handles conditional and range requests for the whole file as we do.
        if (path !== null)
          return reply.headers({ ...cachedFor(request), ...headersOf(file), 'x-accel-redirect': path }).send()
        const range = wantedRange(request, etag, length)
        const silent = fresh || request.method === 'HEAD' || range === 'unsatisfiable'
        const body = silent ? undefined : await bodyOf(file, range, request, files)
        if (body === null) return notFound(reply)

        reply.headers({
          etag,
          'accept-ranges': 'bytes',
          ...cachedFor(request),
          ...headersOf(file),
        })
        if (fresh) return reply.code(304).send()
        if (range === 'unsatisfiable') return unsatisfiable(reply, length)
        if (range) reply.code(206).header('content-range', `bytes ${range.start}-${range.end}/${length}`)
        return reply.header('content-length', bytesOf(range, length)).send(body)
      },
    })
  }

async function permitted({ params, query }: MediaRequest, door: MediaDoor): Promise<MadeFile | null> {
  const { signer, find, mayHold } = door
  // Cheap checks first: garbage must not cost a query.
  const [, variant] = /^([a-z0-9-]{1,32})(?:\.[a-z0-9]{2,4})?$/.exec(params.variant) ?? []
  if (!/^[1-9][0-9]{0,14}$/.test(params.object) || !variant) return null
  if (!signer.plausible(query)) return null
  const held = query.h !== undefined
  const holder = signer.holderIn(query)
  if (held && holder === undefined) return null
  const object = Number(params.object)
  const file = await find(object, smallerOf(variant, query))
  if (!file || !signer.verify({ object, variant, epoch: file.epoch, held }, query)) return null
  if (holder !== undefined && !(await mayHold(holder, object))) return null
  return 'make' in file ? madeNow(file) : file
}

/** Access to a picture includes its smaller sizes. */
function smallerOf(variant: string, { w, as }: MediaQuery) {
  if (variant === 'preview' && w === '400') return 'tile'
  if (variant !== 'display') return variant
  if (w === '1280') return as === 'avif' ? 'medium-avif' : 'medium'
  return w === '640' || w === '400' ? `display-${w}` : variant
}

/** Only for those who may have it: creating it takes seconds. */
async function madeNow({ make }: { make(): Promise<MediaFile | null> }): Promise<MadeFile | null> {
  try {
    const made = await make()
    return made === null || 'make' in made ? null : made
  } catch (error) {
    if (error instanceof NotStored) return null
    throw error
  }
}

function headersOf(file: MadeFile): Record<string, string> {
  const { type, name } = file
  const headers = typeHeaders(type)
  if (name === undefined) return headers
  const saved = 'saved' in file && file.saved
  const how = headers['content-disposition'] === 'inline' && !saved ? 'inline' : 'attachment'
  return { ...headers, 'content-disposition': dispositionOf(how, name) }
}

const cachedFor = ({ query }: MediaRequest) => ({
  'cache-control': `private, max-age=${secondsLeft(query)}, immutable`,
})

/**
 * Null for anything that is not a stored file in its entirety, is missing, or was not requested through such a proxy.
 */
async function pathAtProxy(file: MadeFile, request: MediaRequest, { storage, sentByProxy }: MediaDoor) {
  if ('body' in file || file.pieces) return null
  const path = sentByProxy?.(request, file.sha256) ?? null
  return path !== null && (await storage.find(file.sha256))?.bytes === file.bytes ? path : null
}

// Ranges only apply to GET, and only while the file is still the one of which the client has a part.
function wantedRange(request: MediaRequest, etag: string, length: number) {
  if (request.method !== 'GET') return null
  const ifRange = request.headers['if-range']
  if (ifRange !== undefined && ifRange !== etag) return null
  return readRange(request.headers.range, length)
}

type Files = { storage: Storage; readSmall: ReturnType<typeof openSmallFiles> }

/** Null if the storage lacks what the row promises, which is logged. */
async function bodyOf(
  file: MadeFile,
  range: ByteRange | null | 'unsatisfiable',
  { log }: MediaRequest,
  { storage, readSmall }: Files,
): Promise<Readable | Buffer | null> {
  const part = range === 'unsatisfiable' ? null : range
  if ('body' in file) return partOf(file.body, part)
  try {
    if (file.pieces) return await openPieces(storage, file.sha256, file.pieces, part ?? undefined)
    if (file.bytes <= smallBytesMax) return partOf(await readSmall(file.sha256, file.bytes), part)
    const { stream, bytes } = await storage.open(file.sha256, part ?? undefined)
    if (bytes === bytesOf(part, file.bytes)) return stream
    stream.destroy()
    log.error({ sha256: file.sha256 }, 'a media file has not the length of its row')
  } catch (error) {
    if (!(error instanceof NotStored)) throw error
    log.error({ sha256: file.sha256 }, 'a media row has no file')
  }
  return null
}

const partOf = (whole: Buffer, part: ByteRange | null) => (part ? whole.subarray(part.start, part.end + 1) : whole)

function unsatisfiable(reply: FastifyReply, length: number) {
  return reply.code(416).header('content-range', `bytes */${length}`).type('text/plain; charset=utf-8').send('')
}

function notFound(reply: FastifyReply) {
  return reply
    .code(404)
    .header('x-content-type-options', 'nosniff')
    .header('cache-control', 'no-store')
    .type('text/plain; charset=utf-8')
    .send('Not found!')
}

const bytesOf = (range: ByteRange | null, length: number) => (range ? range.end - range.start + 1 : length)

const secondsLeft = (query: MediaQuery) => Math.max(0, Number(query.e) - Math.ceil(Date.now() / 1000))
