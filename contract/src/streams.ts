/** The operations whose bodies are bytes, not fields: resumable upload by tus 1.0 and the album as a zip. */
import { z } from 'zod'
import { fileNameLengthMax, uploadSessionHours } from './limits.ts'
import { noRoom, notFound, type Refusal, says, saysError } from './route.ts'
import { Flag, Id, maybe, sentence, text } from './words.ts'

export type StreamRoute = {
  name: string
  summary: string
  at: readonly [method: 'GET' | 'POST' | 'HEAD' | 'PATCH' | 'DELETE', path: string]
  perMinute: number
  refusals: Record<string, Refusal>
  /** No bearer: the URL is signed. */
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

const stream = <const Refusals extends Record<string, Refusal>>(definition: StreamRoute & { refusals: Refusals }) =>
  definition

// ---- resumable upload ----

/** What `Upload-Metadata` says of a file. */
export const UploadMetadata = z.object({
  event_id: Id,
  kind: z.enum(['image', 'video'], sentence.selected),
  filename: maybe(text(fileNameLengthMax)),
  /** SHA-256 of the whole file, in hex; what arrived is compared with it when it is used. */
  checksum: maybe(
    z
      .string(sentence.string)
      .toLowerCase()
      .regex(/^[0-9a-f]{64}$/, sentence.format),
  ),
})

/** As in the upload itself. */
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
  409: { description: 'Upload-Offset is not where the file ends: ask for it by HEAD.' },
  412: { description: 'Tus-Resumable is missing or another version.', headers: ['Tus-Version'] },
  413: { description: 'More bytes than announced or allowed.' },
  423: { description: 'Another request writes to this session and does not let go.' },
}

export const openUploadSession = stream({
  name: 'openUploadSession',
  summary: `Begins a resumable upload (tus 1.0) and reserves its place in the gallery. It ends ${uploadSessionHours} hours after its last byte.`,
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
      'Pairs of a key and its value in base64, with commas between: event_id, kind (image or video), and if known filename and checksum (SHA-256 in hex).',
    ),
    { name: 'Idempotency-Key', in: 'header', schema: { type: 'string', minLength: 1, maxLength: 255 } },
  ],
  replies: {
    201: {
      description: 'It takes bytes at Location, whose last part is the id for image_session_id or video_session_id.',
      headers: ['Location', 'Upload-Expires', 'Upload-Offset'],
    },
    412: conflicts[412],
    413: conflicts[413],
  },
})

export const readUploadSession = stream({
  name: 'readUploadSession',
  summary: 'How many bytes of a resumable upload are on disk for good; by whoever began it.',
  at: ['HEAD', `${sessions}/{id}`],
  perMinute: 600,
  refusals: { noSuchUploadSession, mayNotUpload },
  parameters: [id, version],
  replies: {
    200: { description: 'Where to go on.', headers: ['Upload-Offset', 'Upload-Length', 'Upload-Metadata'] },
    412: conflicts[412],
    423: conflicts[423],
  },
})

export const continueUploadSession = stream({
  name: 'continueUploadSession',
  summary: 'Adds bytes to a resumable upload; by whoever began it.',
  at: ['PATCH', `${sessions}/{id}`],
  perMinute: 1200,
  refusals: { noSuchUploadSession, mayNotUpload },
  parameters: [id, version, header('Upload-Offset', { type: 'integer', minimum: 0 })],
  replies: {
    204: { description: 'The bytes are on disk for good.', headers: ['Upload-Offset', 'Upload-Expires'] },
    ...conflicts,
  },
})

export const endUploadSession = stream({
  name: 'endUploadSession',
  summary: 'Ends a resumable upload that is not used yet and frees its place; by whoever began it.',
  at: ['DELETE', `${sessions}/{id}`],
  perMinute: 120,
  refusals: { noSuchUploadSession },
  parameters: [id, version],
  replies: { 204: { description: 'Gone.' }, 412: conflicts[412], 423: conflicts[423] },
})

// ---- an album to take home ----

export const AlbumSelection = z.object({ event_id: Id, taken_by: maybe(Id), mine: maybe(Flag) })

