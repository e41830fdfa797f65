import { isRawName } from '@afterglow/sdk/files'
import { AfterglowError } from '@afterglow/sdk/methods'
import { type Barrier, type FileKind, uploadRefusal } from '@afterglow/sdk/upload-refusals'
import { inWords } from '../app/net/refusal-message.ts'
import { t } from '../app/words.ts'

/**
 * A file's description, without its bytes. A `File` from another process ends a Chromium tab that sends it through a
 * service worker: so none is ever part of an `Upload`, which tabs send each other.
 */
export type FileFacts = { name: string; type: string; size: number }
/** The files themselves; `upload-files.ts` opens them. */
export type Files = { file: File; raw?: File; live?: File }

/** A file on its way into an album. */
export type Upload = {
  /** When it was chosen, in milliseconds; no two are the same. */
  at: number
  userId: number
  eventId: number
  file: FileFacts
  /** The files that the camera wrote with it and that go with it: its RAW, and the video part of a Live Photo. */
  raw?: FileFacts
  live?: FileFacts
  /** The tab that alone has the bytes, until they are stored: if it closes, they are lost. */
  holder?: string
  state: UploadState
  reason?: Reason
  /** The reason in words, if there are better ones than those for its kind. */
  said?: string
  /** The resulting photo, if it looks the same as an earlier one in the album. */
  twin?: { id: string; sameAs: string }
}

declare module '../app/storage/database.ts' {
  interface Stores {
    /** Photos and videos to be sent, with their bytes. */
    uploads: { key: number; value: StoredUpload }
  }
}

export type StoredUpload = Omit<Upload, keyof Files | 'holder'> & Files

/** `already`: the album had it. Only the last three states are final. */
export type UploadState = 'waiting' | 'sending' | 'safe' | 'already' | 'refused'
export type Reason = 'tooBig' | 'type' | 'proxy' | 'unreadable' | 'other' | Barrier

export const filesOf = <Each>({ file, raw, live }: { file: Each; raw?: Each; live?: Each }): Each[] =>
  [file, raw, live].filter(each => each !== undefined)
const factsOf = ({ name, type, size }: FileFacts): FileFacts => ({ name, type, size })
/** The upload without bytes. */
export const withoutBytes = <Stored extends Files>({ file, raw, live, ...rest }: Stored) => ({
  ...rest,
  file: factsOf(file),
  ...(raw && { raw: factsOf(raw) }),
  ...(live && { live: factsOf(live) }),
})
export const bytesOf = (upload: Upload): number => filesOf<FileFacts>(upload).reduce((sum, { size }) => sum + size, 0)

export const holdsRaw = (upload: Upload): boolean => filesOf<FileFacts>(upload).some(({ name }) => isRawName(name))

export const isSafe = ({ state }: Upload) => state === 'safe' || state === 'already'
/** A closed page would lose it. */
export const isLoose = (upload: Upload) => upload.holder !== undefined && !isDone(upload)
export const isDone = (upload: Upload) => isSafe(upload) || upload.state === 'refused'
/** Refused because of the file itself: the same file will be refused again. */
export const isHopeless = ({ state, reason }: Upload) =>
  state === 'refused' && (reason === 'type' || reason === 'tooBig' || reason === 'unreadable')

export type UploadRefusal = { reason: Reason; said?: string }

const codeOf = (error: unknown) => (error instanceof AfterglowError ? error.code : undefined)

/** A refusal's meaning for the user who chose the file that was sent as `kind`. */
export const refusalOf = (error: unknown, kind: FileKind): UploadRefusal => {
  const { reason, sentence, field } = uploadRefusal(error, kind)
  return {
    reason,
    ...(sentence !== undefined &&
      (reason !== 'other' || codeOf(error) !== undefined) && {
        said: inWords({ text: sentence, code: codeOf(error), field }),
      }),
  }
}

export const whyOf = ({ said, reason = 'other' }: Partial<UploadRefusal>) => said ?? t(`upload.reason.${reason}`)
