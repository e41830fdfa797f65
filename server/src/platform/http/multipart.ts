import type { Readable, Writable } from 'node:stream'
import type { FileField } from '@afterglow/contract/route'
import { Busboy } from '@fastify/busboy'
import type { FastifyRequest } from 'fastify'
import { FileTooLarge, type ReceivedFile } from '../media/received-file.ts'
import { addField, type Body, bodyOf, discard, formBytesMax, plainName } from './body.ts'
import type { OpenBodies, OpenBody } from './open-bodies.ts'
import { Unreadable } from './refusals.ts'

/** Streams one file to a temporary. Throws FileTooLarge, with the stream left to drain. */
export type Receive = (stream: Readable, limits: { bytesMax: number }) => Promise<ReceivedFile>

export type FileLimits = { [limit in FileField['bytesMax']]: number }

const partLimits = { fields: 100, files: 32, parts: 128, fieldSize: formBytesMax, fieldNameSize: 100, headerPairs: 50 }

/**
 * Reads a form as it arrives: fields into memory, the operation's files to temporaries, other files are discarded.
 * Resolves when every file is safe; if anything fails, after every temporary has been removed.
 */
export const readMultipart = async (
  request: FastifyRequest,
  stream: Readable,
  { receive, limits, bodies }: { receive: Receive; limits: FileLimits; bodies: OpenBodies },
): Promise<Body> => {
  const expected = request.routeOptions.config.operation?.files ?? {}
  const form = openForm(request, stream)
  const body = bodyOf({})
  const arriving: Promise<void>[] = []
  const open = new Set<Readable>()
  const files: { bytesRead: number }[] = []
  const places = new Map<ReceivedFile, number>()
  let endPouring = () => {}
  let text: OpenBody | undefined

  const keep = async (key: string, file: Readable, bytesMax: number, name: string | undefined) => {
    const place = files.length
    try {
      const received = { ...(await receive(file, { bytesMax })), name }
      // A browser sends an empty, nameless part for a file field that was left empty.
      if (received.bytes === 0 && !name) return received.remove()
      places.set(received, place)
      body.files[key] = [...(body.files[key] ?? []), received]
    } catch (error) {
      if (!(error instanceof FileTooLarge)) throw error
      body.tooLarge.add(key)
      file.resume()
    }
  }

  const read = new Promise<void>((resolve, reject) => {
    const tooMany = () => reject(new Unreadable('The form has too many parts.'))
    const cutOff = () => reject(new Unreadable('The body was cut off.'))
    const closed = () => stream !== request.raw || request.raw.complete || cutOff()
    form.on('partsLimit', tooMany).on('fieldsLimit', tooMany).on('filesLimit', tooMany)
    const nameless = () => reject(new Unreadable('A part of the form has no name.'))
    // A name may be missing, whatever the parser's types say.
    form.on('field', (name: string | undefined, value, nameCut, valueCut) => {
      if (nameCut || valueCut) reject(new Unreadable('A field of the form is too long.'))
      else if (name === undefined) nameless()
      else addField(body.fields, name, value)
    })
    form.on('file', (name: string | undefined, file, filename) => {
      files.push(file as unknown as { bytesRead: number })
      if (name === undefined) {
        nameless()
        return void file.resume()
      }
      const key = plainName(name)
      // Not what every object has: "constructor" is a name like any other.
      const field = Object.hasOwn(expected, key) ? expected[key] : undefined
      if (!field) return void file.resume()
      open.add(file)
      file.once('close', () => open.delete(file))
      const arrived = keep(key, file, limits[field.bytesMax], filename)
      arrived.catch(reject)
      arriving.push(arrived)
    })
    form.on('finish', resolve).on('error', () => reject(new Unreadable('The multipart form is malformed.')))
    text = bodies.open(request, reject, true)
    const counted = text
    let held = 0
    const bytesOfText = (poured: number) => {
      const now = poured - files.reduce((sum, { bytesRead }) => sum + bytesRead, 0)
      counted.grow(Math.max(0, now - held))
      held = Math.max(held, now)
      if (held > formBytesMax) reject(new Unreadable('The text of the form is too long.'))
    }
    endPouring = pour(stream, form, { poured: bytesOfText, error: cutOff, close: closed })
  })

  try {
    await read
    await Promise.all(arriving)
    // The last may be written first.
    const placeOf = (file: ReceivedFile) => places.get(file) as number
    for (const received of Object.values(body.files)) received.sort((a, b) => placeOf(a) - placeOf(b))
    return body
  } catch (error) {
    endPouring()
    stream.resume()
    for (const file of open) file.destroy(error as Error)
    await Promise.allSettled(arriving)
    await discard(body)
    throw error
  } finally {
    text?.close()
  }
}

const pieceBytes = 4 * 1024

type Pouring = { poured(bytes: number): void; error(): void; close(): void }

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

const openForm = (request: FastifyRequest, stream: Readable) => {
  try {
    return new Busboy({ headers: request.headers as { 'content-type': string }, limits: partLimits })
  } catch {
    stream.resume()
    throw new Unreadable('The multipart form has no valid boundary.')
  }
}
