/** Names that mean something, though an operation does not read them: they are refused, never ignored. */
import type { z } from 'zod'
import { bare, fieldsOf } from './input-fields.ts'
import { operations, operationsBySlice } from './operations.ts'
import type { AnyRoute } from './route.ts'

type Type = z.core.$ZodType

/** The supported name for a given one: null if there is none, undefined if the name means nothing. */
export type FieldNameLookup = (name: string) => string | null | undefined

const idOf = (type: Type): string => String((bare(type) as z.ZodType).meta()?.id ?? '')

/** The resource that an operation answers with, or lists. */
const resourceOf = ({ reply }: AnyRoute): Type => {
  const { data, per_page } = fieldsOf(reply)
  return bare(data && per_page ? data : reply)
}

const documented = new Set(
  operations.filter(each => each.documented).flatMap(each => [idOf(each.reply), idOf(resourceOf(each))]),
)
/** Apps send back what they were given of a documented resource, and mean nothing by it. */
const harmlessIn = (resource: Type) =>
  documented.has(idOf(resource)) ? Object.keys(fieldsOf(resource)).filter(name => name !== 'extra') : []

const isPerson = (type: Type) => ['MinimalUser', 'SeenUser'].includes(idOf(type))

/** Deep inside a resource, only names of several words are its own: `url` and `name` are anybody's. */
const namesWithin = (type: Type): string[] =>
  isPerson(type)
    ? []
    : Object.entries(fieldsOf(type)).flatMap(([name, field]) => [
        ...(name.includes('_') ? [name] : []),
        ...namesWithin(field),
      ])

/** The field names of a resource. Where it shows a person, an ID could mean them, too. */
const namesOf = (resource: Type, read: ReadonlySet<string>): string[] => {
  const { extra, ...own } = fieldsOf(resource)
  const within = Object.entries(fieldsOf(extra)).flatMap(([name, field]) =>
    name === 'may' || read.has(name) ? [name] : [name, ...namesWithin(field)],
  )
  const shows = !documented.has(idOf(resource)) && Object.values(own).some(isPerson)
  return [...Object.keys(own), ...(shows ? ['user_id'] : []), ...(extra ? ['extra', ...within] : [])]
}

const isId = (name: string) => /(?:^|_)ids?$/.test(name)
const neighbours = new Map<AnyRoute, readonly AnyRoute[]>(
  Object.values(operationsBySlice).flatMap(slice => slice.map(each => [each, slice] as const)),
)
/** Other resources of the slice that show what the operation sets. */
const siblingsOf = (operation: AnyRoute, known: readonly string[]): Type[] =>
  operation.documented
    ? []
    : (neighbours.get(operation) ?? [])
        .map(resourceOf)
        .filter(each => Object.keys(fieldsOf(each)).some(name => !isId(name) && known.includes(name)))

const firstWord = (name: string) => name.slice(0, name.indexOf('_'))
const longerBy = (name: string, known: readonly string[]) => known.filter(each => each.endsWith(`_${name}`))

/** The field that is known by a name with a word more or less, or with another resource in front. */
const counterpart = (name: string, known: readonly string[], resource: string): string | null => {
  const near = [...longerBy(name, known), ...known.filter(each => name.endsWith(`_${each}`))]
  const owners = [resource.toLowerCase(), 'my']
  const alike = owners.includes(firstWord(name)) ? longerBy(name.slice(firstWord(name).length + 1), known) : []
  const [one, ...others] = near.length > 0 ? near : alike
  return one !== undefined && others.length === 0 ? one : null
}

/** Names that a request to this operation must not use, because their sender would believe them to be read. */
const carriedBy = (operation: AnyRoute, known: readonly string[]): Map<string, string | null> => {
  const own = resourceOf(operation)
  const siblings = siblingsOf(operation, known)
  const read = new Set([...known, ...Object.keys(operation.files ?? {})])
  const harmless = new Set([own, ...siblings].flatMap(harmlessIn))
  const names = [
    ...namesOf(own, read),
    ...siblings.flatMap(each => namesOf(each, read)).filter(name => name === 'user_id' || !isId(name)),
  ].filter(name => name !== 'done' && !read.has(name) && !harmless.has(name))
  return new Map([
    ...names.map(name => [name, counterpart(name, known, idOf(own))] as const),
    ...Object.entries(operation.mistaken ?? {}),
  ])
}

/**
 * Knows a name under which a reply carries what the operation sets or shows, and one that only lacks its first words.
 * Clients of the documented interface, written against another service, may send more than it names.
 */
export const fieldNameLookup = (operation: AnyRoute): FieldNameLookup => {
  const known = Object.keys(fieldsOf(operation.input))
  const carried = carriedBy(operation, known)
  return name =>
    carried.get(name) ?? (carried.has(name) ? null : operation.documented ? undefined : shortened(name, known))
}

/** Completes a name that lacks its first words. */
export const shortened = (name: string, known: readonly string[]): string | undefined => {
  const [one, ...others] = known.includes(name) ? [] : longerBy(name, known)
  return others.length === 0 ? one : undefined
}
