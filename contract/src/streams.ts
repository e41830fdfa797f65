/** Operations whose bodies are bytes rather than fields: resumable uploads (tus 1.0) and the album as a zip. */
import { z } from 'zod'
import { fileNameLengthMax, uploadSessionHours } from './limits.ts'
import type { RefusalPage } from './refusal-advice.ts'
import { noRoom, notFound, type Refusal, says, saysError } from './route.ts'
import { Flag, fileNameText, Id, maybe, OptionalId, sentence } from './words.ts'

export const albumNotForYou = says('The album is for those who come to the event')

export type StreamRoute = {
  name: string
  summary: string
  at: readonly [method: 'GET' | 'POST' | 'HEAD' | 'PATCH' | 'DELETE', path: string]
  perMinute: number
  refusals: Record<string, Refusal>
  /** No bearer token: the URL is signed. */
  signed?: true
  parameters: readonly Parameter[]
  /** Status → what it means, and its headers. */
  replies: Readonly<Record<number, Reply>>
}
type Parameter = {
  name: string
  in: 'path' | 'query' | 'header'
  required?: true
  schema: object
  description?: string
}
type Reply = { description: string; headers?: readonly string[]; body?: string }

/** Only the operation's own codes: with `string` among them, any word would be accepted as a code. */
const stream = <const Refusals extends Record<string, Refusal>>(
  definition: Omit<StreamRoute, 'refusals'> & { refusals: Refusals },
) => definition

// ---- resumable upload ----

/** The keys of `Upload-Metadata`. */
export const UploadMetadata = z.object({
  event_id: Id,
  kind: z.enum(['image', 'video', 'raw', 'live'], sentence.selected),
  filename: maybe(fileNameText(fileNameLengthMax)),
  /** SHA-256 of the whole file in hex, verified when the upload is used. */
  checksum: maybe(
    z
      .string(sentence.string)
      .toLowerCase()
      .regex(/^[0-9a-f]{64}$/, sentence.format),
  ),
})

/** The same as for the upload itself. */
const mayNotUpload = saysError("You're not authorized to upload an image for this event.")
const noSuchUploadSession = notFound('Upload session not found!')
const sessions = 'api/gallery/upload/session'
const header = (name: string, schema: object, description?: string): Parameter => ({
  name,
  in: 'header',
  required: true,
  schema,
  ...(description && { description }),
})
const version = header('Tus-Resumable', { const: '1.0.0' })
const id: Parameter = { name: 'id', in: 'path', required: true, schema: { type: 'string', format: 'uuid' } }
const conflicts = {
  409: { description: 'Upload-Offset does not match the end of the stored bytes: send HEAD to get it.' },
  412: { description: 'Tus-Resumable is missing or names another version.', headers: ['Tus-Version'] },
  413: { description: 'More bytes than declared or allowed.' },
  423: { description: 'Another request is writing to this session.' },
}

export const openUploadSession = stream({
  name: 'openUploadSession',
  summary: `Starts a resumable upload (tus 1.0) and reserves its place in the gallery. It expires ${uploadSessionHours} hours after its last byte, or an hour after it was started if none came.`,
  at: ['POST', sessions],
  perMinute: 120,
  refusals: {
    noSuchEvent: notFound('Event not found'),
    mayNotUpload,
    tooManyPhotos: saysError("You've exceeded the maximum number of photos allowed to be uploaded."),
    ...noRoom(saysError),
  },
  parameters: [
    version,
    header('Upload-Length', { type: 'integer', minimum: 1 }, 'Bytes of the whole file.'),
    header(
      'Upload-Metadata',
      { type: 'string' },
      'Pairs of a key and its value in base64, with commas between: event_id, kind (image, video, raw or live), and if known filename and checksum (SHA-256 in hex).',
    ),
    { name: 'Idempotency-Key', in: 'header', schema: { type: 'string', minLength: 1, maxLength: 255 } },
  ],
  replies: {
    201: {
      description:
        'Send the bytes to Location. Its last path segment is the ID for image_session_id or video_session_id.',
      headers: ['Location', 'Upload-Expires', 'Upload-Offset'],
    },
    412: conflicts[412],
    413: conflicts[413],
  },
})

export const readUploadSession = stream({
  name: 'readUploadSession',
  summary: 'Returns how many bytes of a resumable upload are safely on disk. Only for the user who started it.',
  at: ['HEAD', `${sessions}/{id}`],
  perMinute: 600,
  refusals: { noSuchUploadSession, mayNotUpload },
  parameters: [id, version],
  replies: {
    200: { description: 'Where to continue.', headers: ['Upload-Offset', 'Upload-Length', 'Upload-Metadata'] },
    412: conflicts[412],
    423: conflicts[423],
  },
})