const eventId: Parameter = { name: 'event_id', in: 'path', required: true, schema: { type: 'integer', minimum: 1 } }
const ranged = ['Range', 'If-Range'].map((name): Parameter => ({ name, in: 'header', schema: { type: 'string' } }))
const zipHeaders = ['ETag', 'Accept-Ranges', 'Content-Length', 'Content-Disposition']
const zip = {
  200: {
    description: 'The whole. It breaks off when a photo changes meanwhile.',
    headers: zipHeaders,
    body: 'application/zip',
  },
  206: {
    description: 'The range that was asked for.',
    headers: [...zipHeaders, 'Content-Range'],
    body: 'application/zip',
  },
  416: { description: 'There is no such range.', headers: ['Content-Range'] },
}
const outside = {
  noSuchEvent: notFound('Event not found!'),
  notInEvent: says('The user is neither a guest nor an organizer of the event'),
}

export const downloadAlbum = stream({
  name: 'downloadAlbum',
  summary: 'The photos of an album as a zip, oldest first: all, those of one person, or one’s own.',
  at: ['GET', 'api/gallery/download/{event_id}'],
  perMinute: 30,
  refusals: outside,
  parameters: [
    eventId,
    { name: 'taken_by', in: 'query', schema: { type: 'integer', minimum: 1 } },
    { name: 'mine', in: 'query', schema: { type: 'boolean' } },
    ...ranged,
  ],
  replies: zip,
})

export const followDownloadLink = stream({
  name: 'followDownloadLink',
  summary: 'The same by the link that POST gives, for a browser: no bearer, and photos that come later are not in it.',
  at: ['GET', 'api/gallery/download/{event_id}/{selection}'],
  perMinute: 30,
  refusals: { ...outside, noSuchLink: notFound('Not found!') },
  signed: true,
  parameters: [
    eventId,
    { name: 'selection', in: 'path', required: true, schema: { type: 'string' } },
    ...['e', 'k', 's'].map((name): Parameter => ({ name, in: 'query', required: true, schema: { type: 'string' } })),
    ...ranged,
  ],
  replies: zip,
})

export const streams: StreamRoute[] = [
  openUploadSession,
  readUploadSession,
  continueUploadSession,
  endUploadSession,
  downloadAlbum,
  followDownloadLink,
]

// ---- as OpenAPI ----

const failure = { $ref: '#/components/schemas/Failure' }
const json = (schema: object) => ({ 'application/json': { schema } })

/** The paths of the document, under one tag. */
export const streamPaths = (tag: string): Record<string, Record<string, unknown>> => {
  const paths: Record<string, Record<string, unknown>> = {}
  for (const route of streams) {
    const [method, path] = route.at
    paths[`/${path}`] = { ...paths[`/${path}`], [method.toLowerCase()]: { tags: [tag], ...describe(route) } }
  }
  return paths
}

const describe = (route: StreamRoute) => ({
  operationId: route.name,
  summary: route.summary,
  description: `At most ${route.perMinute} requests a minute.`,
  ...(route.signed && { security: [] }),
  parameters: route.parameters,
  ...(route.at[0] === 'PATCH' && {
    requestBody: { required: true, content: { 'application/offset+octet-stream': { schema: { type: 'string' } } } },
  }),
  responses: {
    ...Object.fromEntries(
      Object.entries(route.replies).map(([status, { description, headers = [], body }]) => [
        status,
        {
          description,
          ...(headers.length > 0 && {
            headers: Object.fromEntries(headers.map(name => [name, { schema: { type: 'string' } }])),
          }),
          ...(body && { content: { [body]: { schema: { type: 'string', contentMediaType: body } } } }),
        },
      ]),
    ),
    ...refusalsOf(route),
  },
})

const refusalsOf = (route: StreamRoute) => {
  const refusals = Object.values(route.refusals)
  const saying = refusals.flatMap(({ status, ...body }) => (status === 400 ? Object.values(body) : []))
  const missing = refusals.flatMap(refusal => ('text' in refusal ? [refusal.text] : []))
  const refused = { $ref: '#/components/schemas/ValidationError' }
  return {
    400: { description: ['The request cannot be meant', ...saying].join(' · '), content: json(refused) },
    ...(!route.signed && {
      401: { description: 'The bearer token is missing or invalid.', content: json(failure) },
    }),
    ...(missing[0] && {
      404: { description: missing.join(' · '), content: { 'text/plain': { schema: { type: 'string' } } } },
    }),
    429: { description: 'Rate limit exceeded.', content: json(failure) },
    500: { description: 'Backend fault.', content: json(failure) },
  }
}
