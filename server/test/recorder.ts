import { mkdirSync, writeFileSync } from 'node:fs'
import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import { join } from 'node:path'
import { brotliDecompressSync, gunzipSync, zstdDecompressSync } from 'node:zlib'
import { operations } from '@afterglow/contract/operations'
import { anyCodes, generalCodes } from '@afterglow/contract/refusal-codes'
import { streams } from '@afterglow/contract/streams'
import { interfaceVersion } from '@afterglow/contract/version'
import { z } from 'zod'
import { type Example, type Examples, keepExample, presentable } from './examples.ts'
import { whenDone } from './when-done.ts'

type Known = { name: string; method: string; path: RegExp; codes: Set<string>; reply?: z.ZodType; first?: boolean }

const patternOf = (path: string) => new RegExp(`^/${path.replaceAll(/\{\w+\}/g, '[^/]+')}/?$`)
const known: Known[] = [
  ...operations.flatMap(({ name, at, refusals, reply }) =>
    at.map(([method, path], index) => ({
      ...{ name, method, path, codes: new Set(Object.keys(refusals)), reply },
      first: index === 0,
    })),
  ),
  ...streams.map(({ name, at: [method, path], refusals }) => ({
    name,
    method,
    path,
    codes: new Set(Object.keys(refusals)),
  })),
]
  .sort((one, other) => paramsIn(one.path) - paramsIn(other.path))
  .map(({ path, ...rest }) => ({ ...rest, path: patternOf(path) }))

function paramsIn(path: string) {
  return path.split('{').length
}

const general = new Set<string>(anyCodes)
const folder = process.env.RECORD_EXAMPLES

/**
 * Checks every reply that leaves a service of the tests. A code that the contract does not document for its operation,
 * a refusal without one, a reply without the interface's version, or one without a requested `extra` fails the file.
 * With RECORD_EXAMPLES, a folder, examples are written there: `npm run examples`.
 */
export const watchReplies = (server: Server, origin: () => string): void => {
  const wrong: unknown[] = []
  const watch = (request: IncomingMessage, reply: ServerResponse) => {
    const [chunks, sent]: [Buffer[], Buffer[]] = [[], []]
    const asksExtra = request.url?.includes('include=extra') ?? false
    if (folder || asksExtra) gather(reply, ['write', 'end'], chunks)
    if (folder) gather(request, ['push'], sent)
    reply.once('finish', () => {
      const path = (request.url ?? '').split('?', 1)[0] as string
      // A CORS preflight is answered before everything else.
      if (path.startsWith('/realtime') || request.method === 'OPTIONS') return
      const code = reply.getHeader('x-refusal')
      const at = known.filter(each => each.path.test(path))
      const operation =
        at.find(each => each.method === request.method) ??
        // A POST may stand for another method (`_method`).
        at.find(each => request.method === 'POST' && typeof code === 'string' && each.codes.has(code)) ??
        (code === generalCodes[405] ? at[0] : undefined)
      const seen = { method: request.method, path, status: reply.statusCode, code }
      if (reply.getHeader('x-interface') !== interfaceVersion) wrong.push({ ...seen, interface: 'is not told' })
      if (reply.statusCode < 400 ? code !== undefined : typeof code !== 'string') wrong.push(seen)
      if (typeof code !== 'string' ? false : !general.has(code) && !operation?.codes.has(code)) wrong.push(seen)
      if (asksExtra && operation?.reply && reply.statusCode < 300)
        for (const place of lackingExtra(operation.reply, bodyOf(reply, chunks))) wrong.push({ ...seen, lacks: place })
      if (!folder || !operation) return
      const example = exampleOf(reply, chunks, origin())
      if (typeof code === 'string')
        keepExample(kept, operation.name, code, example ?? { status: reply.statusCode, body: '' })
      else if (example) recording.push(keepWithRequest(operation, example, request, sent, origin()))
    })
  }
  server.prependListener('request', watch).prependListener('checkExpectation', watch)
  whenDone(async () => {
    await Promise.all(recording)
    if (folder) writeFileSync(join(folder, `${process.pid}.json`), JSON.stringify(kept))
    if (wrong.length > 0) throw new Error(`Replies that the contract does not document: ${JSON.stringify(wrong)}`)
  })
}

