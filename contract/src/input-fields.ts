/** Reads the fields of shapes. */
import { z } from 'zod'

type Type = z.core.$ZodType
type Wrapping = { type: string; innerType?: Type; element?: Type; in?: Type; out?: Type }

/** The type inside an optional, nullable or tidied one. */
const innerOf = (type: Type): Type | undefined => {
  const def = type._zod.def as Wrapping
  return def.innerType ?? (def.in?._zod.def.type === 'transform' ? def.out : def.in)
}

const isList = (type: Type): boolean => {
  if (type._zod.def.type === 'array') return true
  const inner = innerOf(type)
  return inner !== undefined && isList(inner)
}

/** A type without what makes it optional, nullable, tidied or a list. */
export const bare = (type: Type): Type => {
  const inner = (type._zod.def as Wrapping).element ?? innerOf(type)
  return inner ? bare(inner) : type
}

/** The fields of an object, or of the objects in a list. */
export const fieldsOf = (type: Type | undefined): Readonly<Record<string, Type>> => {
  const inner = type && bare(type)
  return inner instanceof z.ZodObject ? inner.shape : {}
}

/** An input's fields that are lists, each with the names of its items' fields: none if the items are plain values. */
export type Lists = ReadonlyMap<string, readonly string[]>

export const listsIn = (input: z.ZodType): Lists =>
  new Map(
    Object.entries(fieldsOf(input))
      .filter(([, field]) => isList(field))
      .map(([name, field]) => [name, Object.keys(fieldsOf(field))]),
  )
