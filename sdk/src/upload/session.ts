import { Upload, type UploadOptions } from 'tus-js-client'
import { type Connection, tokenOf } from '../call.ts'
import { AfterglowError, isLasting } from '../failure.ts'
import { retryDelaysMs } from '../retry.ts'
import { byFetch } from '../tus-over-fetch.ts'
import type { Uploading } from '../upload.ts'
import { sendsByXhr } from '../xhr-upload.ts'
import { type FileSource, fingerprintOf, isSource, nameOf } from './file-source.ts'

const megabyte = 1024 * 1024
/** Every part is on the server's disk when it is acknowledged, and passes proxies that limit the size of a body. */
const partBytes = 32 * megabyte
/** A chunked source is in memory once it has been read. */
const pieceBytes = 4 * megabyte
/** A sign of life is due within this. On a slow network, the last bytes take longest: the system has them already. */
const silentMs = 120_000

export const kinds = ['image', 'video', 'raw', 'live'] as const
export type File = { kind: (typeof kinds)[number]; file: Blob | FileSource }

/** Sends one file to the service. `forget` drops what would let the same file continue with this session. */
export const bySession = async (connection: Connection, eventId: number, given: File, uploading: Uploading) => {
  const { file, kind } = given
  const fingerprint = await fingerprintOf(`${originOf(connection)} ${eventId} ${kind}`, file)
  const upload = await send(file, uploading, {
    ...sendingOf(connection, file),
    metadata: metadataOf(eventId, given),
    fingerprint: async () => fingerprint as string,
    storeFingerprintForResuming: fingerprint !== null,
  })
  const at = upload.url ?? ''
  return {
    id: at.slice(at.lastIndexOf('/') + 1),
    forget: async () => {
      const storage = upload.options.urlStorage
      if (fingerprint === null || !storage) return
      for (const { urlStorageKey } of await storage.findUploadsByFingerprint(fingerprint))
        await storage.removeUpload(urlStorageKey)
    },
  }
}

const originOf = ({ baseUrl }: Connection) => baseUrl.replace(/\/+$/, '')

const metadataOf = (eventId: number, { kind, file }: File) => {
  const name = nameOf(file)
  return { event_id: String(eventId), kind, ...(name && { filename: name }) }
}

/** How the library sends to this service. */
const sendingOf = (connection: Connection, file: Blob | FileSource): UploadOptions => ({
  endpoint: `${originOf(connection)}/api/gallery/upload/session`,
  chunkSize: isSource(file) ? pieceBytes : partBytes,
  removeFingerprintOnSuccess: false,
  fileReader: { openFile: async () => sourceOf(file) },
  ...(!sendsByXhr(connection) && { httpStack: byFetch(connection.fetch ?? fetch) }),
  onBeforeRequest: request => {
    const token = tokenOf(connection)
    if (token) request.setHeader('Authorization', `Bearer ${token}`)
  },
  // Otherwise the library would take an exhausted rate limit for a lost session, and start over.
  onAfterResponse: (request, reply) => {
    const status = reply.getStatus()
    const goesOn = status < 400 || status === 409 || status === 423 || request.getMethod() === 'HEAD'
    if (!goesOn || status === 429 || status === 401)
      throw failureOf(status, reply.getBody(), reply.getHeader('X-Refusal'))
  },
  onShouldRetry: error => !isLasting(error.causingError),
})

/** Sends it to its end, from where an earlier upload of the same file stopped. */
const send = async (file: Blob | FileSource, uploading: Uploading, options: UploadOptions): Promise<Upload> => {
  const { signal, onProgress, urlStorage, retryDelays = retryDelaysMs } = uploading
  let end = () => {}
  return new Promise<Upload>((resolve, reject) => {
    const upload = new Upload(file as globalThis.File, {
      ...options,
      retryDelays,
      ...(urlStorage && { urlStorage }),
      onProgress: sent => {
        watch.moved(sent)
        onProgress?.(sent, file.size)
      },
      onSuccess: () => resolve(upload),
      onError: error => reject((error as { causingError?: Error }).causingError ?? error),
    })
    const watch = watchSilence(upload, retryDelays.length, reject)
    end = watch.end
    signal?.addEventListener('abort', () => {
      upload.abort().catch(() => {})
      reject(signal.reason)
    })
    upload
      .findPreviousUploads()
      .then(([known]) => {
        if (known) upload.resumeFromPreviousUpload(known)
        if (!signal?.aborted) upload.start()
      })
      .catch(reject)
  }).finally(() => end())
}

/** The library waits for a silent connection for ever: it is started again, and so often in vain that it has failed. */
const watchSilence = (upload: Upload, silencesMax: number, fail: (fault: unknown) => void) => {
  let movedAt = Date.now()
  let silences = 0
  let furthest = 0
  const timer = setInterval(() => {
    if (Date.now() - movedAt < silentMs) return
    movedAt = Date.now()
    silences += 1
    const stopped = upload.abort()
    if (silences > silencesMax) fail(new Error('The service does not reply.'))
    else stopped.then(() => upload.start(), fail)
  }, silentMs / 10)
  return {
    moved(sent: number) {
      movedAt = Date.now()
      if (sent > furthest) silences = 0
      furthest = Math.max(furthest, sent)
    },
    end: () => clearInterval(timer),
  }
}

const failureOf = (status: number, body: string, code: string | undefined) => {
  try {
    return new AfterglowError(status, JSON.parse(body), { code })
  } catch {
    return new AfterglowError(status, body, { code })
  }
}

/** A chunk is read when it is sent, so a large file is never in memory. */
const sourceOf = (file: Blob | FileSource) => ({
  size: file.size,
  slice: async (start: number, wanted: number) => {
    const end = Math.min(wanted, file.size)
    const done = end === file.size
    if (!isSource(file)) return { value: file.slice(start, end), done }
    const bytes = await file.read(start, end)
    // The library asks every chunk for its size.
    return { value: Object.assign(bytes, { size: bytes.byteLength }), done }
  },
  close: () => {},
})
