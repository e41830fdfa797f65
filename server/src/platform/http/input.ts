import type { FileField, Route } from '@afterglow/contract/route'
import { sayOf, type ValidationBody, validationBody } from '@afterglow/contract/sentences'
import { sentence, untrimmedFields } from '@afterglow/contract/words'
import type { z } from 'zod'
import type { ReceivedFile } from '../media/received-file.ts'
import type { Body } from './body.ts'
import type { FileLimits } from './multipart.ts'
import { Invalid } from './refusals.ts'

const trimmed = (field: string, value: unknown): unknown => {
  if (typeof value !== 'string') return value
  const text = untrimmedFields.has(field) ? value : value.trim()
  return text === '' ? null : text
}

/** One level of a list and no deeper: a body may be nested deeper than recursion can go. */
const tidied = (field: string, value: unknown) =>
  Array.isArray(value) ? value.map(each => trimmed(field, each)) : trimmed(field, value)

type Said = { query: unknown; body: unknown; params: unknown }

/** Query, body and path as one object: the path takes precedence over the body, the body over the query. */
const gather = (query: unknown, body: Body | undefined, params: unknown) => {
  const raw = { ...(query as object), ...body?.fields, ...(params as object) } as Record<string, unknown>
  for (const field of Object.keys(raw)) raw[field] = tidied(field, raw[field])
  return raw
}

/** A request's input, before anything in it is checked. */
export const fieldsOf = ({ query, body, params }: Said) => gather(query, body as Body | undefined, params)

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

/** Checks a request against its operation. Throws Invalid with every problem at once. */
export const readInput = (
  operation: Route,
  request: Said,
  limits: FileLimits,
): { input: unknown; files: Record<string, ReceivedFile[]> } => {
  const body = request.body as Body | undefined
  const raw = fieldsOf(request)
  const files = body?.files ?? {}
  const problems: ValidationBody = {}
  for (const [name, field] of Object.entries(operation.files ?? {})) {
    const problem = fileProblem(
      field,
      isRequired(field, raw),
      raw[name],
      files[name] ?? [],
      body?.tooLarge.has(name) ?? false,
      limits[field.bytesMax],
    )
    if (problem) problems[name] = [sayOf(problem, name)]
  }
  const checked = (operation.input as z.ZodType).safeParse(raw)
  if (!checked.success) Object.assign(problems, validationBody(checked.error, raw))
  if (Object.keys(problems).length) throw new Invalid(problems)
  return { input: checked.data, files }
}
