import type { Lists } from '@afterglow/contract/input-fields'

/** `base`, an item of it as `base[]`, `base[0]` or `base.0`, and a property as `base[0][property]` or `base.0.property`. */
type FieldName = { base: string; item: string | undefined; property: string | undefined }

const written = /^([^.[\]]+)(?:\[(\d{0,4})\]|\.(\d{1,4}))?(?:\[(\w+)\]|\.(\w+))?$/

/** Parses field names as client libraries write them. An unknown form is a name of its own. */
export const fieldName = (name: string): FieldName => {
  const [, base, bracketed, dotted, inBrackets, afterDot] = written.exec(name) ?? []
  if (base === undefined) return { base: name, item: undefined, property: undefined }
  return { base, item: bracketed ?? dotted, property: inBrackets ?? afterDot }
}

/** The base of a name, whichever way its parts are written. */
export const baseName = (name: string) => /^[^.[]*/.exec(name)?.[0] ?? name

type Items = Record<string, unknown>[]

/**
 * The fields of a form or a query. Of a plain name given twice the last counts, unless the operation takes a list there.
 * Properties belong to the item of their number; without numbers, a property that an item has begins the next.
 */
export const fieldsFrom = (pairs: Iterable<readonly [string, unknown]>, lists: Lists = new Map()) => {
  const fields: Record<string, unknown> = {}
  const numbered = new Map<string, Record<string, unknown>>()
  const listOf = (base: string): unknown[] => {
    const before = Object.hasOwn(fields, base) ? fields[base] : undefined
    const list = Array.isArray(before) ? before : []
    fields[base] = list
    return list
  }
  const itemFor = (base: string, item: string, property: string) => {
    const list = listOf(base) as Items
    const last = list.at(-1)
    const known = item === '' ? (last && !Object.hasOwn(last, property) ? last : undefined) : numbered.get(base + item)
    if (known) return known
    const made: Record<string, unknown> = {}
    list.push(made)
    numbered.set(base + item, made)
    return made
  }
  for (const [name, value] of pairs) {
    const { base, item, property } = fieldName(name)
    if (base === '__proto__' || property === '__proto__') continue
    if (property !== undefined && item !== undefined && lists.get(base)?.length)
      itemFor(base, item, property)[property] = value
    else if (property !== undefined) fields[name] = value
    else if (item !== undefined || lists.has(base)) listOf(base).push(value)
    else fields[base] = value
  }
  return fields
}
