import type { IncomingMessage } from 'node:http'
import type { Readable, Writable } from 'node:stream'
import type { FileField } from '@afterglow/contract/route'
import { Dicer } from '@fastify/busboy'
import type { FastifyRequest } from 'fastify'
import { FileTooLarge, type ReceivedFile } from '../../media/received-file.ts'
import { Unreadable } from '../refusals.ts'
import { addField, type Body, baseName, bodyOf, discard, formBytesMax, plainName } from './body.ts'
import { charsetOf, decodeText } from './charset.ts'
import { decompressing, type Encoding } from './content-encoding.ts'
import type { OpenBodies, OpenBody } from './open-bodies.ts'
import { type PartHead, partHead } from './part-head.ts'

/** Streams one file to a temporary. Throws FileTooLarge, with the stream left to drain. */
export type Receive = (stream: Readable, limits: { bytesMax: number }) => Promise<ReceivedFile>

export type FileLimits = { [limit in FileField['bytesMax']]: number }

const partLimits = { fields: 100, files: 32 }
const headerLimits = { maxHeaderPairs: 50, maxHeaderSize: 16 * 1024 }

type Files = Readonly<Record<string, FileField>>
type Reading = { receive: Receive; limits: FileLimits; bodies: OpenBodies; encoding?: Encoding | undefined }

/** The field that a part belongs to if it is a file; undefined if it is text. */
export const fileFieldOf = ({ name, filename, type }: PartHead, files: Files): string | undefined => {
  const plain = plainName(name)
  // Not what every object has: "constructor" is a name like any other.
  if (Object.hasOwn(files, plain)) return plain
  const base = baseName(name)
  const isText = filename === undefined && (type.startsWith('text/') || type === 'application/json')
  if (!isText && Object.hasOwn(files, base)) return base
  return filename === undefined ? undefined : name
}

