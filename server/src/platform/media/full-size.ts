import { sql } from 'kysely'
import { type Database, type Db, type Transaction, transact } from '../database/database.ts'
import { allValues, firstRow, firstValue, run } from '../database/rows.ts'
import { Unavailable } from '../http/refusals.ts'
import { nameToSave } from './file-name.ts'
import { keepSums } from './file-sums.ts'
import { DecoderEnded } from './pictures/decoders/decoder.ts'
import { PictureRefused, type Pictures, type Variant } from './pictures/picture.ts'
import { fullTypeOf } from './pictures/raw.ts'
import { type ReceivedFile, receive } from './received-file.ts'
import { fullSizeOf } from './records.ts'
import { findVariant } from './serving/find-variant.ts'
import type { MediaFile } from './serving/serve.ts'
import { holdFiles } from './storage/file-locks.ts'
import { NotStored, type Storage } from './storage/storage.ts'
import { openPieces } from './structure/open-pieces.ts'
import type { FullSize } from './structure/read-structure.ts'

/*
 * Pictures in full resolution without metadata: `original` in the uploaded format, from pieces of the stored file;
 * `full` in one that every client displays, which for HEIC and AVIF is a JPEG created on request. A file whose structure
 * cannot be parsed is re-encoded in full resolution for both.
 */

type Row = {
  id: number
  epoch: number
  original_sha256: string
  original_bytes: number
  original_type: string
  file_name: string | null
  /** Null if it has not been analysed: it was uploaded before full sizes existed. */
  full_size: FullSize | null
  /** Re-encoded: for formats that few clients display, and where the structure cannot be parsed. */
  made: Variant | null
  /** It is the poster image of a video. */
  still: boolean
}

const needJpeg = new Set(['image/heic', 'image/avif'])

export type FullSizes = {
  /** The file behind an object's variant, whichever that is. */
  find(object: number, variant: string): Promise<MediaFile | null>
  /** Finds or makes missing full sizes before they are handed out; a lost one stays as it is. */
  follow(ids: readonly number[]): Promise<void>
  /**
   * Parses the structure of old uploads, and re-encodes those that cannot be parsed; files that are lost or temporarily
   * unreadable wait for another night.
   */
  readOld(signal: AbortSignal): Promise<void>
  /**
   * Removes somebody's originals, with their location and camera data: the full size without them replaces each, or the
   * displayed size if there is none. What they had deleted before is removed for good.
   */
  forgetOriginals(ownerId: number): Promise<void>
}

type FullSizeOptions = { db: Database; storage: Storage; pictures: Pictures; pixelsMax: number }

export const openFullSizes = (opening: FullSizeOptions): FullSizes => {
  const { db, storage } = opening
  const complete = openCompletion(opening)

  return {
    async find(object, variant) {
      if (variant === 'raw' || variant === 'live' || variant === 'source') return findSaved(db, object, variant)
      if (variant !== 'full' && variant !== 'original') return findVariant(db, object, variant)
      const row = await findRow(db, object)
      if (!row) return null
      const { epoch } = row
      if (!isMissing(row, variant)) return fileOf(row, variant)
      return {
        epoch,
        make: async () => {
          await complete(object, variant)
          const made = await findRow(db, object)
          return made ? fileOf(made, variant) : null
        },
      }
    },
    async follow(ids) {
      for (const id of ids) await complete(id, 'original').catch(nullIfLost)
    },
    async readOld(signal) {
      for (let id = await nextUnread(db, 0); id !== undefined; id = await nextUnread(db, id)) {
        signal.throwIfAborted()
        await complete(id, 'original').catch(nullIfAway)
      }
    },
    async forgetOriginals(ownerId) {
      await removeDeleted(db, ownerId)
      for (;;) {
        const [id] = await originalsOf(db, ownerId)
        if (id === undefined) return
        // The nightly check reports lost files; one must not keep its owner from leaving.
        await complete(id, 'original').catch(nullIfLost)
        await forgetOriginal(db, storage, id)
      }
    },
  }
}

