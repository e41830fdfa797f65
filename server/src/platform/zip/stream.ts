import { createHash } from 'node:crypto'
import type { Readable } from 'node:stream'
import { crc32 } from 'node:zlib'
import type { ByteRange } from '../media/storage.ts'
import {
  centralHeader,
  centralLength,
  type Directory,
  type Entry,
  endRecords,
  localHeader,
  localLength,
} from './records.ts'

/** What a zip is made of: the same entries in the same order each time they are asked for. */
export type Contents<E extends Entry> = {
  entries(): AsyncIterable<E>
  /** Bytes of an entry's file. */
  open(entry: E, range: ByteRange): Promise<Readable>
}

/** The layout of a zip: `directory` says where its files end. */
export type Layout = { length: number; directory: Directory; etag: string }

/** The contents are not what they were when the layout was taken: what was sent of it must not look complete. */
export class ZipChanged extends Error {
  override name = 'ZipChanged'
}

/** Goes through the entries once. Equal entries have an equal `etag`, unlike ones another. */
export const layOut = async (entries: AsyncIterable<Entry>): Promise<Layout> => {
  const hash = createHash('sha256')
  const directory = { entries: 0, at: 0, bytes: 0 }
  for await (const entry of entries) {
    hash.update(`${entry.name}\n${entry.bytes} ${entry.crc32} ${entry.at.getTime()}\n`)
    directory.entries += 1
    directory.bytes += centralLength(entry, directory.at)
    directory.at += localLength(entry) + entry.bytes
  }
  const length = directory.at + directory.bytes + endRecords(directory).length
  return { length, directory, etag: `"${hash.digest('base64url')}"` }
}

/**
 * The bytes of a zip, or a range of them, in constant memory. Throws ZipChanged when the contents do not fit the layout
 * any more, and whatever opening a file throws.
 */
export async function* zipBytes<E extends Entry>(
  contents: Contents<E>,
  { directory, length }: Layout,
  { start, end }: ByteRange = { start: 0, end: length - 1 },
): AsyncGenerator<Buffer> {
  /** The part of a record at `at` that lies in the range. */
  const part = (record: Buffer, at: number) => record.subarray(Math.max(0, start - at), Math.max(0, end + 1 - at))
  const meets = (at: number, bytes: number) => at <= end && at + bytes > start

  let at = 0
  let count = 0
  if (start < directory.at) {
    for await (const entry of contents.entries()) {
      if (at > end) return
      count += 1
      const header = localHeader(entry)
      if (meets(at, header.length)) yield part(header, at)
      at += header.length
      if (entry.bytes > 0 && meets(at, entry.bytes)) {
        const from = Math.max(0, start - at)
        const to = Math.min(entry.bytes - 1, end - at)
        yield* fileBytes(entry, await contents.open(entry, { start: from, end: to }), { start: from, end: to })
      }
      at += entry.bytes
    }
    if (at !== directory.at || count !== directory.entries) throw new ZipChanged('Files came or went.')
  }
  if (end < directory.at) return

  let offset = 0
  at = directory.at
  for await (const entry of contents.entries()) {
    if (at > end) return
    const header = centralHeader(entry, offset)
    if (meets(at, header.length)) yield part(header, at)
    at += header.length
    offset += localLength(entry) + entry.bytes
  }
  if (at !== directory.at + directory.bytes || offset !== directory.at) throw new ZipChanged('Files came or went.')
  const records = endRecords(directory)
  if (meets(at, records.length)) yield part(records, at)
}

/** A file's bytes, all of them or an error; a whole file is checked against its sum as it passes. */
async function* fileBytes(entry: Entry, stream: Readable, { start, end }: ByteRange): AsyncGenerator<Buffer> {
  const wanted = end - start + 1
  const whole = wanted === entry.bytes
  let sum = 0
  let bytes = 0
  for await (const chunk of stream as AsyncIterable<Buffer>) {
    bytes += chunk.length
    if (bytes > wanted) throw new ZipChanged(`${entry.name} is longer than it was.`)
    if (whole) sum = crc32(chunk, sum)
    if (whole && bytes === wanted && sum !== entry.crc32) throw new ZipChanged(`${entry.name} is not what it was.`)
    yield chunk
  }
  if (bytes !== wanted) throw new ZipChanged(`${entry.name} is shorter than it was.`)
}
