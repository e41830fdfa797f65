import { sql } from 'kysely'
import type { Db, Transaction } from '../database/database.ts'
import { firstValue } from '../database/rows.ts'
import type { Sums } from './checksums.ts'
import { keepSums } from './file-sums.ts'
import { addMedium } from './medium-sizes.ts'
import { localOf, momentOf } from './pictures/capture-time.ts'
import type { PreparedPicture } from './pictures/picture.ts'
import { isRaw } from './pictures/raw.ts'
import { requireQuota } from './quotas.ts'
import { holdBytes } from './same-bytes.ts'
import { holdFiles } from './storage/file-locks.ts'
import type { Storage } from './storage/storage.ts'
import type { Beside, StoredPicture } from './store-picture.ts'
import { arePieces, lengthOf } from './structure/pieces.ts'
import type { FullSize } from './structure/read-structure.ts'
import { addVariants, textOf } from './variants-store.ts'

/**
 * `eventId` null: an avatar, also shown outside events. `beside` is the size of the files that come with it; a negative
 * size was reserved.
 */
type About = { eventId: number | null; ownerId: number; beside?: number }

/** All of its files together. */
const bytesOf = ({ original, prepared, beside }: StoredPicture): number =>
  [...Object.values(prepared.variants), ...Object.values(beside)].reduce(
    (sum, { bytes }) => sum + bytes,
    original.bytes,
  )

/** Writes the row of a stored picture and returns its ID. Refuses personFull, instanceFull. */
export const addMedia = async (tx: Transaction, picture: StoredPicture, about: About): Promise<number> => {
  await requireQuota(tx, about.ownerId, bytesOf(picture) + (about.beside ?? 0), picture.quotas)
  const id = await insertMedia(tx, picture, about)
  await addMedium(tx, [{ id, display: picture.prepared.variants.display }])
  return id
}

