import { AfterglowError } from './failure.ts'

/** A refused upload, explained to the person who chose the file. */
export type UploadRefusal = {
  reason: 'tooBig' | 'type' | 'proxy' | 'other' | Barrier
  /** The service's own message, if the reason alone does not say it, and the field that it is about. */
  sentence?: string
  field?: string
}
/** Refusals that every further file would meet as well. */
export type Barrier = 'quota' | 'full' | 'notAllowed' | 'gone'

const barriers: readonly string[] = ['quota', 'full', 'notAllowed', 'gone'] satisfies Barrier[]
export const isBarrier = (reason: string | undefined): reason is Barrier =>
  reason !== undefined && barriers.includes(reason)

const barriersByCode: Readonly<Record<string, Barrier>> = {
  noSuchEvent: 'gone',
  tooManyPhotos: 'quota',
  personFull: 'full',
  instanceFull: 'full',
  mayNotUpload: 'notAllowed',
}

/** The fields of an upload that are files. For a video, `image` is its still. */
export type FileKind = 'image' | 'video' | 'raw' | 'live'

/** Explains a refusal of the file in the field `kind`, never of another file. */
export const uploadRefusal = (error: unknown, kind?: FileKind): UploadRefusal => {
  if (!(error instanceof AfterglowError)) return { reason: 'other' }
  const { status, body, code, message, fields } = error
  const barrier = barriersByCode[code ?? '']
  if (barrier) return barrier === 'full' ? { reason: barrier, sentence: message } : { reason: barrier }
  // Any other 404 concerns a single photo: that of a repeated request has been deleted.
  if (status === 404) return { reason: 'other' }
  // The service's upload sessions explain themselves in JSON; a proxy before it does not, and the file is none the worse.
  if (status === 413) return { reason: typeof body === 'object' ? 'tooBig' : 'proxy' }
  const [field, sentences] = Object.entries(fields).find(([name]) => isOf(name, kind)) ?? []
  const sentence = sentences?.[0]
  if (field === undefined || sentence === undefined) return { reason: 'other', sentence: message }
  if (/greater|pixel|minutes/.test(sentence)) return { reason: 'tooBig', sentence, field }
  // Unless the kind of file is all that is wrong, the service's sentence says it.
  return /must be an image|of type:/.test(sentence) ? { reason: 'type', field } : { reason: 'type', sentence, field }
}

/** By itself or as the session that it came in. */
const isOf = (field: string, kind: FileKind | undefined) =>
  kind === undefined
    ? /^(?:image|video|raw|live)(?:_session_id)?$/.test(field)
    : field === kind || field === `${kind}_session_id`
