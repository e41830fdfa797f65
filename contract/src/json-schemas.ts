/** Converts shapes to JSON Schema, writing each named one once under `components/schemas`. */
import { z } from 'zod'

export type Json = { [key: string]: unknown }

/** `schemaOf` returns a shape's schema and adds every named shape that it refers to to `schemas`. */
export const schemasIn = (schemas: Json = {}) => {
  const schemaOf = (type: z.ZodType, io: 'input' | 'output'): Json => {
    const { $schema, $defs, ...schema } = z.toJSONSchema(type, { io, unrepresentable: 'any', override: tidy }) as Json
    for (const [name, definition] of Object.entries(rooted($defs ?? {}) as Json))
      schemas[name] = withoutId(definition as Json)
    const { id, ...own } = rooted(schema) as Json
    if (typeof id !== 'string') return own
    schemas[id] = own
    return { $ref: `#/components/schemas/${id}` }
  }
  return { schemas, schemaOf }
}

/**
 * A field type that declares its own schema type hides how leniently it is parsed. Many tools take a pattern with
 * Unicode's classes for another one, or for none.
 */
const tidy = ({ jsonSchema }: { jsonSchema: Json }) => {
  if (jsonSchema.type !== undefined) delete jsonSchema.anyOf
  if (String(jsonSchema.pattern).includes('\\p{')) delete jsonSchema.pattern
}

const withoutId = ({ id: _, ...schema }: Json) => schema

const rooted = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(rooted)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([key, each]) => [
      key,
      key === '$ref' && typeof each === 'string' ? each.replace('#/$defs/', '#/components/schemas/') : rooted(each),
    ]),
  )
}
