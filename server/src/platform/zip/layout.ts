import { createHash } from 'node:crypto'
import type { Readable } from 'node:stream'
import type { ByteRange } from '../media/storage/storage.ts'
import { centralLength, type Directory, type Entry, endRecords, localLength } from './records.ts'

/** The contents of a zip: the same entries in the same order each time they are read. */
export type Contents<E extends Entry> = {
  entries(): AsyncIterable<E>
  /** The bytes of an entry's file. */
  open(entry: E, range: ByteRange): Promise<Readable>
}

/** The layout of a zip: `directory` is the offset at which its files end. */
export type Layout = { length: number; directory: Directory; etag: string }

/** Iterates over the entries once. Equal contents have an equal `etag`, different ones another. */
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
