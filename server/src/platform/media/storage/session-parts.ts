import { type FileHandle, open } from 'node:fs/promises'
import { Readable } from 'node:stream'
import type { Database } from '../../database/database.ts'
import { receive } from '../received-file.ts'
import { holdFiles } from './file-locks.ts'
import type { SessionFiles } from './session-files.ts'
import { NotStored, type Storage, storageFailure, type Temporary } from './storage.ts'

/** How much of one request collects on the local disk before it is put; what a kill loses of it is sent again. */
const partBytes = 16 * 1024 * 1024

/**
 * Session files as parts in a storage shared by several machines, so that any of them can continue an upload. Each part
 * is put and verified like every file, then named by a row together with the session's new offset. The sweeper removes
 * the files of parts that no row names any more.
 */
export const openSessionParts = (db: Database, storage: Storage): SessionFiles => ({
  async write(id, stream, offset, safe) {
    stream.on('error', () => {})
    const source: Source = { chunks: stream.iterator({ destroyOnReturn: false }), over: false, fault: undefined }
    let end = offset
    while (!source.over) {
      const part = await receive(
        Readable.from(nextPart(source), { objectMode: false }),
        { bytesMax: Infinity },
        storage,
      )
      try {
        if (part.bytes === 0) break
        const { bytes, sha256 } = part
        const row = { session_id: id, start: end, bytes, sha256 }
        await storage.put(part.path, sha256)
        await safe(end + bytes, async tx => {
          await holdFiles(tx, [sha256], storage.has)
          await tx.insertInto('upload_parts').values(row).execute()
        })
        end += bytes
      } finally {
        await part.remove()
      }
    }
    if (source.fault !== undefined) throw source.fault
    return end
  },

  async holds(id, bytes) {
    if (bytes === 0) return true
    const { here } = await db
      .selectFrom('upload_parts')
      .select(({ fn }) => fn.sum<number>('bytes').as('here'))
      .where('session_id', '=', id)
      .executeTakeFirstOrThrow()
    return Number(here) >= bytes
  },

  async take(id) {
    const parts = await db
      .selectFrom('upload_parts')
      .selectAll()
      .where('session_id', '=', id)
      .orderBy('start')
      .execute()
    return joined(parts, storage)
  },

  async remove(id) {
    await db.deleteFrom('upload_parts').where('session_id', '=', id).execute()
  },

  settled: async () => [],
})

type Source = { chunks: AsyncIterator<Buffer>; over: boolean; fault: unknown }

/** Ends where a part does, where the source does, or where it breaks: what came before the interruption is kept. */
async function* nextPart(source: Source): AsyncGenerator<Buffer> {
  for (let bytes = 0; bytes < partBytes; ) {
    const next = await source.chunks.next().catch(fault => {
      source.fault = fault
      return { done: true as const, value: undefined }
    })
    if (next.done) {
      source.over = true
      return
    }
    bytes += next.value.length
    yield next.value
  }
}

type Part = { start: number; bytes: number; sha256: string }

/** The whole file of its parts. */
const joined = async (parts: readonly Part[], storage: Storage): Promise<Temporary> => {
  const temporary = storage.temporary()
  try {
    const file = await open(temporary.path, 'wx', 0o600)
    try {
      let end = 0
      for (const { start, bytes, sha256 } of parts) {
        // Started elsewhere, before the storage was shared.
        if (start !== end) throw new NotStored('A part of an upload is missing.')
        end += await append(file, (await storage.open(sha256)).stream, bytes)
      }
      if (end === 0) throw new NotStored('An upload has no part.')
    } finally {
      await file.close()
    }
    return temporary
  } catch (error) {
    await temporary.remove()
    throw storageFailure(error)
  }
}

const append = async (file: FileHandle, stream: Readable, bytes: number) => {
  let written = 0
  for await (const chunk of stream as AsyncIterable<Buffer>) {
    await file.writeFile(chunk)
    written += chunk.length
  }
  if (written !== bytes) throw new NotStored('A part of an upload is not as long as it was.')
  return written
}
