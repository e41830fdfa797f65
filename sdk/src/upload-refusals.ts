import { AfterglowError } from './failure.ts'

/** What a refused upload means to the person who chose the file. */
export type UploadRefusal = {
  reason: 'tooBig' | 'type' | 'other' | Barrier
  /** The service's own message, if the reason alone does not say it, and the field that it is about. */
  sentence?: string
  field?: string
}
/** Refusals that every further file would meet as well. */
export type Barrier = 'quota' | 'full' | 'notAllowed' | 'gone'

const barriers: readonly string[] = ['quota', 'full', 'notAllowed', 'gone'] satisfies Barrier[]
export const isBarrier = (reason: string | undefined): reason is Barrier =>
  reason !== undefined && barriers.includes(reason)

export const uploadRefusal = (error: unknown): UploadRefusal => {
  if (!(error instanceof AfterglowError)) return { reason: 'other' }
  const { status, message, fields } = error
  // Another 404 concerns a single photo: that of a repeated request has been deleted.
  if (status === 404) return { reason: /^Event not found/.test(message) ? 'gone' : 'other' }
  if (status === 413) return { reason: 'tooBig' }
  if (/maximum number of photos/.test(message)) return { reason: 'quota' }
  if (/space/.test(message)) return { reason: 'full', sentence: message }
  if (/not authorized/.test(message)) return { reason: 'notAllowed' }
  const [field, sentences] = Object.entries(fields).find(([name]) => /^(?:image|video|raw|live)/.test(name)) ?? []
  const sentence = sentences?.[0]
  if (field === undefined || sentence === undefined) return { reason: 'other', sentence: message }
  if (/no picture/.test(sentence)) return { reason: 'type', sentence, field }
  return /greater|pixel|minutes/.test(sentence) ? { reason: 'tooBig', sentence, field } : { reason: 'type' }
}