/** Finds or makes what a picture lacks of its full sizes: parses an old upload, re-encodes what cannot be parsed. */
const openCompletion = ({ db, storage, pictures, pixelsMax }: FullSizeOptions) => {
  const under = new Map<string, Promise<unknown>>()

  return (id: number, variant: 'full' | 'original') =>
    once(`${id} ${variant}`, async () => {
      await read(id)
      await makeWhole(id, variant)
    })

  /** At most once at a time in this process; twice elsewhere does no harm. */
  function once(asked: string, work: () => Promise<unknown>): Promise<unknown> {
    const now = under.get(asked) ?? work().finally(() => under.delete(asked))
    under.set(asked, now)
    return now
  }

  /** Parses the structure of an old upload. */
  async function read(id: number) {
    const row = await findRow(db, id, true)
    // One that could not be parsed and was never re-encoded: perhaps it can be now.
    if (!row || (row.full_size && (row.full_size.bytes > 0 || row.made || row.still))) return
    const read = await reading(row, path => pictures.follow(path))
    const found = JSON.stringify(fullSizeOf(read ?? { full: null, incomplete: false }, row.original_bytes))
    await run(db)`update media set full_size = ${found} where id = ${id} and original_sha256 = ${row.original_sha256}`
  }

  async function makeWhole(id: number, variant: 'full' | 'original') {
    const row = await findRow(db, id)
    if (!row || !isMissing(row, variant)) return
    const prepared = await reading(row, path => pictures.prepare(path, { pixelsMax, shape: 'full' }))
    await transact(db, async tx => {
      if (prepared) return keepVariant(tx, id, prepared.variants.display)
      // It was readable once, or it would not be here: the displayed size is all that remains of it.
      await run(tx)`
        update media set variants = variants || jsonb_build_object('full', variants -> 'display') where id = ${id}`
    })
  }

  async function keepVariant(tx: Transaction, id: number, { crc32, ...variant }: Variant) {
    await holdFiles(tx, [variant.sha256], storage.has)
    await sql`
      update media set variants = variants || jsonb_build_object('full', ${JSON.stringify(variant)}::jsonb)
      where id = ${id}`.execute(tx)
    await keepSums(tx, [{ sha256: variant.sha256, ...(crc32 !== undefined && { crc32 }) }])
  }

  /** Undefined for a picture that is refused. */
  async function reading<Found>(row: Row, read: (path: string) => Promise<Found>) {
    const local = await fetched(row)
    try {
      return await read(local.path)
    } catch (error) {
      if (error instanceof PictureRefused) return undefined
      if (error instanceof DecoderEnded) throw new Unavailable('The picture could not be read just now.', 5)
      throw error
    } finally {
      await local.remove()
    }
  }

  async function fetched({ original_sha256, original_bytes }: Row): Promise<ReceivedFile> {
    const { stream } = await storage.open(original_sha256)
    return receive(stream, { bytesMax: original_bytes }, storage)
  }
}

async function forgetOriginal(db: Database, storage: Storage, id: number) {
  const row = await findRow(db, id, true)
  if (!row) return
  const { full_size: full, still } = row
  const file = full && full.bytes > 0 && !still ? await written(storage, row, full).catch(nullIfLost) : null
  await transact(db, async tx => {
    if (!file) return showInstead(tx, id)
    await holdFiles(tx, [file.sha256], storage.has)
    const whole: FullSize = { bytes: file.bytes, crc32: file.crc32, pieces: [[0, file.bytes]] }
    await sql`
      update media set original_sha256 = ${file.sha256}, original_bytes = ${file.bytes},
        original_type = ${fullTypeOf(row.original_type)}, full_size = ${JSON.stringify(whole)}, ${withoutBeside}, ${forgotten}
      where id = ${id}`.execute(tx)
    await keepSums(tx, [file])
  })
}

async function written(
  storage: Storage,
  { original_sha256: sha256 }: Row,
  { bytes, pieces }: FullSize,
): Promise<ReceivedFile> {
  const file = await receive(await openPieces(storage, sha256, pieces), { bytesMax: bytes }, storage)
  await storage.put(file.path, file.sha256)
  return file
}

