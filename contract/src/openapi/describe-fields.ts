import { descriptions } from '../descriptions.ts'

type Described = { properties?: Record<string, Described>; description?: unknown }

/** Adds a description to every property without one, at any depth. `owner` is the name of the shape or operation. */
export const describeFields = (schema: unknown, owner: string): void => {
  if (typeof schema !== 'object' || schema === null) return
  if (Array.isArray(schema)) {
    for (const each of schema) describeFields(each, owner)
    return
  }
  const { properties } = schema as Described
  for (const [name, property] of Object.entries(properties ?? {})) {
    const said = descriptions[`${owner}.${name}`] ?? descriptions[name]
    if (said !== undefined) property.description ??= said
  }
  for (const [key, each] of Object.entries(schema)) {
    if (key === 'properties') for (const property of Object.values(properties ?? {})) describeFields(property, owner)
    else describeFields(each, owner)
  }
}
