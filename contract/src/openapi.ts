/** Generates the OpenAPI 3.1 document from the operations. */
import type { z } from 'zod'
import { describeFields } from './descriptions.ts'
import { examples } from './examples.ts'
import { type Json, schemasIn } from './json-schemas.ts'
import { secretKeyLengthMin } from './limits.ts'
import { operationsBySlice } from './operations.ts'
import { generalCodes, invalidCode } from './refusal-codes.ts'
import { refusalPages } from './refusal-pages.ts'
import type { Method, Refusal, Route } from './route.ts'
import { type StreamRoute, streams } from './streams.ts'
import { interfaceVersion } from './version.ts'

const tags: Record<keyof typeof operationsBySlice, { name: string; description: string }> = {
  accounts: { name: 'Accounts', description: 'Registration, sign-in, the account and its devices.' },
  providers: {
    name: 'Sign-in with a provider',
    description: 'Sign-in with Google, Apple, Facebook and OpenID providers.',
  },
  recovery: { name: 'E-mail and forgotten passwords', description: 'E-mail verification and password reset.' },
  returns: { name: 'Coming back', description: 'How guests without a password come back as themselves.' },
  transfers: { name: 'Another device', description: 'Signing in on another device with a code.' },
  notifications: {
    name: 'Notifications and realtime',
    description: 'Notifications, the realtime channel, catching up on missed changes, and pushes.',
  },
  events: { name: 'Events', description: 'Events, their guests, join requests and invitations.' },
  announcements: { name: 'Announcements', description: 'Announcements from organizers to everyone in an event.' },
  links: { name: 'Joining by link', description: 'Invitation links and QR codes.' },
  plans: { name: 'Plans', description: 'Events in one’s own calendar.' },
  people: { name: 'People', description: 'Search, friends, blocks and reports.' },
  gallery: { name: 'Gallery', description: 'The photos and videos of an event, and their comments.' },
  chats: { name: 'Group chats', description: 'The chat of an event.' },
  polls: { name: 'Polls', description: 'Questions in a chat, on which people vote.' },
  wall: { name: 'Live wall', description: 'What the screens of an event show, and their remote control.' },
  privacy: { name: 'Data export and account deletion', description: 'Exporting one’s data and deleting the account.' },
  webhooks: {
    name: 'Webhooks',
    description: 'Signed HTTP callbacks for what happens in an event or the whole service.',
  },
}

const aboutAt = (serverUrl: string) => `Events with guests, a group chat and a shared gallery.

Lists take \`page\` and \`page_length\`; \`?include=extra\` adds fields beyond the documented shapes. Every reply carries \`X-Interface\`. Every refusal carries a machine-readable code in \`X-Refusal\`; bodies are for people. Additions raise the minor version; nothing is removed within version 1.

The operations of the documented interface are marked \`x-documented-interface\`; where that interface is open, [our reading](${serverUrl}/docs/readings) says how it is understood. The realtime channel is described by [AsyncAPI](${serverUrl}/api/asyncapi.json), every code of \`X-Refusal\` by [its page](${serverUrl}/docs/refusals).

The examples are real replies, recorded in the tests.`