/** Tells whether something has to be created before this can be handed out. */
const isMissing = ({ still, full_size: full, original_type: type, made }: Row, variant: 'full' | 'original') =>
  !still && (full === null || (made === null && (full.bytes === 0 || (variant === 'full' && needJpeg.has(type)))))

const fileOf = (row: Row & { display: Variant | null }, variant: 'full' | 'original'): MediaFile | null => {
  const { id, epoch, file_name, original_sha256: sha256, original_type: type, full_size: full, made, still } = row
  const named = (type: string) => ({ epoch, type, name: nameToSave({ id, file_name }, type) })
  if (!still && full && full.bytes > 0 && (variant === 'original' || !needJpeg.has(type)))
    return { ...named(fullTypeOf(type)), sha256, bytes: full.bytes, pieces: full.pieces, etag: `${sha256}-full` }
  const shown = (!still && made) || (variant === 'full' ? row.display : null)
  return shown && { ...named(shown.type), sha256: shown.sha256, bytes: shown.bytes }
}

/** Saved rather than displayed, under the camera's file name. */
const findSaved = async (db: Db, id: number, variant: string): Promise<MediaFile | null> => {
  const [found, row] = [await findVariant(db, id, variant), await findRow(db, id)]
  return found && row ? { ...found, name: nameToSave(row, found.type), saved: true } : null
}

/** `evenDeleted`: for erasing, and for later readers. */
const findRow = async (db: Db, id: number, evenDeleted = false) => {
  const living = evenDeleted ? sql`` : sql`and m.removed_at is null and e.deleted_at is null`
  return firstRow<Row & { display: Variant | null }>(db)`
    select m.id, coalesce(e.media_epoch, 0) + m.epoch as epoch, m.original_sha256, m.original_bytes, m.original_type,
      m.file_name, m.full_size, m.variants -> 'full' as made, m.variants -> 'display' as display,
      exists (select from videos v where v.media_id = m.id) as still
    from media m left join events e on e.id = m.event_id where m.id = ${id} ${living}`
}

/** Files that came with it are removed as well: others only get what was made from them. */
const withoutBeside = sql`variants = variants - 'raw' - 'live'`
const forgotten = sql`upload_sha256 = null, file_name = null, taken_local = null, latitude = null, longitude = null,
  original_forgotten = true`

const nullIfAway = (error: unknown): null => (error instanceof Unavailable ? null : nullIfLost(error))

const nullIfLost = (error: unknown): null => {
  if (error instanceof NotStored) return null
  throw error
}

const showInstead = (tx: Transaction, id: number) => run(tx)`
    update media m set original_sha256 = best ->> 'sha256', original_bytes = (best ->> 'bytes')::bigint,
      original_type = best ->> 'type', full_size = ${JSON.stringify(fullSizeOf({ full: null, incomplete: false }, 0))},
      ${forgotten}, variants = m.variants - 'raw' - 'live' || jsonb_build_object('full', best)
    from (select coalesce(variants -> 'full', variants -> 'display') as best from media where id = ${id}) of
    where m.id = ${id}`

const removeDeleted = (db: Db, ownerId: number) => run(db)`
    update media set removed_at = to_timestamp(0), ${withoutBeside}, ${forgotten} where owner_id = ${ownerId} and removed_at is not null`

/** One by one: those that are still as uploaded. */
const originalsOf = (db: Db, ownerId: number) => allValues<number>(db)`
    select id from media where owner_id = ${ownerId} and removed_at is null and variants ? 'display'
      and not original_forgotten order by id limit 1`

const nextUnread = (db: Db, after: number) => firstValue<number>(db)`
    select m.id from media m where m.id > ${after} and m.removed_at is null and m.variants ? 'display'
      and (m.full_size is null or ((m.full_size ->> 'bytes')::bigint = 0 and not m.variants ? 'full'
        and not m.original_forgotten and not exists (select from videos v where v.media_id = m.id)))
    order by m.id limit 1`
