import type { Readable } from 'node:stream'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { ReceivedFile } from '../media/incoming.ts'
import { type FileLimits, type Receive, readMultipart } from './multipart.ts'
import { Unreadable } from './refusals.ts'

/** What a request carried in its body, however it was encoded. Its files are temporaries until the request is answered. */
export type Body = {
  fields: Record<string, unknown>
  files: Record<string, ReceivedFile[]>
  /** File fields that held a file too large to keep. */
  tooLarge: Set<string>
}

export const bodyOf = (fields: Record<string, unknown>): Body => ({ fields, files: {}, tooLarge: new Set() })

export const discard = async (body: Body | undefined) => {
  for (const list of Object.values(body?.files ?? {})) await Promise.all(list.map(file => file.remove()))
}

/** `name[]` and `name[0]` are list items of `name`; the same plain name twice makes a list too, for the schema to judge. */
export const addField = (fields: Record<string, unknown>, name: string, value: unknown) => {
  const key = plainName(name)
  if (key === '__proto__') return
  const before = fields[key]
  if (Array.isArray(before)) before.push(value)
  else if (before !== undefined) fields[key] = [before, value]
  else fields[key] = key === name ? value : [value]
}
export const plainName = (name: string) => name.replace(/\[\d{0,4}\]$/, '')

const jsonBytesMax = 64 * 1024
export const formBytesMax = 256 * 1024
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
  server.addContentTypeParser('multipart/form-data', (request: FastifyRequest, stream: Readable) =>
    readMultipart(request, stream, receive, limits),
  )
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
  for (const [name, value] of new URLSearchParams(bytes.toString('utf8'))) addField(fields, name, value)
  return fields
}
