import { Readable } from 'node:stream'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { addField, type Body, bodyOf, formBytesMax } from './body.ts'
import { type FileLimits, type Receive, readMultipart } from './multipart.ts'
import type { OpenBodies } from './open-bodies.ts'
import { Unreadable } from './refusals.ts'
import { readTextForm } from './text-form.ts'
import { wholeBody } from './whole-body.ts'

const jsonBytesMax = 64 * 1024
/** Anything longer contains a file, where files are allowed. */
const textFormBytesMax = 64 * 1024
const partsMax = 1000
const utf8 = new TextDecoder('utf-8', { fatal: true })

type Reading = { receive: Receive; limits: FileLimits; bodies: OpenBodies }

/** Adds support for the three encodings of a body; any other is refused by name. */
export const readBodies = (server: FastifyInstance, { receive, limits, bodies }: Reading) => {
  const parse = (type: string, bytesMax: number, read: (bytes: Buffer) => Body) =>
    server.addContentTypeParser(type, async (request: FastifyRequest, stream: Readable) =>
      read(await wholeBody(request, stream, bytesMax, bodies)),
    )

  server.addHook('onClose', async () => bodies.close())
  server.removeAllContentTypeParsers()
  parse('application/json', jsonBytesMax, bytes => bodyOf(fieldsOfJson(bytes)))
  parse('application/x-www-form-urlencoded', formBytesMax, bytes => bodyOf(fieldsOfUrlencoded(bytes)))
  server.addContentTypeParser('*', async (request: FastifyRequest, stream: Readable) => {
    await wholeBody(request, stream, 0, bodies).catch(() => {
      throw new Unreadable('The content type of the body is not supported.')
    })
    return bodyOf({})
  })
  server.addContentTypeParser('multipart/form-data', async (request: FastifyRequest, stream: Readable) => {
    const { 'content-type': type = '', 'content-length': length } = request.headers
    const takesFiles = request.routeOptions.config.operation?.files !== undefined
    const streamed = (from: Readable) => readMultipart(request, from, { receive, limits, bodies })
    if (takesFiles && !(Number(length) <= textFormBytesMax)) return streamed(stream)
    const bytes = await wholeBody(request, stream, takesFiles ? textFormBytesMax : formBytesMax, bodies)
    const fields = readTextForm(type, bytes)
    return fields ? bodyOf(fields) : streamed(Readable.from([bytes]))
  })
}

const fieldsOfJson = (bytes: Buffer): Record<string, unknown> => {
  if (bytes.length === 0) return {}
  let value: unknown
  try {
    value = JSON.parse(utf8.decode(bytes))
  } catch {
    throw new Unreadable('The body is not valid JSON.')
  }
  if (value === null) return {}
  if (typeof value !== 'object' || Array.isArray(value)) throw new Unreadable('The body must be a JSON object.')
  return value as Record<string, unknown>
}

const fieldsOfUrlencoded = (bytes: Buffer) => {
  const fields: Record<string, unknown> = {}
  let parts = 0
  for (const [name, value] of new URLSearchParams(bytes.toString('utf8'))) {
    parts += 1
    if (parts > partsMax) throw new Unreadable('The form has too many parts.')
    addField(fields, name, value)
  }
  return fields
}
