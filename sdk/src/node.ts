import { randomUUID } from 'node:crypto'
import { createWriteStream, openAsBlob } from 'node:fs'
import { rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'

/** Files for uploading in Node: read as they are sent, never as a whole. */

/** A file on disk, which must not change until it is uploaded. */
export const fileAt = (path: string): Promise<Blob> => openAsBlob(path)

/** The content of a stream, kept on disk until disposed: bytes lost in transit must be sent again. */
export const fileFrom = async (stream: Readable): Promise<{ file: Blob } & AsyncDisposable> => {
  const path = join(tmpdir(), `afterglow-upload-${randomUUID()}`)
  const remove = () => rm(path, { force: true })
  try {
    await pipeline(stream, createWriteStream(path, { flags: 'wx', mode: 0o600 }))
    return { file: await openAsBlob(path), [Symbol.asyncDispose]: remove }
  } catch (error) {
    await remove()
    throw error
  }
}