const insertMedia = async (
  tx: Transaction,
  { original, uploadSha256, fileName, prepared, beside, has }: StoredPicture,
  { eventId, ownerId }: About,
): Promise<number> => {
  const { taken, place, look } = prepared
  const variants = [...Object.values(prepared.variants), ...Object.values(beside)]
  await holdFiles(tx, [original.sha256, ...variants.map(({ sha256 }) => sha256)], has)
  const zone = taken?.offset === null && eventId !== null ? await zoneOf(tx, eventId) : null
  const { id } = await tx
    .insertInto('media')
    .values({
      event_id: eventId,
      owner_id: ownerId,
      original_sha256: original.sha256,
      original_bytes: original.bytes,
      original_type: prepared.type,
      width: prepared.width,
      height: prepared.height,
      thumbhash: prepared.thumbhash,
      taken_at: taken && momentOf(taken, zone),
      taken_local: taken && localOf(taken),
      latitude: place?.latitude ?? null,
      longitude: place?.longitude ?? null,
      look: look && `x${look}`,
      variants: textOf({ ...prepared.variants, ...rawOf(original, prepared), ...beside }),
      upload_sha256: uploadSha256,
      full_size: JSON.stringify(fullSizeOf(prepared, original.bytes)),
      file_name: fileName,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

/** 0 bytes for a file whose structure cannot be parsed. A compromised decoder may answer anything. */
export const fullSizeOf = (
  { full, incomplete }: Pick<PreparedPicture, 'full' | 'incomplete'>,
  originalBytes: number,
): FullSize => ({
  ...(full && arePieces(full.pieces, originalBytes) && lengthOf(full.pieces) === full.bytes
    ? { bytes: full.bytes, crc32: full.crc32, pieces: full.pieces }
    : { bytes: 0, crc32: 0, pieces: [] }),
  ...(incomplete && { incomplete: true }),
})

/** A RAW is handed to its uploader and to organizers as a separate variant; everybody gets the picture in it. */
const rawOf = ({ sha256, bytes }: Sums, { type }: PreparedPicture) =>
  isRaw(type) ? { raw: { sha256, bytes, type } } : undefined

/** As `addMedia`, for several in one event and a zip. Returns their IDs. */
export const addPictures = async (
  tx: Transaction,
  pictures: readonly StoredPicture[],
  about: About & { eventId: number },
): Promise<number[]> => {
  await holdBytes(
    tx,
    about.eventId,
    pictures.map(({ original }) => original.sha256),
  )
  return addHeldPictures(tx, pictures, about)
}

/** As `addPictures`, if the caller holds the lock on their bytes already. */
export const addHeldPictures = async (
  tx: Transaction,
  pictures: readonly StoredPicture[],
  about: About & { eventId: number },
): Promise<number[]> => {
  const more = pictures.reduce((sum, picture) => sum + bytesOf(picture), about.beside ?? 0)
  if (pictures[0]) await requireQuota(tx, about.ownerId, more, pictures[0].quotas)
  const ids: number[] = []
  for (const picture of pictures) ids.push(await insertMedia(tx, picture, about))
  await addMedium(
    tx,
    pictures.map(({ prepared }, at) => ({ id: ids[at] as number, display: prepared.variants.display })),
  )
  await keepSums(
    tx,
    pictures.flatMap(({ original, prepared, beside }) => [
      original,
      prepared.variants.display,
      ...(prepared.variants.full ? [prepared.variants.full] : []),
      ...(beside.raw ? [beside.raw] : []),
    ]),
  )
  return ids
}

/** Files that arrived later, for a picture that lacks them. Returns which were added. */
export const addBeside = async (
  tx: Transaction,
  id: number,
  { beside, has, quotas }: Pick<StoredPicture, 'beside' | 'has' | 'quotas'>,
  ownerId: number,
): Promise<Beside> => {
  const { rows } = await sql<{ names: string[] }>`
    select array(select jsonb_object_keys(variants)) as names from media
    where id = ${id} and owner_id = ${ownerId} for no key update`.execute(tx)
  const taken: Beside = Object.fromEntries(
    Object.entries(beside).filter(([name]) => rows[0] && !rows[0].names.includes(name)),
  )
  if (Object.keys(taken).length === 0) return {}
  await addVariants(tx, { id, ownerId, variants: taken, quotas, has })
  if (taken.raw) await keepSums(tx, [taken.raw])
  return taken
}

/** Replaces the displayed picture, under new URLs; the original stays. */
export const replacePicture = async (
  tx: Transaction,
  id: number,
  { variants, width, height, thumbhash }: PreparedPicture,
  has: Storage['has'],
): Promise<void> => {
  await holdFiles(
    tx,
    Object.values(variants).map(({ sha256 }) => sha256),
    has,
  )
  await sql`
    update media set variants = (variants - 'tile' - 'medium' - 'medium-avif' - 'full') || ${textOf(variants)}::jsonb, width = ${width}, height = ${height},
      thumbhash = ${thumbhash} where id = ${id}`.execute(tx)
  await renewMedia(tx, [id])
}

const zoneOf = async (db: Db, eventId: number): Promise<string> => {
  const { timezone } = await db
    .selectFrom('events')
    .select('timezone')
    .where('id', '=', eventId)
    .executeTakeFirstOrThrow()
  return timezone
}

/** Another row of the same files, with a URL and an end of its own. Undefined if it is gone. */
export const copyMedia = (tx: Transaction, id: number, ownerId: number) => firstValue<number>(tx)`
    with kept as (select * from media where id = ${id} and removed_at is null for share)
    insert into media (owner_id, original_sha256, original_bytes, original_type, width, height, thumbhash, taken_at,
      taken_local, look, variants, upload_sha256, full_size, file_name)
    select ${ownerId}, original_sha256, original_bytes, original_type, width, height, thumbhash, taken_at,
      taken_local, look, variants, upload_sha256, full_size, file_name
    from kept returning id`

/** Makes it visible again, as long as its files exist. */
export const restoreMedia = async (db: Db, id: number): Promise<void> => {
  await db.updateTable('media').set({ removed_at: null }).where('id', '=', id).execute()
}

export const handout = 'export'

/**
 * Writes the row of a file that is handed to its owner as a whole, and is not a picture. Its URL's variant is `export`,
 * signed with the owner's link epoch in addition to its own.
 */
export const addHandout = async (
  tx: Transaction,
  file: { sha256: string; bytes: number; type: string },
  { ownerId, has }: { ownerId: number; has: Storage['has'] },
): Promise<number> => {
  await holdFiles(tx, [file.sha256], has)
  const { id } = await tx
    .insertInto('media')
    .values({
      event_id: null,
      owner_id: ownerId,
      original_sha256: file.sha256,
      original_bytes: file.bytes,
      original_type: file.type,
      width: 0,
      height: 0,
      thumbhash: '',
      variants: JSON.stringify({ [handout]: file }),
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

/** Its URLs die now; the files follow when no row names them and the grace period is over. */
export const removeMedia = async (db: Db, ids: readonly number[]): Promise<void> => {
  if (ids.length === 0) return
  await db.updateTable('media').set({ removed_at: sql`now()` }).where('id', 'in', ids).execute()
}

/** Invalidates every URL of these pictures handed out so far, and of nothing else. */
export const renewMedia = async (db: Db, ids: readonly number[]): Promise<void> => {
  if (ids.length === 0) return
  await sql`update media set epoch = epoch + 1 where id = any(${ids}::bigint[])`.execute(db)
}

/** As `removeMedia`, with nothing to restore: the sweeper removes the files on its next run. */
export const removeForGood = async (db: Db, ids: readonly number[]): Promise<void> => {
  if (ids.length === 0) return
  await db.updateTable('media').set({ removed_at: sql`to_timestamp(0)` }).where('id', 'in', ids).execute()
}
