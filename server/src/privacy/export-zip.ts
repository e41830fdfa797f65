import { createHash } from 'node:crypto'
import { open } from 'node:fs/promises'
import { Readable } from 'node:stream'
import { crc32 } from 'node:zlib'
import type { Db } from '../platform/database/database.ts'
import { type ExportPart, inPieces } from '../platform/export/export-part.ts'
import { endingOf } from '../platform/media/file-extensions.ts'
import { NotStored, type Storage, type Temporary } from '../platform/media/storage/storage.ts'
import { layOut } from '../platform/zip/layout.ts'
import type { Entry } from '../platform/zip/records.ts'
import { zipBytes } from '../platform/zip/stream.ts'
import { ownFiles } from './exports-store.ts'

/** An entry of the zip and how to get its bytes. */
type Packed = Entry & { stream(range: { start: number; end: number }): Promise<Readable> }

export type Pack = { path: string; sha256: string; bytes: number; remove(): Promise<void> }

/**
 * Writes all of somebody's own data into a zip in a temporary file of the storage: each part as JSON, and their uploads
 * unchanged. Memory is bounded by the chunk of a part that is read at a time. The caller stores or removes it.
 */
export const pack = async (db: Db, storage: Storage, parts: readonly ExportPart[], userId: number): Promise<Pack> => {
  const temporaries: Temporary[] = []
  const temporary = () => {
    const made = storage.temporary()
    temporaries.push(made)
    return made
  }
  const zip = storage.temporary()
  try {
    const at = new Date()
    const entries: Packed[] = []
    for (const part of parts) entries.push(await writePart(db, userId, part, { file: temporary(), at }))
    const files = inPieces((after, most) => ownFiles(db, userId, after, most))
    for await (const { id, sha256, bytes, type, created_at } of files) {
      const sum = await sumOf(storage, sha256)
      const stream = async (range: { start: number; end: number }) => (await storage.open(sha256, range)).stream
      // The nightly check reports lost files; one must not keep the rest from its owner.
      if (sum !== null)
        entries.push({ name: `media/${id}.${endingOf(type)}`, bytes, crc32: sum, at: created_at, stream })
    }
    return { ...(await writeZip(entries, zip.path)), path: zip.path, remove: zip.remove }
  } catch (error) {
    await zip.remove()
    throw error
  } finally {
    for (const { remove } of temporaries) await remove()
  }
}

const writePart = async (
  db: Db,
  userId: number,
  part: ExportPart,
  { file: { path }, at }: { file: Temporary; at: Date },
): Promise<Packed> => {
  const file = await open(path, 'wx', 0o600)
  let bytes = 0
  let sum = 0
  const write = async (text: string) => {
    const chunk = Buffer.from(text)
    await file.writeFile(chunk)
    bytes += chunk.length
    sum = crc32(chunk, sum)
  }
  try {
    let first = true
    await write('[')
    for await (const row of await part.rows(db, userId)) {
      await write(`${first ? '' : ','}\n${JSON.stringify(row)}`)
      first = false
    }
    await write('\n]\n')
  } finally {
    await file.close()
  }
  const stream = async (range: { start: number; end: number }) => (await open(path)).createReadStream(range)
  return { name: `${part.name}.json`, bytes, crc32: sum, at, stream }
}

/** A zip names a file's checksum before its bytes. Null if the file is missing. */
const sumOf = async (storage: Storage, sha256: string): Promise<number | null> => {
  try {
    let sum = 0
    for await (const chunk of (await storage.open(sha256)).stream as AsyncIterable<Buffer>) sum = crc32(chunk, sum)
    return sum
  } catch (error) {
    if (error instanceof NotStored) return null
    throw error
  }
}

const writeZip = async (entries: readonly Packed[], path: string) => {
  const inOrder = () => Readable.from(entries) as AsyncIterable<Packed>
  const layout = await layOut(inOrder())
  const hash = createHash('sha256')
  let bytes = 0
  const file = await open(path, 'wx', 0o600)
  try {
    for await (const chunk of zipBytes({ entries: inOrder, open: (entry, range) => entry.stream(range) }, layout)) {
      await file.writeFile(chunk)
      hash.update(chunk)
      bytes += chunk.length
    }
  } finally {
    await file.close()
  }
  return { sha256: hash.digest('hex'), bytes }
}
