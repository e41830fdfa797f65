/** The interface as an OpenAPI 3.1 document, made from the operations. */
import type { z } from 'zod'
import { type Json, schemasIn } from './json-schemas.ts'
import { secretKeyLengthMin } from './limits.ts'
import { operationsBySlice } from './operations.ts'
import type { Method, Refusal, Route } from './route.ts'
import { streamPaths } from './streams.ts'

const titles: Record<keyof typeof operationsBySlice, string> = {
  accounts: 'Accounts',
  providers: 'Sign-in with a provider',
  recovery: 'E-mail and forgotten passwords',
  notifications: 'Notifications and realtime',
  events: 'Events',
  links: 'Joining by link',
  people: 'People',
  gallery: 'Gallery',
  chats: 'Group chats',
  leaving: 'Taking along and leaving',
}

const json = (schema: Json) => ({ 'application/json': { schema } })
const text = (example: string) => ({ 'text/plain': { schema: { type: 'string' }, example } })

/** `serverUrl` is the origin that the paths follow. */
export const openapi = (serverUrl: string): Json => {
  const { schemas, schemaOf } = schemasIn({ ...errorSchemas })
  const paths: Record<string, Json> = {}
  for (const [slice, operations] of Object.entries(operationsBySlice)) {
    for (const operation of operations) {
      operation.at.forEach(([method, path], index) => {
        const described = describe(operation, method, path, index, schemaOf)
        const tags = [titles[slice as keyof typeof titles]]
        paths[`/${path}`] = { ...paths[`/${path}`], [method.toLowerCase()]: { tags, ...described } }
      })
    }
  }
  for (const [path, operations] of Object.entries(streamPaths(titles.gallery)))
    paths[path] = { ...paths[path], ...operations }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Afterglow',
      version: '1',
      description:
        'Events with guests, a group chat and a shared gallery. Lists take `page` and `page_length`; `?include=extra` adds what the documented shapes leave out.',
    },
    servers: [{ url: serverUrl }],
    security: [{ bearer: [] }],
    tags: Object.values(titles).map(name => ({ name })),
    paths,
    components: { securitySchemes: { bearer: { type: 'http', scheme: 'bearer' } }, schemas },
  }
}

type SchemaOf = (type: z.ZodType, io: 'input' | 'output') => Json

const describe = (operation: Route, method: Method, path: string, index: number, schemaOf: SchemaOf): Json => {
  const { properties = {}, required = [] } = schemaOf(operation.input, 'input') as {
    properties?: Json
    required?: string[]
  }
  const inPath = new Set([...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name as string))
  const asQuery = method === 'GET'
  const others = Object.entries(properties).filter(([name]) => !inPath.has(name))
  const parameters = [
    ...[...inPath].map(name => ({ name, in: 'path', required: true, schema: properties[name] })),
    ...(asQuery
      ? others.map(([name, schema]) => ({ name, in: 'query', required: required.includes(name), schema }))
      : []),
    ...(operation.extra ? [{ name: 'include', in: 'query', required: false, schema: { const: 'extra' } }] : []),
    ...(operation.idempotent
      ? [
          {
            name: 'Idempotency-Key',
            in: 'header',
            required: false,
            schema: {
              type: 'string',
              minLength: operation.idempotent === 'secret' ? secretKeyLengthMin : 1,
              maxLength: 255,
            },
          },
        ]
      : []),
  ]
  const success = { description: 'Done.', content: json(schemaOf(operation.reply, 'output')) }
  return {
    operationId: index === 0 ? operation.name : `${operation.name}${index + 1}`,
    summary: operation.summary,
    description: `At most ${operation.perMinute} requests a minute.`,
    ...(operation.open && { security: operation.open === 'either' ? [{}, { bearer: [] }] : [] }),
    ...(parameters.length > 0 && { parameters }),
    ...(!asQuery && requestBody(operation, Object.fromEntries(others), required)),
    responses: {
      200: success,
      ...(operation.creates201 && { 201: { ...success, description: 'Something new was made.' } }),
      ...refusalsOf(operation),
    },
  }
}

const requestBody = (operation: Route, properties: Json, required: string[]): Json => {
  const files = Object.entries(operation.files ?? {})
  const file = { type: 'string', contentMediaType: 'application/octet-stream' }
  const fields = {
    ...properties,
    ...Object.fromEntries(
      files.map(([name, { many }]) => [name, many ? { type: 'array', items: file, maxItems: many } : file]),
    ),
  }
  const needed = [
    ...required.filter(name => name in properties),
    ...files.filter(([, field]) => field.required === true).map(([name]) => name),
  ]
  if (Object.keys(fields).length === 0) return {}
  const schema = { type: 'object', properties: fields, ...(needed.length > 0 && { required: needed }) }
  const form = { 'multipart/form-data': { schema } }
  return {
    requestBody: {
      required: needed.length > 0,
      content: files.some(([, field]) => field.required)
        ? form
        : files.length > 0
          ? { ...form, ...json(schema) }
          : json(schema),
    },
  }
}

const ref = (name: string) => ({ $ref: `#/components/schemas/${name}` })

const refusalsOf = (operation: Route): Json => {
  const refusals = Object.values<Refusal>(operation.refusals)
  const saying: Record<string, string>[] = refusals.flatMap(({ status, ...body }) =>
    status === 400 ? [body as Record<string, string>] : [],
  )
  const missing = refusals.flatMap(refusal => ('text' in refusal ? [refusal.text] : []))
  const credentials = refusals.find(refusal => refusal.status === 401)
  const examples = Object.fromEntries(saying.map((value, at) => [`refusal ${at + 1}`, { value }]))
  return {
    400: {
      description: ['Validation error', ...saying.map(value => Object.values(value)[0])].join(' · '),
      content: { 'application/json': { schema: ref('ValidationError'), ...(saying.length > 0 && { examples }) } },
    },
    ...(credentials
      ? { 401: { description: 'Wrong credentials.', content: json(ref('ValidationError')) } }
      : operation.open !== true && {
          401: { description: 'The bearer token is missing or invalid.', content: json(ref('Failure')) },
        }),
    ...(missing[0] && { 404: { description: missing.join(' · '), content: text(missing[0]) } }),
    429: { description: 'Rate limit exceeded.', content: json(ref('Failure')) },
    500: { description: 'Backend fault.', content: json(ref('Failure')) },
  }
}

const errorSchemas: Json = {
  ValidationError: {
    type: 'object',
    description: 'Field names with their sentences, or one refusal as error_message (upload: error).',
    additionalProperties: { anyOf: [{ type: 'array', items: { type: 'string' } }, { type: 'string' }] },
  },
  Failure: { type: 'object', properties: { message: { type: 'string' } }, required: ['message'] },
}
