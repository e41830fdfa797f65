import type { IncomingHttpHeaders, IncomingMessage } from 'node:http'
import { brotliDecompressSync, createGunzip, createInflate, gunzipSync, inflateRawSync, inflateSync } from 'node:zlib'
import { Unreadable } from '../refusals.ts'

export type Encoding = 'gzip' | 'deflate' | 'br'

const known: Record<string, Encoding | undefined> = {
  '': undefined,
  identity: undefined,
  // Some clients send the charset in the wrong header.
  'utf-8': undefined,
  utf8: undefined,
  gzip: 'gzip',
  'x-gzip': 'gzip',
  deflate: 'deflate',
  br: 'br',
}

/** How a body is compressed. Throws Unreadable for what cannot be read, so that no compressed bytes pass for text. */
export const encodingOf = (headers: IncomingHttpHeaders): Encoding | undefined => {
  const named = headers['content-encoding']
  if (named === undefined) return undefined
  const name = String(named).trim().toLowerCase()
  if (!Object.hasOwn(known, name)) throw new Unreadable('The content encoding of the body is not supported.')
  return known[name]
}

const zlibFormat = ([first = 0, second = 0]: Uint8Array) => (first & 15) === 8 && (first * 256 + second) % 31 === 0

const decompress = {
  gzip: gunzipSync,
  br: brotliDecompressSync,
  // Some clients call the bare format deflate as well.
  deflate: (bytes: Buffer, options: { maxOutputLength: number }) =>
    zlibFormat(bytes) ? inflateSync(bytes, options) : inflateRawSync(bytes, options),
}

/**
 * A whole body, decompressed at once: while it arrives it only costs what was sent, whatever it would become. At most
 * `bytesMax` are ever produced.
 */
export const decompressed = (bytes: Buffer, encoding: Encoding | undefined, bytesMax: number): Buffer => {
  if (encoding === undefined || bytes.length === 0) return bytes
  try {
    return decompress[encoding](bytes, { maxOutputLength: bytesMax })
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE') throw new Unreadable('The body is too large.')
    throw notValid(encoding)
  }
}

const notValid = (encoding: Encoding) => new Unreadable(`The body is not valid ${encoding}.`)

/** Pictures and videos hardly compress: a body that expands beyond this was made to. */
const bytesFree = 1024 * 1024
const timesMost = 20

/** For forms with files. br is refused: a decoder's window takes up to 16 MiB for a body of ten bytes. */
export const decompressing = (raw: IncomingMessage, encoding: Encoding) => {
  if (encoding === 'br') {
    raw.resume()
    throw new Unreadable('A form with files may be compressed with gzip or deflate, not with br.')
  }
  const stream = encoding === 'gzip' ? createGunzip() : createInflate()
  raw.pipe(stream)
  const cutOff = new Unreadable('The body was cut off.')
  raw.on('close', () => raw.complete || stream.destroy(cutOff))
  return {
    stream,
    isWhole: () => true,
    tooLarge: (bytes: number) => bytes > bytesFree + timesMost * stream.bytesWritten,
    fault: (error: unknown) => (error === cutOff ? cutOff : notValid(encoding)),
    /** Stops decompressing data still in transit. */
    end() {
      raw.unpipe(stream)
      stream.destroy()
      raw.resume()
    },
  }
}
