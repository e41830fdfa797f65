import { type FieldNameLookup, shortened } from '@afterglow/contract/field-name-hints'
import { type Lists, fieldsOf as shapeOf } from '@afterglow/contract/input-fields'
import type { FileField, Route } from '@afterglow/contract/route'
import { messageFor, unknownFieldMessage, type ValidationBody, validationBody } from '@afterglow/contract/sentences'
import { sentence, untrimmedFields } from '@afterglow/contract/words'
import type { z } from 'zod'
import type { ReceivedFile } from '../../media/received-file.ts'
import { Invalid } from '../refusals.ts'
import type { Body } from './body.ts'
import { baseName, fieldsFrom } from './field-names.ts'
import type { FileLimits } from './multipart.ts'

const trimmed = (field: string, value: unknown): unknown => {
  if (typeof value !== 'string') return value
  const text = untrimmedFields.has(field) ? value : value.trim()
  return text === '' ? null : text
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** JSON that stands as text in a form, or the text. */
const parsed = (text: unknown, begin: '[' | '{'): unknown => {
  if (typeof text !== 'string' || !text.trimStart().startsWith(begin)) return text
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

/** A list in each spelling: its items, one JSON text of all or for each. A form says by an empty item that there is none. */
const listIn = (value: unknown, holdsObjects: boolean): unknown => {
  const only = Array.isArray(value) && value.length === 1 ? value[0] : undefined
  if (only === '') return []
  const whole = parsed(typeof only === 'string' ? only : value, '[')
  const list = Array.isArray(whole) ? whole : value
  return Array.isArray(list) && holdsObjects ? list.map(each => parsed(each, '{')) : list
}

/** One level of a list and its items and no deeper: a body may be nested deeper than recursion can go. */
const tidied = (field: string, value: unknown, itemFields: readonly string[] | undefined): unknown => {
  const given = itemFields ? listIn(value, itemFields.length > 0) : value
  if (!Array.isArray(given)) return trimmed(field, given)
  return given.map(each =>
    itemFields?.length && isObject(each)
      ? Object.fromEntries(Object.entries(each).map(([name, part]) => [name, trimmed(name, part)]))
      : trimmed(field, each),
  )
}

type RequestFields = { query: unknown; body: unknown; params: unknown; routeOptions: { config: { lists?: Lists } } }

const pairsOf = (query: object) =>
  Object.entries(query).flatMap(([name, value]) => [value].flat().map(each => [name, each] as const))

/**
 * A request's input, before anything in it is checked. The path takes precedence over the body, the body over the query.
 */
export const fieldsOf = ({ query, body, params, routeOptions: { config } }: RequestFields) => {
  const raw: Record<string, unknown> = {
    ...fieldsFrom(pairsOf(query as object), config.lists),
    ...(body as Body | undefined)?.fields,
    ...(params as object),
  }
  for (const field of Object.keys(raw)) raw[field] = tidied(field, raw[field], config.lists?.get(field))
  return raw
}

const asText = (value: unknown) => (Array.isArray(value) ? value : [value]).some(each => (each ?? null) !== null)

const isRequired = ({ required }: FileField, fields: Record<string, unknown>) =>
  required === true || (required !== undefined && (fields[required.unless] ?? null) === null)

const fileProblem = (
  field: FileField,
  required: boolean,
  raw: unknown,
  files: ReceivedFile[],
  tooLarge: boolean,
  bytesMax: number,
) => {
  if (tooLarge) return sentence.fileSize(Math.floor(bytesMax / 1024))
  if (asText(raw)) return field.holds === 'video' ? sentence.video : sentence.image
  if (required && files.length === 0) return sentence.required
  if (files.length > (field.many ?? 1)) return sentence.countAtMost(field.many ?? 1)
  return undefined
}

/** A text part where a file is expected: under the file's name, or in parts of it if no file came. */
const textBeside = (fields: Record<string, unknown>, name: string, files: ReceivedFile[]) =>
  fields[name] ??
  (files.length === 0 ? Object.keys(fields).find(each => asText(fields[each]) && baseName(each) === name) : undefined)

const same = (one: unknown, other: unknown) => JSON.stringify(one) === JSON.stringify(other)

/** Values under a name that is not read but clearly meant, unless the right name is given too. */
const mistaken = (fields: Record<string, unknown>, here: FieldNameLookup, within = ''): ValidationBody =>
  Object.fromEntries(
    Object.entries(fields).flatMap(([name, value]) => {
      const called = asText(value) ? here(name) : undefined
      if (called === undefined || (called !== null && same(value, fields[called]))) return []
      return [[within + name, [unknownFieldMessage(name, called)]]]
    }),
  )

/** The same for the items of lists, and parts of a field that has none. */
const mistakenWithin = ({ input, files = {} }: Route, fields: Record<string, unknown>): ValidationBody => {
  const shape = shapeOf(input)
  return Object.fromEntries(
    Object.entries(fields).flatMap(([name, value]) => {
      const base = baseName(name)
      if (base !== name && Object.hasOwn(shape, base) && !Object.hasOwn(files, base))
        return [[base, [messageFor(sentence.format, base)]]]
      const known = Array.isArray(value) ? Object.keys(shapeOf(shape[name])) : []
      if (known.length === 0) return []
      return (value as unknown[]).flatMap((item, at) =>
        isObject(item) ? Object.entries(mistaken(item, part => shortened(part, known), `${name}.${at}.`)) : [],
      )
    }),
  )
}

/** Checks a request against its operation. Throws Invalid with every problem at once. */
export const readInput = (
  operation: Route,
  request: RequestFields,
  limits: FileLimits,
  here: FieldNameLookup,
): { input: unknown; files: Record<string, ReceivedFile[]> } => {
  const body = request.body as Body | undefined
  const raw = fieldsOf(request)
  const files = body?.files ?? {}
  const problems = { ...mistaken(raw, here), ...mistakenWithin(operation, raw) }
  for (const [name, field] of Object.entries(operation.files ?? {})) {
    const came = files[name] ?? []
    const said = textBeside(raw, name, came)
    const tooLarge = body?.tooLarge.has(name) ?? false
    const problem = fileProblem(field, isRequired(field, raw), said, came, tooLarge, limits[field.bytesMax])
    if (problem) problems[name] = [messageFor(problem, name)]
  }
  const checked = (operation.input as z.ZodType).safeParse(raw)
  if (!checked.success) Object.assign(problems, validationBody(checked.error, raw))
  if (Object.keys(problems).length) throw new Invalid(problems)
  return { input: checked.data, files }
}
