import type * as messages from '@afterglow/contract/chats/messages'
import type { Answer } from '@afterglow/contract/route'
import type * as contract from '@afterglow/contract/uploads'
import type { PreviousUpload, UrlStorage } from 'tus-js-client'
import { type Connection, call } from './call.ts'
import { AfterglowError, isLasting } from './failure.ts'
import type { WithExtra } from './operation.ts'
import { sendVideo as videoInOneForm } from './operations/chats.ts'
import { uploadPhoto as inOneForm } from './operations/gallery.ts'
import { patiently, retryDelaysMs } from './retry.ts'
import { type FileSource, isSource } from './upload/file-source.ts'
import { bySession, type File, kinds } from './upload/session.ts'
import { type UploadRefusal, uploadRefusal } from './upload-refusals.ts'
import { byXhr, sendsByXhr } from './xhr-upload.ts'

export type { FileSource, PreviousUpload, UrlStorage }
export type Photo = Answer<typeof contract.uploadPhoto>
type PhotoOf<Given extends Connection> = Given['extra'] extends true ? WithExtra<Photo> : Photo
export type VideoMessage = Answer<typeof messages.sendVideo>
type MessageOf<Given extends Connection> = Given['extra'] extends true ? WithExtra<VideoMessage> : VideoMessage

type UploadContent = Blob | Uint8Array<ArrayBuffer> | FileSource

/** A file for a gallery. In Node, a file on disk is `await openAsBlob(path)`, or see `@afterglow/sdk/node`. */
export type PhotoUpload = {
  event_id: number
  image: UploadContent
  video?: UploadContent
  /** Files that came with the image: its RAW, and the video part of a Live Photo. */
  raw?: UploadContent | undefined
  live?: UploadContent | undefined
  event_photo_caption?: string
  event_photo_alt_text?: string
}

/** A message with a video, to the chat of an event. */
export type VideoToSend = {
  event_id: number
  group_chat_id: number
  message_content: string
  message_reply_id?: number
  /** Its poster image. */
  image: Blob
  video: UploadContent
}

export type Uploading = {
  /** Bytes sent and bytes in total, of all files together. */
  onProgress?(sent: number, total: number): void
  /** Stops at once. What has arrived is kept for a day: the same call continues from there. */
  signal?: AbortSignal
  /** Larger files are sent in a resumable session. */
  directBytesMax?: number
  /** Where sessions are remembered across a reload; by default localStorage in browsers and nowhere else. */
  urlStorage?: UrlStorage
  /**
   * Without it, a photo whose RAW or Live Photo video is refused is refused as a whole; with it, that file is left out,
   * and this reports why.
   */
  onLeftOut?(kind: Beside, refusal: AfterglowError): void
  /** Delays before retries, in milliseconds; progress resets them. */
  retryDelays?: number[]
}

const megabyte = 1024 * 1024
/** The size that a venue's network usually transmits in one piece. */
const directBytes = 4 * megabyte
/** Companion files of an image. */
export type Beside = 'raw' | 'live'

/**
 * Uploads a photo, with its video if it has one, whatever the network does: small files in one form, large ones in
 * resumable sessions, starting over if the service has lost a session. Lost connections are retried with growing
 * delays. Throws AfterglowError for refusals, the last error if every retry failed, and the signal's reason.
 */
export const uploadPhoto = <const Given extends Connection>(
  connection: Given,
  upload: PhotoUpload,
  uploading: Uploading = {},
): Promise<PhotoOf<Given>> =>
  bring(connection, inOneForm, upload, uploading).catch(fault => {
    if (uploading.signal?.aborted) throw fault
    if (isSessionGone(fault)) return bring(connection, inOneForm, upload, uploading)
    const refused = refusedBeside(fault)
    if (!refused || !upload[refused] || !uploading.onLeftOut) throw fault
    uploading.onLeftOut(refused, fault as AfterglowError)
    return uploadPhoto(connection, { ...upload, [refused]: undefined }, uploading)
  }) as Promise<PhotoOf<Given>>

/**
 * Sends a message with a video in the same way. With an `idempotencyKey`, it is sent once, however often this is called
 * with it.
 */
