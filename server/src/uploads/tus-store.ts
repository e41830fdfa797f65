import type { Readable } from 'node:stream'
import { uploadSessionHours } from '@afterglow/contract/limits'
import { DataStore, ERRORS, Upload } from '@tus/server'
import { type Db, transact } from '../platform/database/database.ts'
import { tusExtensions } from '../platform/http/tus.ts'
import type { SessionFiles } from '../platform/media/storage/session-files.ts'
import * as store from './sessions-store.ts'

/**
 * The storage of the tus protocol: bytes in session files, everything else in rows, which exist first because they take
 * a place in the quota. Bytes that a row counts as received are safely on disk, so any process can continue from there
 * after a power cut.
 */
export class TusStore extends DataStore {
  readonly #db: Db
  readonly #files: SessionFiles

  constructor(db: Db, files: SessionFiles) {
    super()
    this.#db = db
    this.#files = files
    this.extensions = tusExtensions
  }

  override async getUpload(id: string) {
    const row = (await store.readSession(this.#db, id)) ?? gone()
    // The storage has changed since: the client starts over, and keeps this session's place in the quota.
    if (row.used_at === null && !(await this.#files.holds(id, row.received))) {
      await store.deleteUnused(this.#db, id)
      gone()
    }
    return new Upload({
      id,
      size: row.bytes,
      offset: row.received,
      metadata: { event_id: String(row.event_id), kind: row.kind, ...(row.filename && { filename: row.filename }) },
      // Its age counts from the last byte.
      creation_date: row.touched_at.toISOString(),
    })
  }

  override write(stream: Readable, id: string, offset: number) {
    let before = offset
    const move = async (db: Db, received: number) => {
      if (!(await store.moveEnd(db, id, before, received))) throw ERRORS.INVALID_OFFSET
    }
    return this.#files.write(id, stream, offset, async (received, beside) => {
      if (beside)
        await transact(this.#db, async tx => {
          await move(tx, received)
          await beside(tx)
        })
      else await move(this.#db, received)
      before = received
    })
  }

  /** The file of a used session belongs to the photo by now. */
  override async remove(id: string) {
    if (!(await store.deleteUnused(this.#db, id))) gone()
    await this.#files.remove(id)
  }

  override getExpiration() {
    return uploadSessionHours * 3_600_000
  }
}

const gone = (): never => {
  throw ERRORS.FILE_NOT_FOUND
}
