import { AfterglowError } from '@afterglow/sdk'
import { t } from '../app/words.ts'
import { sayProblem } from './toasts.ts'

/** Why something did not happen: the service's own words for a refusal, ours for everything else. */
export const reasonOf = (error: unknown): string => {
  if (!(error instanceof AfterglowError)) return t('failed.offline')
  if (error.status === 429) return t('failed.tooManyMore')
  if (error.status >= 500) return t('failed.server')
  return error.message
}

export const sayFailure = (error: unknown) => sayProblem(reasonOf(error))

/** The sentence that belongs to one field of a form, if the service refused that field. */
export const fieldError = (error: unknown, field: string): string | undefined =>
  error instanceof AfterglowError ? error.fields[field]?.[0] : undefined

/** What to say above a form: whatever no field of it says. */
export const formError = (error: unknown, fields: readonly string[]): string | undefined => {
  if (!error) return undefined
  if (fields.some(field => fieldError(error, field))) return undefined
  return reasonOf(error)
}
