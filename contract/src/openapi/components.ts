import type { Json } from '../json-schemas.ts'
import { generalCodes } from '../refusal-codes.ts'
import { refusalPages } from '../refusal-pages.ts'
import { interfaceVersion } from '../version.ts'

/* Components that several operations share. */

export const refs = (kind: 'headers' | 'responses' | 'schemas', names: readonly string[]) =>
  Object.fromEntries(names.map(name => [name, { $ref: `#/components/${kind}/${name}` }]))
export const schemaRef = (name: string) => refs('schemas', [name])[name] as Json

export const errorSchemas: Json = {
  ValidationError: {
    type: 'object',
    description: 'Field names with their error messages, or a single refusal as error_message (for uploads: error).',
    additionalProperties: { anyOf: [{ type: 'array', items: { type: 'string' } }, { type: 'string' }] },
  },
  Failure: { type: 'object', properties: { message: { type: 'string' } }, required: ['message'] },
}

const header = (description: string, schema: Json, example: unknown) => ({ description, schema, example })
/** In every reply. */
export const limited = ['X-RateLimit-Limit', 'X-RateLimit-Remaining', 'X-Interface', 'X-Request-Id']
export const headers: Json = {
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
export const sharedReplies: Json = {
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
