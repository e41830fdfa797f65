import { AfterglowError } from '@afterglow/sdk/methods'
import { inWords } from '../app/net/refusal-message.ts'
import { t } from '../app/words.ts'
import { sayProblem } from './layers/toasts.ts'

/** The reason of a failure, in words. */
export const reasonOf = (error: unknown): string => {
  if (!(error instanceof AfterglowError)) return t('failed.offline')
  if (error.status === 429) return t('failed.tooManyMore')
  if (error.status === 413) return t('upload.reason.proxy')
  if (error.status >= 500) return error.isByProxy ? t('failed.proxy', { status: error.status }) : t('failed.server')
  const field = Object.keys(error.fields)[0]
  // A message is not selected from anything: it was deleted.
  const code = field === 'message_id' || field === 'message_reply_id' ? 'noSuchMessage' : error.code
  return inWords({ text: error.message, code, field })
}

export const sayFailure = (error: unknown) => sayProblem(reasonOf(error))

/** The message for one field of a form, if the service refused that field. */
export const fieldError = (error: unknown, field: string): string | undefined => {
  const said = saidOf(error, field)
  return said && inWords({ text: said, field })
}

/** The same for a field that only appears once it is required: its absence before was nobody's fault. */
export const fieldFault = (error: unknown, field: string): string | undefined =>
  saidOf(error, field)?.endsWith('required.') ? undefined : fieldError(error, field)

const saidOf = (error: unknown, field: string) =>
  error instanceof AfterglowError ? error.fields[field]?.[0] : undefined

/** The message above a form: every error that no field of it shows. */
export const formError = (error: unknown, fields: readonly string[]): string | undefined => {
  if (!error) return undefined
  if (fields.some(field => fieldError(error, field))) return undefined
  return reasonOf(error)
}