/** Some clients send a string in a form as JSON, in its quotes, and a list as one part. */
const partValue = (text: string, { type }: PartHead): unknown => {
  if (type !== 'application/json' || !/^\s*["[]/.test(text)) return text
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

/**
 * Reads a form as it arrives: fields into memory, the operation's files to temporaries. A file under a name that the
 * operation does not take is refused: dropped, it would be missed by whoever sent it. Resolves when every file is safe;
 * if anything fails, after every temporary has been removed.
 */
export const readMultipart = async (
  request: FastifyRequest,
  stream: Readable,
  { receive, limits, bodies, encoding }: Reading,
): Promise<Body> => {
  const { operation, lists } = request.routeOptions.config
  const expected: Files = operation?.files ?? {}
  const source = sourceOf(request.raw, stream, encoding)
  const { form, charset } = openForm(request, source)
  const body = bodyOf({})
  const texts: { head: PartHead; latin1: string }[] = []
  const arriving: Promise<void>[] = []
  const open = new Set<Readable>()
  const places = new Map<ReceivedFile, number>()
  let bytesOfFiles = 0
  let endPouring = () => {}
  let text: OpenBody | undefined

  const keep = async (key: string, field: FileField, part: Readable, filename: string | undefined) => {
    const place = arriving.length
    try {
      const received = { ...(await receive(part, { bytesMax: limits[field.bytesMax] })), name: filename }
      // A browser sends an empty, nameless part for a file field that was left empty.
      if (received.bytes === 0 && !filename) return received.remove()
      places.set(received, place)
      body.files[key] = [...(body.files[key] ?? []), received]
    } catch (error) {
      if (!(error instanceof FileTooLarge)) throw error
      body.tooLarge.add(key)
      part.resume()
    }
  }

  const read = new Promise<void>((resolve, reject) => {
    const tooMany = new Unreadable('The form has too many parts.')
    const malformed = new Unreadable('The multipart form is malformed.')
    let fileCount = 0
    let headless = 0
    const beginText = (part: Readable, head: PartHead) => {
      if (texts.length === partLimits.fields) throw tooMany
      const field = { head, latin1: '' }
      texts.push(field)
      part.on('data', (chunk: Buffer) => {
        field.latin1 += chunk.toString('latin1')
      })
    }
    const beginFile = (part: Readable, key: string, { name, filename }: PartHead) => {
      fileCount += 1
      if (fileCount > partLimits.files) throw tooMany
      onPush(part, bytes => {
        bytesOfFiles += bytes
      })
      const field = Object.hasOwn(expected, key) ? expected[key] : undefined
      const refused = new Unreadable(`The form has a file under a name that is not taken: ${name.slice(0, 100)}`)
      if (!field && filename) throw refused
      // Only an empty part without a name, of a field that was left empty, is no file.
      if (!field) return void part.on('data', () => reject(refused))
      open.add(part)
      part.once('close', () => open.delete(part))
      const arrived = keep(key, field, part, filename)
      arrived.catch(reject)
      arriving.push(arrived)
    }
    form.on('part', (part: Readable) => {
      headless += 1
      part.on('error', () => {})
      part.on('header', (header: Record<string, string[]>) => {
        headless -= 1
        try {
          const head = partHead(header)
          const key = fileFieldOf(head, expected)
          if (key === undefined) beginText(part, head)
          else beginFile(part, key, head)
        } catch (error) {
          part.resume()
          reject(error)
        }
      })
    })
    form.on('finish', () => (headless === 0 ? resolve() : reject(malformed)))
    form.on('error', () => reject(malformed))
    text = bodies.open(request, reject, true)
    const counted = text
    let held = 0
    const poured = (bytes: number) => {
      const now = bytes - bytesOfFiles
      counted.grow(Math.max(0, now - held))
      held = Math.max(held, now)
      if (held > formBytesMax) reject(new Unreadable('The text of the form is too long.'))
      if (source.tooLarge(bytes)) reject(new Unreadable('The body expands too much.'))
    }
    endPouring = pour(source.stream, form, {
      poured,
      error: error => reject(source.fault(error)),
      close: () => source.isWhole() || reject(source.fault(undefined)),
    })
  })

  try {
    await read
    await Promise.all(arriving)
    for (const { head, latin1 } of texts) {
      const decoded = decodeText(Buffer.from(latin1, 'latin1'), head.charset ?? charset)
      addField(body.fields, head.name, partValue(decoded, head), lists)
    }
    // The last may be written first.
    const placeOf = (file: ReceivedFile) => places.get(file) as number
    for (const received of Object.values(body.files)) received.sort((a, b) => placeOf(a) - placeOf(b))
    return body
  } catch (error) {
    endPouring()
    source.end()
    for (const file of open) file.destroy(error as Error)
    await Promise.allSettled(arriving)
    await discard(body)
    throw error
  } finally {
    text?.close()
  }
}

/** Tells what a part is given, before anybody reads it: what waits in a file's own buffer is no text. */
const onPush = (part: Readable, tell: (bytes: number) => void) => {
  const push = part.push.bind(part)
  part.push = chunk => {
    if (chunk) tell(chunk.length)
    return push(chunk)
  }
}

type Source = {
  stream: Readable
  /** Whether it has ended as it should, once it is closed. */
  isWhole(): boolean
  /** Whether so much can only come of a body that was made to expand. */
  tooLarge(bytes: number): boolean
  fault(error: unknown): Unreadable
  /** Nobody reads what is still in transit. */
  end(): void
}
const sourceOf = (raw: IncomingMessage, stream: Readable, encoding: Encoding | undefined): Source => {
  if (encoding !== undefined) return decompressing(raw, encoding)
  const fault = () => new Unreadable('The body was cut off.')
  return {
    stream,
    isWhole: () => stream !== raw || raw.complete,
    tooLarge: () => false,
    fault,
    end: () => void stream.resume(),
  }
}

const pieceBytes = 4 * 1024

type Pouring = { poured(bytes: number): void; error(error: unknown): void; close(): void }

/**
 * Pours a stream into a form, and reports the size of each chunk. Small chunks are combined: the form keeps a string
 * for each, which for a single byte would be thirty times its size. Returns a function that stops it, after which it
 * listens to neither.
 */
const pour = (stream: Readable, form: Writable, { poured, error, close }: Pouring) => {
  let bytes = 0
  const small = Buffer.allocUnsafe(pieceBytes)
  let used = 0
  const write = (piece: Buffer) => {
    if (piece.length === 0) return
    bytes += piece.length
    if (!form.write(piece)) stream.pause()
    poured(bytes)
  }
  const writeSmall = () => {
    write(Buffer.from(small.subarray(0, used)))
    used = 0
  }
  const keep = (chunk: Buffer) => {
    if (used + chunk.length > pieceBytes) writeSmall()
    if (chunk.length >= pieceBytes) return write(chunk)
    used += chunk.copy(small, used)
  }
  const goOn = () => stream.resume()
  const end = () => {
    writeSmall()
    form.end()
  }
  form.on('drain', goOn)
  stream.on('data', keep).on('end', end).on('error', error).on('close', close)
  return () => {
    form.off('drain', goOn)
    stream.off('data', keep).off('end', end).off('error', error).off('close', close)
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
