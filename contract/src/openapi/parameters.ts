import type { Json } from '../json-schemas.ts'
import { describeFields } from './describe-fields.ts'

export const parameter = (name: string, place: string, required: boolean, { description, ...schema }: Json) => ({
  name,
  in: place,
  required,
  ...(description !== undefined && { description }),
  schema,
})

/** With what its name means in this operation. */
export const described = <Parameter extends { name: string; description?: unknown }>(of: Parameter, owner: string) => {
  const holder = { properties: { [of.name]: { description: of.description } } }
  describeFields(holder, owner)
  return { ...of, description: holder.properties[of.name]?.description }
}