export const continueUploadSession = stream({
  name: 'continueUploadSession',
  summary: 'Appends bytes to a resumable upload. Only for the user who started it.',
  at: ['PATCH', `${sessions}/{id}`],
  perMinute: 1200,
  refusals: { noSuchUploadSession, mayNotUpload, instanceFull: noRoom(saysError).instanceFull },
  parameters: [id, version, header('Upload-Offset', { type: 'integer', minimum: 0 })],
  replies: {
    204: { description: 'The bytes are safely on disk.', headers: ['Upload-Offset', 'Upload-Expires'] },
    ...conflicts,
  },
})

export const endUploadSession = stream({
  name: 'endUploadSession',
  summary:
    'Cancels a resumable upload that has not been used yet and frees its place. Only for the user who started it.',
  at: ['DELETE', `${sessions}/{id}`],
  perMinute: 120,
  refusals: { noSuchUploadSession },
  parameters: [id, version],
  replies: { 204: { description: 'The session has been cancelled.' }, 412: conflicts[412], 423: conflicts[423] },
})

// ---- an album to take home ----

/**
 * The photos of an album to download, and their size. `full`, the default: as uploaded, without metadata for other
 * people's photos. `shown`: at most 2048 px. Videos are MP4 in both, except one's own in full, which are as uploaded.
 */
export const albumSelection = {
  event_id: Id,
  taken_by: OptionalId,
  mine: maybe(Flag),
  liked: maybe(Flag),
  hidden: maybe(Flag),
  size: maybe(z.enum(['full', 'shown'], sentence.selected)),
}
export const AlbumSelection = z.object(albumSelection)

const eventId: Parameter = { name: 'event_id', in: 'path', required: true, schema: { type: 'integer', minimum: 1 } }
const ranged = ['Range', 'If-Range'].map((name): Parameter => ({ name, in: 'header', schema: { type: 'string' } }))
const zipHeaders = ['ETag', 'Accept-Ranges', 'Content-Length', 'Content-Disposition']
const zip = {
  200: {
    description: 'The whole file. The download is cut off if a photo changes in the meantime.',
    headers: zipHeaders,
    body: 'application/zip',
  },
  206: {
    description: 'The requested range.',
    headers: [...zipHeaders, 'Content-Range'],
    body: 'application/zip',
  },
  416: { description: 'The range is not satisfiable.', headers: ['Content-Range'] },
}

export const downloadAlbum = stream({
  name: 'downloadAlbum',
  summary:
    'Downloads photos of an album as a zip file, oldest first, in full or screen size: all of them, or those of one person, the caller’s own, or liked ones.',
  at: ['GET', 'api/gallery/download/{event_id}'],
  perMinute: 30,
  refusals: {
    noSuchEvent: notFound('Event not found!'),
    notInEvent: says('The user is neither a guest nor an organizer of the event'),
    albumNotForYou,
  },
  parameters: [
    eventId,
    { name: 'taken_by', in: 'query', schema: { type: 'integer', minimum: 1 } },
    { name: 'mine', in: 'query', schema: { type: 'boolean' } },
    { name: 'liked', in: 'query', schema: { type: 'boolean' } },
    { name: 'hidden', in: 'query', schema: { type: 'boolean' } },
    { name: 'size', in: 'query', schema: { enum: ['full', 'shown'], default: 'full' } },
    ...ranged,
  ],
  replies: zip,
})

export const followDownloadLink = stream({
  name: 'followDownloadLink',
  summary:
    'Downloads the same zip file by the link that POST returns, for browsers: no bearer token is needed, and photos added later are not included.',
  at: ['GET', 'api/gallery/download/{event_id}/{selection}'],
  perMinute: 30,
  refusals: { noSuchLink: notFound('Not found!') },
  signed: true,
  parameters: [
    eventId,
    { name: 'selection', in: 'path', required: true, schema: { type: 'string' } },
    ...['e', 'k', 's'].map((name): Parameter => ({ name, in: 'query', required: true, schema: { type: 'string' } })),
    ...ranged,
  ],
  replies: zip,
})

/** Why each is given, and what a client should do: the pages of refusals are made of it. */
export const refusalPages = {
  noSuchUploadSession: {
    cause: 'The resumable upload does not exist: it was completed, cancelled or has expired.',
    client: 'Start a new one from the first byte.',
  },
} satisfies Record<string, RefusalPage>

export const streams: StreamRoute[] = [
  openUploadSession,
  readUploadSession,
  continueUploadSession,
  endUploadSession,
  downloadAlbum,
  followDownloadLink,
]
