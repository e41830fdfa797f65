import type { Readable } from 'node:stream'
import type { FileField } from '@afterglow/contract/route'
import { Dicer } from '@fastify/busboy'
import type { FastifyRequest } from 'fastify'
import type { ReceivedFile } from '../../media/received-file.ts'
import { Unreadable } from '../refusals.ts'
import { type Body, formBytesMax } from './body.ts'
import { charsetOf } from './charset.ts'
import type { Encoding } from './content-encoding.ts'
import { FormParts } from './form-parts.ts'
import { pour, type Source, sourceOf } from './form-source.ts'
import type { OpenBodies, OpenBody } from './open-bodies.ts'
import { partHead } from './part-head.ts'

/** Streams one file to a temporary. Throws FileTooLarge, with the stream left to drain. */
export type Receive = (stream: Readable, limits: { bytesMax: number }) => Promise<ReceivedFile>

export type FileLimits = { [limit in FileField['bytesMax']]: number }

const headerLimits = { maxHeaderPairs: 50, maxHeaderSize: 16 * 1024 }

type Reading = { receive: Receive; limits: FileLimits; bodies: OpenBodies; encoding?: Encoding | undefined }

/**
 * Reads a form as it arrives: fields into memory, the operation's files to temporaries. A file under an unknown name is
 * refused, because dropping it would lose it for the sender. Resolves when every file is safe; if anything fails, after
 * every temporary has been removed.
 */
export const readMultipart = async (
  request: FastifyRequest,
  stream: Readable,
  { receive, limits, bodies, encoding }: Reading,
): Promise<Body> => {
  const { operation, lists } = request.routeOptions.config
  const source = sourceOf(request.raw, stream, encoding)
  const { form, charset } = openForm(request, source)
  const parts = new FormParts(operation?.files ?? {}, receive, limits)
  let endPouring = () => {}
  let text: OpenBody | undefined
  try {
    await new Promise<void>((resolve, reject) => {
      hearParts(form, parts, resolve, reject)
      text = bodies.open(request, reject, true)
      endPouring = pour(source.stream, form, {
        poured: bounded(source, text, parts, reject),
        error: error => reject(source.fault(error)),
        close: () => source.isWhole() || reject(source.fault(undefined)),
      })
    })
    return await parts.whole(charset, lists)
  } catch (error) {
    endPouring()
    source.end()
    await parts.abandon(error)
    throw error
  } finally {
    text?.close()
  }
}

const boundaryOf = /;\s*boundary\s*=\s*(?:"([^"]{1,200})"|([^\s";]{1,200}))/i

const openForm = (request: FastifyRequest, source: Source) => {
  const type = request.headers['content-type'] ?? ''
  const [, quoted, bare] = boundaryOf.exec(type) ?? []
  const boundary = quoted ?? bare
  if (boundary === undefined) {
    source.end()
    throw new Unreadable('The multipart form has no valid boundary.')
  }
  return { form: new Dicer({ boundary, ...headerLimits }), charset: charsetOf(type) }
}

type Fail = (reason: unknown) => void

const hearParts = (form: Dicer, parts: FormParts, done: () => void, fail: Fail) => {
  const malformed = new Unreadable('The multipart form is malformed.')
  let headless = 0
  form.on('part', (part: Readable) => {
    headless += 1
    part.on('error', () => {})
    part.on('header', (header: Record<string, string[]>) => {
      headless -= 1
      try {
        parts.begin(part, partHead(header), fail)
      } catch (error) {
        part.resume()
        fail(error)
      }
    })
  })
  form.on('finish', () => (headless === 0 ? done() : fail(malformed)))
  form.on('error', () => fail(malformed))
}

/** Counts the bytes that a form keeps in memory: everything except files. */
const bounded = (source: Source, text: OpenBody, parts: FormParts, fail: Fail) => {
  let held = 0
  return (bytes: number) => {
    const now = bytes - parts.fileBytes
    text.grow(Math.max(0, now - held))
    held = Math.max(held, now)
    if (held > formBytesMax) fail(new Unreadable('The text of the form is too long.'))
    if (source.tooLarge(bytes)) fail(new Unreadable('The body expands too much.'))
  }
}
