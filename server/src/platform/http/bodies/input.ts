import type { FileField, Route } from '@afterglow/contract/route'
import { sayMistaken, sayOf, type ValidationBody, validationBody } from '@afterglow/contract/sentences'
import { sentence, untrimmedFields } from '@afterglow/contract/words'
import type { z } from 'zod'
import type { ReceivedFile } from '../../media/received-file.ts'
import { Invalid } from '../refusals.ts'
import { addField, type Body, baseName, type Lists } from './body.ts'
import type { FileLimits } from './multipart.ts'

const trimmed = (field: string, value: unknown): unknown => {
  if (typeof value !== 'string') return value
  const text = untrimmedFields.has(field) ? value : value.trim()
  return text === '' ? null : text
}

/** One level of a list and no deeper: a body may be nested deeper than recursion can go. */
const tidied = (field: string, value: unknown) =>
  Array.isArray(value) ? value.map(each => trimmed(field, each)) : trimmed(field, value)

type Said = { query: unknown; body: unknown; params: unknown; routeOptions: { config: { lists?: Lists } } }

const fieldsOfQuery = (query: object, lists: Lists) => {
  const fields: Record<string, unknown> = {}
  for (const [name, value] of Object.entries(query))
    for (const each of [value].flat()) addField(fields, name, each, lists)
  return fields
}

/** Query, body and path as one object: the path takes precedence over the body, the body over the query. */
const gather = (query: object, body: Body | undefined, params: object) => {
  const raw: Record<string, unknown> = { ...query, ...body?.fields, ...params }
  for (const field of Object.keys(raw)) raw[field] = tidied(field, raw[field])
  return raw
}

/** A request's input, before anything in it is checked. */
export const fieldsOf = ({ query, body, params, routeOptions: { config } }: Said) =>
  gather(fieldsOfQuery(query as object, config.lists), body as Body | undefined, params as object)

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

/** What is said in text where a file is taken: under the file's name, or in parts of it if no file came. */
const textBeside = (fields: Record<string, unknown>, name: string, files: ReceivedFile[]) =>
  fields[name] ??
  (files.length === 0 ? Object.keys(fields).find(each => asText(fields[each]) && baseName(each) === name) : undefined)

/** What was given under a name that means something here, though it is not read. */
const mistakenNames = ({ mistaken = {} }: Route, fields: Record<string, unknown>): ValidationBody =>
  Object.fromEntries(
    Object.entries(mistaken)
      .filter(([name]) => asText(fields[name]))
      .map(([name, here]) => [name, [sayMistaken(name, here)]]),
  )

/** Checks a request against its operation. Throws Invalid with every problem at once. */
export const readInput = (
  operation: Route,
  request: Said,
  limits: FileLimits,
): { input: unknown; files: Record<string, ReceivedFile[]> } => {
  const body = request.body as Body | undefined
  const raw = fieldsOf(request)
  const files = body?.files ?? {}
  const problems = mistakenNames(operation, raw)
  for (const [name, field] of Object.entries(operation.files ?? {})) {
    const came = files[name] ?? []
    const said = textBeside(raw, name, came)
    const tooLarge = body?.tooLarge.has(name) ?? false
    const problem = fileProblem(field, isRequired(field, raw), said, came, tooLarge, limits[field.bytesMax])
    if (problem) problems[name] = [sayOf(problem, name)]
  }
  const checked = (operation.input as z.ZodType).safeParse(raw)
  if (!checked.success) Object.assign(problems, validationBody(checked.error, raw))
  if (Object.keys(problems).length) throw new Invalid(problems)
  return { input: checked.data, files }
}
