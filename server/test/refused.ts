import { AfterglowError } from '@afterglow/sdk'
import { expect } from 'vitest'

/** The refusal of a call. Fails if the call was not refused, or not by the service. */
export const refusal = async (call: Promise<unknown>): Promise<{ status: number; body: unknown }> => {
  const error = await call.then(
    () => 'was not refused',
    thrown => thrown,
  )
  expect(error).toBeInstanceOf(AfterglowError)
  return { status: error.status, body: error.body }
}

/** A 400 with one sentence. */
export const says = (error_message: string) => ({ status: 400, body: { error_message } })
/** A 400 about one field. */
export const invalid = (field: string, sentence: string) => ({ status: 400, body: { [field]: [sentence] } })
/** A plain-text 404. */
export const notFound = (text: string) => ({ status: 404, body: text })
