/**
 * The same document in OpenAPI 3.0.3, for generators that do not support 3.1: `nullable` instead of type null, an enum of
 * one value instead of const, `format: binary` for files, no siblings of references, no examples.
 */
import type { Json } from './json-schemas.ts'

export const openapi30 = (document: Json): Json => {
  const { summary: _, license, ...info } = document.info as Json
  const { identifier, ...named } = license as Json
  return {
    ...(lowered(document) as Json),
    openapi: '3.0.3',
    info: { ...info, license: { ...named, url: `https://spdx.org/licenses/${identifier}.html` } },
  }
}

const isObject = (value: unknown): value is Json => typeof value === 'object' && value !== null && !Array.isArray(value)

const lowered = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(lowered)
  if (!isObject(value)) return value
  if ('$ref' in value) return { $ref: value.$ref }
  const own = Object.fromEntries(
    // No generator reads examples, and 3.0 cannot make a reference nullable, so an example containing null would be invalid.
    Object.entries(value).flatMap(([key, each]) =>
      key === 'examples' ? [] : [[key, key === 'example' ? each : lowered(each)]],
    ),
  )
  return nullable(restricted(own))
}

const restricted = (given: Json): Json => {
  const { const: only, contentMediaType, contentSchema: _, exclusiveMinimum, minimum, maximum, ...schema } = given
  return {
    ...schema,
    ...(only !== undefined && { enum: [only], ...(schema.type === undefined && { type: typeof only }) }),
    ...(contentMediaType === 'application/octet-stream' && { format: 'binary' }),
    ...(typeof exclusiveMinimum === 'number' && { minimum: exclusiveMinimum + 1 }),
    ...bound('minimum', minimum),
    ...bound('maximum', maximum),
  }
}

/** JavaScript's integer limit carries no meaning, and some generators cannot represent it. */
const bound = (name: string, value: unknown) =>
  value === undefined || Math.abs(value as number) >= Number.MAX_SAFE_INTEGER ? {} : { [name]: value }

const nullable = (schema: Json): Json => {
  if (Array.isArray(schema.type)) {
    const [type] = schema.type.filter(each => each !== 'null')
    return { ...schema, type, ...(schema.type.includes('null') && { nullable: true }) }
  }
  const { anyOf, ...rest } = schema
  if (!Array.isArray(anyOf) || !anyOf.some(isNull)) return schema
  const others = anyOf.filter(each => !isNull(each)) as Json[]
  const [only] = others
  if (others.length > 1 || !only) return { ...rest, anyOf: others, nullable: true }
  return '$ref' in only
    ? { ...rest, type: 'object', allOf: [only], nullable: true }
    : { ...only, ...rest, nullable: true }
}

const isNull = (schema: unknown) => isObject(schema) && (schema.type === 'null' || schema.enum === null)