/** `serverUrl` is what the paths are relative to. */
export const openapi = (serverUrl: string): Json => {
  const { schemas, schemaOf } = schemasIn({ ...errorSchemas })
  const paths: Record<string, Json> = {}
  const put = (path: string, method: string, described: Json) => {
    paths[`/${path}`] = { ...paths[`/${path}`], [method.toLowerCase()]: described }
  }
  for (const [slice, operations] of Object.entries(operationsBySlice)) {
    const tag = tags[slice as keyof typeof tags].name
    for (const operation of operations.toSorted((one, other) => (one.name < other.name ? -1 : 1)))
      operation.at.forEach(([method, path], index) => {
        put(path, method, { tags: [tag], ...describe(operation, method, path, index, schemaOf) })
      })
  }
  for (const stream of streams)
    put(stream.at[1], stream.at[0], { tags: [tags.gallery.name], ...describeStream(stream) })
  for (const [name, schema] of Object.entries(schemas)) describeFields(schema, name)
  return {
    openapi: '3.1.0',
    info: {
      title: 'Afterglow',
      version: interfaceVersion,
      summary: 'The service behind a social event app.',
      description: aboutAt(serverUrl),
      contact: { name: 'The operator of this service', url: serverUrl },
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [
      { url: serverUrl, description: 'This service.' },
      {
        url: 'https://{host}',
        description: 'Another instance.',
        variables: { host: { default: 'party.example', description: 'Host name of the instance.' } },
      },
    ],
    security: [{ bearer: [] }],
    tags: Object.values(tags),
    paths,
    components: {
      securitySchemes: {
        bearer: { type: 'http', scheme: 'bearer', description: 'The `token` returned by registration and sign-in.' },
      },
      headers,
      responses: sharedReplies,
      schemas,
    },
  }
}

type SchemaOf = (type: z.ZodType, io: 'input' | 'output') => Json

const describe = (operation: Route, method: Method, path: string, index: number, schemaOf: SchemaOf): Json => {
  const input = schemaOf(operation.input, 'input')
  describeFields(input, operation.name)
  const { properties = {}, required: needed = [] } = input as { properties?: Record<string, Json>; required?: string[] }
  const required = [...needed, ...(operation.alsoRequired ?? [])]
  const inPath = new Set([...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name as string))
  // Many clients and proxies drop the body of a DELETE.
  const asQuery = method === 'GET' || method === 'DELETE'
  const others = Object.entries(properties).filter(([name]) => !inPath.has(name))
  const parameters = [
    ...[...inPath].map(name => parameter(name, 'path', true, properties[name] ?? {})),
    ...(asQuery ? others.map(([name, schema]) => parameter(name, 'query', required.includes(name), schema)) : []),
    ...(operation.extra ? [parameter('include', 'query', false, { type: 'string', const: 'extra' })] : []),
    ...(operation.idempotent
      ? [
          parameter('Idempotency-Key', 'header', false, {
            type: 'string',
            minLength: operation.idempotent === 'secret' ? secretKeyLengthMin : 1,
            maxLength: 255,
          }),
        ]
      : []),
  ].map(each => described(each, operation.name))
  const reply = schemaOf(operation.reply, 'output')
  describeFields(reply, operation.name)
  const success = (status: number, description: string) => ({
    [status]: {
      description,
      headers: { ...refs('headers', limited), ...(operation.idempotent && refs('headers', ['Idempotency-Replayed'])) },
      content: {
        'application/json': {
          schema: reply,
          ...exampleOf(examples[operation.name]?.replies[status]),
        },
      },
    },
  })
  return {
    operationId: index === 0 ? operation.name : (operation.names?.[index - 1] as string),
    summary: operation.summary,
    description: `At most ${operation.perMinute} requests per minute and user.${operation.documented ? ' Part of the documented interface, which never changes.' : ''}`,
    ...(operation.documented && { 'x-documented-interface': true }),
    ...(operation.deprecated && { deprecated: true }),
    ...(operation.open && { security: operation.open === 'either' ? [{}, { bearer: [] }] : [] }),
    ...(parameters.length > 0 && { parameters }),
    ...(!asQuery && requestBody(operation, Object.fromEntries(others), required)),
    responses: {
      ...success(200, 'Done.'),
      ...(operation.creates201 && success(201, 'Something new was made.')),
      ...refusalsOf(operation, operation.open === true),
    },
  }
}

const parameter = (name: string, place: string, required: boolean, { description, ...schema }: Json) => ({
  name,
  in: place,
  required,
  ...(description !== undefined && { description }),
  schema,
})

const described = <Parameter extends { name: string; description?: unknown }>(of: Parameter, owner: string) => {
  const holder = { properties: { [of.name]: { description: of.description } } }
  describeFields(holder, owner)
  return { ...of, description: holder.properties[of.name]?.description }
}

const requestBody = (operation: Route, properties: Json, required: string[]): Json => {
  const files = Object.entries(operation.files ?? {})
  const file = () => ({ type: 'string', contentMediaType: 'application/octet-stream' })
  const fields = {
    ...properties,
    ...Object.fromEntries(
      // Some generators know a file in a list by its format alone.
      files.map(([name, { many }]) => [
        name,
        many ? { type: 'array', items: { ...file(), format: 'binary' }, maxItems: many } : file(),
      ]),
    ),
  }
  const needed = [
    ...required.filter(name => name in properties),
    ...files.filter(([, field]) => field.required === true).map(([name]) => name),
  ]
  if (Object.keys(fields).length === 0) return {}
  const schema = { type: 'object', properties: fields, ...(needed.length > 0 && { required: needed }) }
  describeFields(schema, operation.name)
  return {
    requestBody: {
      required: needed.length > 0,
      // Only a form: given a choice, generated clients take JSON, which cannot carry files.
      content: files.length > 0 ? { 'multipart/form-data': { schema } } : { 'application/json': { schema } },
    },
  }
}

const describeStream = (route: StreamRoute): Json => ({
  operationId: route.name,
  summary: route.summary,
  description: `At most ${route.perMinute} requests per minute.`,
  ...(route.signed && { security: [] }),
  parameters: route.parameters.map(each => described({ ...each }, route.name)),
  ...(route.at[0] === 'PATCH' && {
    requestBody: {
      required: true,
      content: {
        'application/offset+octet-stream': {
          schema: { type: 'string', contentMediaType: 'application/offset+octet-stream' },
        },
      },
    },
  }),
  responses: {
    ...Object.fromEntries(
      Object.entries(route.replies).map(([status, { description, headers: told = [], body }]) => [
        status,
        {
          description,
          ...(told.length > 0 && {
            headers: Object.fromEntries(told.map(name => [name, { schema: { type: 'string' } }])),
          }),
          ...(body && { content: { [body]: { schema: { type: 'string', contentMediaType: body } } } }),
        },
      ]),
    ),
    ...refusalsOf(route, route.signed === true),
  },
})

// ---- refusals ----

const refs = (kind: 'headers' | 'responses' | 'schemas', names: readonly string[]) =>
  Object.fromEntries(names.map(name => [name, { $ref: `#/components/${kind}/${name}` }]))
const schemaRef = (name: string) => refs('schemas', [name])[name] as Json
const exampleOf = (value: unknown) => (value === undefined ? {} : { examples: { seen: { value } } })

const refusalsOf = ({ name, refusals }: Pick<Route, 'name' | 'refusals'>, open: boolean): Json => {
  const entries = Object.entries<Refusal>(refusals)
  const bodyOf = (refusal: Refusal): unknown => {
    const { status, ...body } = refusal
    return 'text' in refusal ? refusal.text : body
  }
  const summaryOf = (code: string) => refusalPages[code as keyof typeof refusalPages].cause
  const of = (status: number) => entries.filter(([, refusal]) => refusal.status === status)
  const shown = (status: number) =>
    Object.fromEntries(
      of(status).map(([code, refusal]) => [code, { summary: summaryOf(code), value: bodyOf(refusal) }]),
    )
  const invalid = examples[name]?.refusals[invalidCode]?.body
  const wrong = {
    ...(invalid !== undefined && { [invalidCode]: { summary: summaryOf(invalidCode), value: invalid } }),
    ...shown(400),
  }
  const refusing = (description: string, type: string, schema: Json, seen: Json) => ({
    description,
    headers: refs('headers', ['X-Refusal', ...limited]),
    content: { [type]: { schema, ...(Object.keys(seen).length > 0 && { examples: seen }) } },
  })
  const codesIn = (status: number) => of(status).map(([code]) => `\`${code}\``)
  return {
    400: refusing(
      [`\`${invalidCode}\``, ...codesIn(400)].join(' · '),
      'application/json',
      schemaRef('ValidationError'),
      wrong,
    ),
    ...(of(401).length > 0
      ? { 401: refusing(codesIn(401).join(' · '), 'application/json', schemaRef('ValidationError'), shown(401)) }
      : !open && { 401: refs('responses', ['Unauthenticated']).Unauthenticated }),
    ...(of(404).length > 0 && {
      404: refusing(codesIn(404).join(' · '), 'text/plain', { type: 'string' }, shown(404)),
    }),
    429: refs('responses', ['TooManyRequests']).TooManyRequests,
    500: refs('responses', ['Fault']).Fault,
    503: refs('responses', ['Unavailable']).Unavailable,
  }
}

const errorSchemas: Json = {
  ValidationError: {
    type: 'object',
    description: 'Field names with their error messages, or a single refusal as error_message (for uploads: error).',
    additionalProperties: { anyOf: [{ type: 'array', items: { type: 'string' } }, { type: 'string' }] },
  },
  Failure: { type: 'object', properties: { message: { type: 'string' } }, required: ['message'] },
}

const header = (description: string, schema: Json, example: unknown) => ({ description, schema, example })
const limited = ['X-RateLimit-Limit', 'X-RateLimit-Remaining', 'X-Interface', 'X-Request-Id']
const headers: Json = {
  'X-RateLimit-Limit': header('Requests allowed per minute.', { type: 'integer' }, 120),
  'X-RateLimit-Remaining': header('Requests left in this minute.', { type: 'integer' }, 119),
  'X-RateLimit-Reset': header('When the minute ends, in Unix seconds.', { type: 'integer' }, 1_781_980_260),
  'Retry-After': header('Seconds to wait before retrying.', { type: 'integer' }, 42),
  'X-Refusal': header('Machine-readable code of the refusal.', { type: 'string' }, 'notInEvent'),
  'X-Interface': header('Version of the interface.', { type: 'string' }, interfaceVersion),
  'X-Request-Id': header(
    'Identifies this request in the operator’s log.',
    { type: 'string' },
    '6f1c1c34-41a1-4f0e-9d1c-0b6a5d0f4a52',
  ),
  'WWW-Authenticate': header('The authentication scheme to use.', { type: 'string' }, 'Bearer'),
  'Idempotency-Replayed': header(
    'Present if this is the reply to a repeated Idempotency-Key.',
    { type: 'string' },
    'true',
  ),
}

const shared = (status: keyof typeof generalCodes, message: string, told: string[]) => ({
  description: `\`${generalCodes[status]}\`: ${refusalPages[generalCodes[status]].cause}`,
  headers: refs('headers', ['X-Refusal', 'X-Interface', 'X-Request-Id', ...told]),
  content: {
    'application/json': {
      schema: schemaRef('Failure'),
      examples: { [generalCodes[status]]: { value: { message } } },
    },
  },
})
const sharedReplies: Json = {
  Unauthenticated: shared(401, 'Unauthenticated.', ['WWW-Authenticate']),
  TooManyRequests: shared(429, 'Too Many Attempts.', [
    'X-RateLimit-Limit',
    'X-RateLimit-Remaining',
    'X-RateLimit-Reset',
    'Retry-After',
  ]),
  Fault: shared(500, 'Server Error', []),
  Unavailable: shared(503, 'Service Unavailable', ['Retry-After']),
}