const kept: Examples = {}
if (folder) mkdirSync(folder, { recursive: true })

const recording: Promise<void>[] = []
const keepWithRequest = async (
  { name, first }: Known,
  example: Example,
  { url = '', headers }: IncomingMessage,
  sent: Buffer[],
  origin: string,
) => {
  const body = await requestBody(Buffer.concat(sent), headers['content-type'] ?? '').catch(() => undefined)
  const path = presentable(url, origin) as string
  const request = { path, ...(body && { body: presentable(body, origin, 3) as Record<string, unknown> }) }
  keepExample(kept, name, undefined, first ? { ...example, request } : example)
}

const requestBody = async (bytes: Buffer, type: string): Promise<Record<string, unknown> | undefined> => {
  if (bytes.length === 0) return undefined
  if (type.startsWith('application/json')) return JSON.parse(bytes.toString())
  const fields: Record<string, unknown> = {}
  for (const [named, value] of await new Response(new Uint8Array(bytes), {
    headers: { 'content-type': type },
  }).formData()) {
    const name = named.replace(/\[\d*\]$/, '')
    const shown = typeof value !== 'string' ? value.name : /^\d+$/.test(value) ? Number(value) : value
    if (name === named) fields[name] = shown
    else fields[name] = [...((fields[name] as unknown[]) ?? []), shown]
  }
  return fields
}

const gather = <Name extends string>(of: Record<Name, (...given: never[]) => unknown>, names: Name[], to: Buffer[]) => {
  for (const name of names) {
    const send = of[name].bind(of) as (...given: unknown[]) => unknown
    Object.assign(of, {
      [name]: (chunk: unknown, ...rest: unknown[]) => {
        if (typeof chunk === 'string' || chunk instanceof Uint8Array) to.push(Buffer.from(chunk as string))
        return send(chunk, ...rest)
      },
    })
  }
}

/** The SDK types `extra` as present everywhere, except in a chat's latest message. */
const lackingExtra = (schema: z.ZodType, value: unknown, place = ''): string[] => {
  if (value === null || value === undefined) return []
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodNullable)
    return lackingExtra(schema.unwrap() as z.ZodType, value, place)
  if (schema instanceof z.ZodArray)
    return (value as unknown[]).flatMap(each => lackingExtra(schema.element as z.ZodType, each, place))
  if (!(schema instanceof z.ZodObject)) return []
  const fields = value as Record<string, unknown>
  return Object.entries(schema.shape as Record<string, z.ZodType>).flatMap(([name, field]) => {
    if (name === 'latest_message') return []
    if (name === 'extra' && fields.extra === undefined) return [`${place}.extra`]
    return lackingExtra(field, fields[name], `${place}.${name}`)
  })
}

const openers: Record<string, (bytes: Buffer) => Buffer> = {
  zstd: zstdDecompressSync,
  br: brotliDecompressSync,
  gzip: gunzipSync,
}

const bodyOf = (reply: ServerResponse, chunks: readonly Buffer[]): unknown => {
  const whole = Buffer.concat(chunks)
  const encoding = reply.getHeader('content-encoding')
  const bytes = openers[String(encoding)]?.(whole) ?? whole
  const type = String(reply.getHeader('content-type') ?? '')
  if (type.startsWith('text/plain')) return bytes.toString()
  return type.startsWith('application/json') && bytes.length > 0 ? JSON.parse(bytes.toString()) : undefined
}

const exampleOf = (reply: ServerResponse, chunks: Buffer[], origin: string): Example | undefined => {
  if (Buffer.concat(chunks).length > 200_000) return undefined
  const body = bodyOf(reply, chunks)
  if (body === undefined) return undefined
  return { status: reply.statusCode, body: typeof body === 'string' ? body : presentable(body, origin) }
}
