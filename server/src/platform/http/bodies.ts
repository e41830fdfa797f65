import { Readable } from 'node:stream'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { addField, type Body, bodyOf, formBytesMax } from './body.ts'
import { type FileLimits, type Receive, readMultipart } from './multipart.ts'
import { Unreadable } from './refusals.ts'
import { readTextForm } from './text-form.ts'

const jsonBytesMax = 64 * 1024
/** What is longer has a file in it. */
const textFormBytesMax = 64 * 1024
const utf8 = new TextDecoder('utf-8', { fatal: true })

/** Teaches the server the three encodings of a body; anything else is refused by name. */
export const readBodies = (server: FastifyInstance, receive: Receive, limits: FileLimits) => {
  const parse = (type: string, bodyLimit: number, read: (bytes: Buffer) => Body) =>
    server.addContentTypeParser(type, { parseAs: 'buffer', bodyLimit }, async (_: unknown, bytes: Buffer) =>
      read(bytes),
    )

  server.removeAllContentTypeParsers()
  parse('application/json', jsonBytesMax, bytes => bodyOf(fieldsOfJson(bytes)))
  parse('application/x-www-form-urlencoded', formBytesMax, bytes => bodyOf(fieldsOfUrlencoded(bytes)))
  parse('*', jsonBytesMax, bytes => {
    if (bytes.length) throw new Unreadable('The content type of the body is not supported.')
    return bodyOf({})
  })
  server.addContentTypeParser('multipart/form-data', async (request: FastifyRequest, stream: Readable) => {
    const { 'content-type': type = '', 'content-length': length } = request.headers
    if (!(Number(length) <= textFormBytesMax)) return readMultipart(request, stream, receive, limits)
    const bytes = await bytesOf(request, stream)
    const fields = readTextForm(type, bytes)
    return fields ? bodyOf(fields) : readMultipart(request, Readable.from([bytes]), receive, limits)
  })
}

const bytesOf = (request: FastifyRequest, stream: Readable) =>
  new Promise<Buffer>((resolve, reject) => {
    const chunks: Buffer[] = []
    const cutOff = () => reject(new Unreadable('The body was cut off.'))
    stream
      .on('data', chunk => chunks.push(chunk))
      .on('end', () => resolve(chunks.length === 1 ? (chunks[0] as Buffer) : Buffer.concat(chunks)))
      .on('error', cutOff)
      .on('close', () => request.raw.complete || cutOff())
  })

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
  for (const [name, value] of new URLSearchParams(bytes.toString('utf8'))) addField(fields, name, value)
  return fields
}
