import type { z } from 'zod'
import { examples } from '../examples.ts'
import type { Json } from '../json-schemas.ts'
import { secretKeyLengthMin } from '../limits.ts'
import type { Method, Route, Takes } from '../route.ts'
import { codeSamples } from './code-samples.ts'
import { limited, refs } from './components.ts'
import { describeFields } from './describe-fields.ts'
import { refusalsOf } from './describe-refusals.ts'
import { described, parameter } from './parameters.ts'

type SchemaOf = (type: z.ZodType, io: 'input' | 'output') => Json

type Place = { slice: string; serverUrl: string; schemaOf: SchemaOf }

/** An operation at one of its addresses. */
export const describe = (
  operation: Route,
  [method, path]: readonly [Method, string],
  index: number,
  { slice, serverUrl, schemaOf }: Place,
): Json => {
  const input = schemaOf(operation.input, 'input')
  describeFields(input, operation.name)
  const { properties = {}, required: needed = [] } = input as { properties?: Record<string, Json>; required?: string[] }
  const required = [...needed, ...(operation.alsoRequired ?? [])]
  // Many clients and proxies drop the body of a DELETE.
  const asQuery = method === 'GET' || method === 'DELETE'
  const names = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name as string)
  const others = Object.entries(properties).filter(([name]) => !names.includes(name))
  const parameters = [
    ...names.map(name => parameter(name, 'path', true, properties[name] ?? {})),
    ...(asQuery ? others.map(([name, schema]) => parameter(name, 'query', required.includes(name), schema)) : []),
    ...ownParameters(operation),
  ].map(each => described(each, operation.name))
  const reply = schemaOf(operation.reply, 'output')
  describeFields(reply, operation.name)
  const operationId = index === 0 ? operation.name : (operation.names?.[index - 1] as string)
  const recorded = index === 0 ? examples[operation.name]?.request : undefined
  return {
    operationId,
    summary: titleOf(operationId),
    description: [
      operation.summary,
      `At most ${operation.perMinute} requests per minute and user.`,
      ...(operation.documented ? ['Part of the documented interface, which never changes.'] : []),
      ...(operation.takes ? guards(operation.takes) : []),
    ].join(' '),
    ...(operation.documented && { 'x-documented-interface': true }),
    ...(operation.deprecated && { deprecated: true }),
    ...(operation.open && { security: operation.open === 'either' ? [{}, { bearer: [] }] : [] }),
    ...(parameters.length > 0 && { parameters }),
    ...(!asQuery && requestBody(operation, Object.fromEntries(others), required)),
    ...(recorded && { 'x-codeSamples': codeSamples(operation, slice, recorded, serverUrl) }),
    responses: {
      ...success(operation, reply, 200, 'Done.'),
      ...(operation.creates201 && success(operation, reply, 201, 'Something new was made.')),
      ...refusalsOf(operation, operation.open === true),
    },
  }
}

/** The operation’s title in lists: “Approve join request” for `approveJoinRequest`. */
export const titleOf = (operationId: string) =>
  operationId
    .replace(/^./, first => first.toUpperCase())
    .replaceAll(/[A-Z]/g, (each, at) => (at ? ` ${each.toLowerCase()}` : each))

/** The safeguards against losing something by accident through this operation. */
const guards = ({ back, backHours, proof }: Takes) => [
  ...(proof === 'always' ? ['Asks for a recent proof of who is calling.'] : []),
  ...(proof === 'ofOthers' ? ['For what others wrote, it asks for a recent proof of who is calling.'] : []),
  ...(back ? [`Undone by ${back}${backHours ? `, for ${backHours} hours` : ''}.`] : []),
]

const ownParameters = ({ extra, idempotent }: Route) => [
  ...(extra ? [parameter('include', 'query', false, { type: 'string', const: 'extra' })] : []),
  ...(idempotent
    ? [
        parameter('Idempotency-Key', 'header', false, {
          type: 'string',
          minLength: idempotent === 'secret' ? secretKeyLengthMin : 1,
          maxLength: 255,
        }),
      ]
    : []),
]

const success = ({ name, idempotent }: Route, reply: Json, status: number, description: string) => {
  const seen = examples[name]?.replies[status]
  return {
    [status]: {
      description,
      headers: { ...refs('headers', limited), ...(idempotent && refs('headers', ['Idempotency-Replayed'])) },
      content: {
        'application/json': { schema: reply, ...(seen !== undefined && { examples: { seen: { value: seen } } }) },
      },
    },
  }
}

const requestBody = (operation: Route, properties: Json, required: string[]): Json => {
  const files = Object.entries(operation.files ?? {})
  const file = () => ({ type: 'string', contentMediaType: 'application/octet-stream' })
  const isForm = files.length > 0
  const fields = {
    ...(isForm
      ? Object.fromEntries(Object.entries(properties).map(([name, each]) => [name, inForm(each as Json)]))
      : properties),
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
  const sent = examples[operation.name]?.request?.body
  const media = { schema, ...(sent && { examples: { sent: { value: sent } } }) }
  describeFields(schema, operation.name)
  return {
    requestBody: {
      required: needed.length > 0,
      // Only a form: given a choice, generated clients take JSON, which cannot carry files.
      content: isForm ? { 'multipart/form-data': media } : { 'application/json': media },
    },
  }
}

/** A form has neither objects nor null: each object of a list is the text of its JSON. */
const inForm = ({ anyOf, ...schema }: Json): Json => {
  if (Array.isArray(anyOf)) {
    const list = anyOf.find(each => each.type === 'array')
    return list ? inForm({ ...list, ...schema }) : { ...schema, anyOf }
  }
  const { items } = schema as { items?: Json }
  if (items?.type !== 'object') return schema
  return { ...schema, items: { type: 'string', contentMediaType: 'application/json', contentSchema: items } }
}
