import type { Readable } from 'node:stream'
import { crc32 } from 'node:zlib'
import type { ByteRange } from '../media/storage/storage.ts'
import type { Contents, Layout } from './layout.ts'
import { centralHeader, type Entry, endRecords, localHeader, localLength } from './records.ts'

/** The contents have changed since the layout was computed: what was sent must not look complete. */
export class ZipChanged extends Error {
  override name = 'ZipChanged'
}

/**
 * The bytes of a zip, or a range of them, in constant memory. Throws ZipChanged if the contents no longer match the
 * layout, and any error from opening a file.
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
    for await (const { entry, file, range } of openedAhead(contents, { start, end })) {
      count += 1
      const header = localHeader(entry)
      if (meets(at, header.length)) yield part(header, at)
      at += header.length + entry.bytes
      if (file) yield* fileBytes(entry, await file, range)
    }
    const isWhole = end < directory.at ? at > end : at === directory.at && count === directory.entries
    if (!isWhole) throw new ZipChanged('Files came or went.')
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

type OpenedEntry<E> = { entry: E; range: ByteRange; file: Promise<Readable> | undefined }

/**
 * A network storage has high latency but serves several requests at once: 2 000 small files took minutes one after
 * another.
 */
const aheadMax = 8
/** The maximum to send before an opened file is read: a storage does not wait for ever. */
const aheadBytesMax = 4 * 1024 * 1024

/** The entries that a range touches, in order, with their bytes requested some files ahead. */
async function* openedAhead<E extends Entry>(
  contents: Contents<E>,
  { start, end }: ByteRange,
): AsyncGenerator<OpenedEntry<E>> {
  const waiting: OpenedEntry<E>[] = []
  let bytes = 0
  try {
    let at = 0
    for await (const entry of contents.entries()) {
      if (at > end) break
      const begins = at + localLength(entry)
      at = begins + entry.bytes
      while (waiting[0] && (waiting.length >= aheadMax || bytes > aheadBytesMax)) {
        yield waiting[0]
        bytes -= waiting.shift()?.entry.bytes ?? 0
      }
      const range = { start: Math.max(0, start - begins), end: Math.min(entry.bytes - 1, end - begins) }
      waiting.push({ entry, range, file: range.start <= range.end ? openQuietly(contents, entry, range) : undefined })
      bytes += entry.bytes
    }
    for (let next = waiting[0]; next; next = waiting[0]) {
      yield next
      waiting.shift()
    }
  } finally {
    for (const { file } of waiting)
      file?.then(
        stream => stream.destroy(),
        () => {},
      )
  }
}

/** An error before anybody reads it must be kept until somebody does. */
const openQuietly = <E extends Entry>(contents: Contents<E>, entry: E, range: ByteRange) => {
  const file = contents.open(entry, range).then(stream => stream.on('error', () => {}))
  file.catch(() => {})
  return file
}

/** A file's bytes, all of them or an error; a whole file is checked against its checksum as it passes. */
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
