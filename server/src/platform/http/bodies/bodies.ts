import { Readable } from 'node:stream'
import type { Lists } from '@afterglow/contract/input-fields'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { Unreadable } from '../refusals.ts'
import { type Body, bodyOf, formBytesMax } from './body.ts'
import { charsetOf, decodeText } from './charset.ts'
import { decompressed, encodingOf } from './content-encoding.ts'
import { fieldsFrom } from './field-names.ts'
import { type FileLimits, type Receive, readMultipart } from './multipart.ts'
import type { OpenBodies } from './open-bodies.ts'
import { wholeBody } from './whole-body.ts'

const jsonBytesMax = 64 * 1024
/** Anything longer contains a file, where files are allowed. */
const textFormBytesMax = 64 * 1024
const partsMax = 1000

type Reading = { receive: Receive; limits: FileLimits; bodies: OpenBodies }

const jsonTypes = /^(?:application\/(?:json|[\w!#$&^.-]+\+json)|text\/json)\s*(?:;|$)/i

/** Adds support for JSON and the two kinds of form, in any charset, compressed or not; anything else is refused by name. */
export const readBodies = (server: FastifyInstance, { receive, limits, bodies }: Reading) => {
  const whole = async (request: FastifyRequest, stream: Readable, bytesMax: number) => {
    const encoding = encodingIn(request, stream)
    return decompressed(await wholeBody(request, stream, bytesMax, bodies), encoding, bytesMax)
  }
  const parse = (type: string | RegExp, bytesMax: number, read: (bytes: Buffer, told: BodyHeaders) => Body) =>
    server.addContentTypeParser(type, async (request: FastifyRequest, stream: Readable) => {
      const charset = charsetOf(request.headers['content-type'])
      return read(await whole(request, stream, bytesMax), { charset, lists: request.routeOptions.config.lists })
    })

  server.addHook('onClose', async () => bodies.close())
  server.removeAllContentTypeParsers()
  parse(jsonTypes, jsonBytesMax, (bytes, told) => bodyOf(fieldsOfJson(bytes, told)))
  parse('application/x-www-form-urlencoded', formBytesMax, (bytes, told) => bodyOf(fieldsOfUrlencoded(bytes, told)))
  server.addContentTypeParser('*', async (request: FastifyRequest, stream: Readable) => {
    await wholeBody(request, stream, 0, bodies).catch(() => {
      throw new Unreadable('The content type of the body is not supported.')
    })
    return bodyOf({})
  })
  server.addContentTypeParser('multipart/form-data', async (request: FastifyRequest, stream: Readable) => {
    const encoding = encodingIn(request, stream)
    const streamed = (from: Readable) =>
      readMultipart(request, from, { receive, limits, bodies, encoding: from === stream ? encoding : undefined })
    const takesFiles = request.routeOptions.config.operation?.files !== undefined
    if (takesFiles && (encoding || !(Number(request.headers['content-length']) <= textFormBytesMax)))
      return streamed(stream)
    return streamed(Readable.from([await whole(request, stream, takesFiles ? textFormBytesMax : formBytesMax)]))
  })
}

/** Parameters for parsing a body. */
type BodyHeaders = { charset: string | undefined; lists: Lists | undefined }

const encodingIn = ({ headers }: FastifyRequest, stream: Readable) => {
  try {
    return encodingOf(headers)
  } catch (error) {
    stream.resume()
    throw error
  }
}

const wide = (bytes: Buffer) => {
  const mark = bytes.length >= 2 ? bytes.readUInt16BE(0) : 0
  return mark === 0xfeff || mark === 0xfffe ? 'utf-16' : undefined
}

const parsedJson = (bytes: Buffer, charset: string | undefined): unknown => {
  const text = decodeText(bytes, charset ?? wide(bytes))
  try {
    return JSON.parse(text)
  } catch {
    throw new Unreadable('The body is not valid JSON.')
  }
}

const fieldsOfJson = (bytes: Buffer, { charset }: BodyHeaders): Record<string, unknown> => {
  if (bytes.length === 0) return {}
  const value = parsedJson(bytes, charset)
  if (value === null) return {}
  if (typeof value !== 'object' || Array.isArray(value)) throw new Unreadable('The body must be a JSON object.')
  return value as Record<string, unknown>
}

const percentEncoded = /%([0-9a-f]{2})/gi

const fieldsOfUrlencoded = (bytes: Buffer, told: BodyHeaders) => {
  // curl and others call JSON a form when nobody tells them what it is.
  if (bytes[0] === 0x7b && bytes.at(-1) === 0x7d) return fieldsOfJson(bytes, told)
  const textOf = (encoded: string) => {
    const unescaped = encoded
      .replaceAll('+', ' ')
      .replace(percentEncoded, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))
    return decodeText(Buffer.from(unescaped, 'latin1'), told.charset)
  }
  const pairs = bytes.toString('latin1').split('&', partsMax + 1)
  if (pairs.length > partsMax) throw new Unreadable('The form has too many parts.')
  const named = pairs
    .filter(pair => pair !== '')
    .map(pair => {
      const at = pair.indexOf('=')
      const [name, value] = at === -1 ? [pair, ''] : [pair.slice(0, at), pair.slice(at + 1)]
      return [textOf(name), textOf(value)] as const
    })
  return fieldsFrom(named, told.lists)
}