export const sendVideo = <const Given extends Connection>(
  connection: Given,
  video: VideoToSend,
  uploading: Uploading & { idempotencyKey?: string } = {},
): Promise<MessageOf<Given>> =>
  bring(connection, videoInOneForm, video, uploading).catch(fault => {
    if (uploading.signal?.aborted || !isSessionGone(fault)) throw fault
    return bring(connection, videoInOneForm, video, uploading)
  }) as Promise<MessageOf<Given>>

/** Sessions that were refused because of their one file. */
const refusedSessions = new WeakMap<AfterglowError, File['kind']>()

/** Which companion file a refusal is about. */
const refusedBeside = (fault: unknown): Beside | undefined => {
  if (!(fault instanceof AfterglowError)) return undefined
  const fields = [refusedSessions.get(fault) ?? '', ...Object.keys(fault.fields)]
  return (['raw', 'live'] as const).find(kind => fields.some(field => field.startsWith(kind)))
}

/** A session expired before it was used, or the service has changed its storage since. */
const isSessionGone = (fault: unknown) =>
  fault instanceof AfterglowError &&
  (/^(Upload session|The file for this url) /.test(fault.message) ||
    kinds.some(kind => fault.fields[`${kind}_session_id`]?.some(said => /^The selected /.test(said))))

const bring = async (
  connection: Connection,
  form: typeof inOneForm | typeof videoInOneForm,
  { image, video, raw, live, event_id, ...fields }: Omit<PhotoUpload, 'event_photo_caption' | 'event_photo_alt_text'>,
  uploading: Uploading & { idempotencyKey?: string },
): Promise<unknown> => {
  const { signal, onProgress, directBytesMax = directBytes, retryDelays = retryDelaysMs } = uploading
  signal?.throwIfAborted()
  const given = { image, video, raw, live }
  const files = kinds.flatMap((kind): File[] => {
    const file = given[kind]
    return file ? [{ kind, file: file instanceof Uint8Array ? new Blob([file]) : file }] : []
  })
  const total = files.reduce((sum, { file }) => sum + file.size, 0)
  const input: Record<string, unknown> = { ...fields, ...(form === inOneForm && { event_id }) }
  const forget: Forget[] = []
  let before = 0
  for (const { kind, file } of files) {
    const isSmall = file.size <= directBytesMax || (kind === 'image' && form === videoInOneForm)
    if (isSmall && !isSource(file)) {
      input[kind] = file
      continue
    }
    const base = before
    const told = { ...uploading, onProgress: (sent: number) => onProgress?.(base + sent, total) }
    const session = await bySession(connection, event_id, { kind, file }, told).catch((fault: unknown) => {
      if (fault instanceof AfterglowError && ofOneFile.has(uploadRefusal(fault).reason))
        refusedSessions.set(fault, kind)
      throw fault
    })
    input[`${kind}_session_id`] = session.id
    forget.push([kind, session.forget])
    before += file.size
  }
  // React Native has no crypto; it only has to be unique for one person within a day.
  const made = () => `${Date.now().toString(36)}-${Math.random().toString(36).slice(2)}`
  const idempotencyKey = uploading.idempotencyKey ?? made()
  const options = { idempotencyKey, ...(signal && { signal }) }
  // Browsers count the form's own bytes too.
  const send = sendsByXhr(connection) ? byXhr(sent => onProgress?.(Math.min(before + sent, total), total)) : undefined
  try {
    const sent = await patiently(() => call(connection, form, input, options, send), retryDelays, signal)
    await forgetAll(forget)
    onProgress?.(total, total)
    return sent
  } catch (error) {
    // Refused for good: the same file must not continue with these sessions. A companion file's refusal says nothing
    // about that.
    const refused = refusedBeside(error)
    if (isLasting(error)) await forgetAll(forget.filter(([kind]) => !refused || kind === refused))
    throw error
  }
}

type Forget = [kind: File['kind'], forget: () => Promise<void>]

const forgetAll = async (all: readonly Forget[]) => {
  for (const [, forget] of all) await forget().catch(() => {})
}

/** A smaller file may still fit. */
const ofOneFile: ReadonlySet<string> = new Set<UploadRefusal['reason']>(['tooBig', 'full'])
