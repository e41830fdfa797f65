import { AfterglowError } from '@afterglow/sdk'
import { inWords } from '../app/refused.ts'

/** One file on its way into an album. What is written down survives the page. */
export type Upload = {
  /** When it was chosen, in milliseconds; no two share one. */
  at: number
  userId: number
  eventId: number
  file: File
  state: UploadState
  /** Why it was refused. */
  reason?: Reason
  /** The same in words, where there are better ones than those for its kind. */
  said?: string
}
/** `already`: the album had it. Only the last three are final. */
export type UploadState = 'waiting' | 'sending' | 'safe' | 'already' | 'refused'
export type Reason = 'tooBig' | 'quota' | 'type' | 'notAllowed' | 'gone' | 'unreadable' | 'other'

export const isSafe = ({ state }: Upload) => state === 'safe' || state === 'already'
export const isDone = (upload: Upload) => isSafe(upload) || upload.state === 'refused'

const filmName = /\.(?:mp4|m4v|mov|avi|wmv)$/i
const photoName = /\.(?:jpe?g|png|webp|gif|avif|heic|heif)$/i

/** What a file is, by what the browser says of it, or else by its name: many know no type for HEIC. */
export const kindOf = ({ type, name }: Pick<File, 'type' | 'name'>): 'photo' | 'film' | undefined => {
  if (type.startsWith('video/') || (!type && filmName.test(name))) return 'film'
  if (type.startsWith('image/') || photoName.test(name)) return 'photo'
  return undefined
}

/** What a refusal means to who chose the file. */
export const refusalOf = (error: unknown): Pick<Upload, 'reason' | 'said'> => {
  if (!(error instanceof AfterglowError)) return { reason: 'other' }
  const { status, message, fields } = error
  if (status === 404) return { reason: 'gone' }
  if (status === 413) return { reason: 'tooBig' }
  if (/maximum number of photos/.test(message)) return { reason: 'quota' }
  if (/not authorized/.test(message)) return { reason: 'notAllowed' }
  const [field, about] = Object.entries(fields).find(([name]) => name === 'image' || name === 'video') ?? []
  if (about?.[0] === undefined) return { reason: 'other' }
  return /greater|pixel|minutes/.test(about[0])
    ? { reason: 'tooBig', said: inWords(about[0], field) }
    : { reason: 'type' }
}
