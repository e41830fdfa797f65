import type { z } from 'zod'
import { sentence } from './words.ts'

/** Field name → error messages: the complete body of a validation error. */
export type ValidationBody = Record<string, string[]>

export const messageFor = (template: string, field: string) =>
  template.replace(':attribute', field.replaceAll('_', ' '))

/** Tells client authors which name to use instead of one that is not read. */
export const unknownFieldMessage = (field: string, here: string | null) =>
  messageFor(
    here === null
      ? 'The :attribute field is not supported here.'
      : `The :attribute field is not known here: it is called ${here}.`,
    field,
  )

const valueAt = (input: unknown, path: readonly PropertyKey[]) =>
  path.reduce<unknown>((value, key) => (value as Record<PropertyKey, unknown> | null | undefined)?.[key], input)

/** Converts schema issues to the interface's error messages. `input` is the parsed value. */
export const validationBody = (error: z.ZodError, input: unknown): ValidationBody => {
  const body: ValidationBody = {}
  for (const issue of error.issues) {
    const field = issue.path.map(String).join('.') || 'body'
    const absent = (valueAt(input, issue.path) ?? null) === null
    const said = messageFor(absent ? sentence.required : issue.message, field)
    const already = body[field]
    if (!already) body[field] = [said]
    else if (!already.includes(said)) already.push(said)
  }
  return body
}
