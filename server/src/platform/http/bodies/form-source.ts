import type { IncomingMessage } from 'node:http'
import type { Readable, Writable } from 'node:stream'
import { Unreadable } from '../refusals.ts'
import { decompressing, type Encoding } from './content-encoding.ts'

/* The source of a form's bytes, and how they reach the parser. */

export type Source = {
  stream: Readable
  /** Tells, once closed, whether it ended properly. */
  isWhole(): boolean
  /** Tells whether this many bytes can only come from a decompression bomb. */
  tooLarge(bytes: number): boolean
  fault(error: unknown): Unreadable
  /** Nobody reads what is still in transit. */
  end(): void
}

export const sourceOf = (raw: IncomingMessage, stream: Readable, encoding: Encoding | undefined): Source => {
  if (encoding !== undefined) return decompressing(raw, encoding)
  const fault = () => new Unreadable('The body was cut off.')
  return {
    stream,
    isWhole: () => stream !== raw || raw.complete,
    tooLarge: () => false,
    fault,
    end: () => void stream.resume(),
  }
}

const pieceBytes = 4 * 1024

type Pouring = { poured(bytes: number): void; error(error: unknown): void; close(): void }

/**
 * Pours a stream into a form, and reports the size of each chunk. Small chunks are combined: the form keeps a string
 * for each, which for a single byte would be thirty times its size. Returns a function that stops it, after which it
 * listens to neither.
 */
export const pour = (stream: Readable, form: Writable, { poured, error, close }: Pouring) => {
  let bytes = 0
  const small = Buffer.allocUnsafe(pieceBytes)
  let used = 0
  const write = (piece: Buffer) => {
    if (piece.length === 0) return
    bytes += piece.length
    if (!form.write(piece)) stream.pause()
    poured(bytes)
  }
  const writeSmall = () => {
    write(Buffer.from(small.subarray(0, used)))
    used = 0
  }
  const keep = (chunk: Buffer) => {
    if (used + chunk.length > pieceBytes) writeSmall()
    if (chunk.length >= pieceBytes) return write(chunk)
    used += chunk.copy(small, used)
  }
  const goOn = () => stream.resume()
  const end = () => {
    writeSmall()
    form.end()
  }
  form.on('drain', goOn)
  stream.on('data', keep).on('end', end).on('error', error).on('close', close)
  return () => {
    form.off('drain', goOn)
    stream.off('data', keep).off('end', end).off('error', error).off('close', close)
  }
}
