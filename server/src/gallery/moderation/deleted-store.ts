import { sql } from 'kysely'
import { standingIn } from '../../events/standing-sql.ts'
import type { Db, Transaction } from '../../platform/database/database.ts'
import { fillGap } from '../../platform/database/sequence-pages.ts'
import { restorable } from '../../platform/media/file-references.ts'
import { counted } from '../lists/moment-counts-store.ts'
import { columns, type PhotoAndTaker, photosAndTakers, read, type Unread } from '../photo-rows-sql.ts'
import type { FoundPhoto, Range } from '../store.ts'

export type DeletedPhotoRow = PhotoAndTaker & { deleted_at: Date; restorable_until: Date }
/** `taken_down`: by an organizer rather than its uploader. */
export type FoundDeletedPhoto = FoundPhoto & DeletedPhotoRow & { taken_down: boolean }

const whenDeleted = sql`p.deleted_at, p.deleted_at + ${restorable} as restorable_until`
// Media of an erased account are removed at once, whenever its photo was deleted.
const isRestorable = sql`p.deleted_at > now() - ${restorable}
  and not exists (select from media m where m.id = p.media_id and m.removed_at <= now() - ${restorable})`

/** A deleted photo that can still be restored. */
export const findDeletedPhoto = async (
  db: Db,
  viewerId: number,
  id: number,
): Promise<FoundDeletedPhoto | undefined> => {
  const { rows } = await sql<Unread<FoundDeletedPhoto>>`
    select ${columns(viewerId)}, ${whenDeleted}, p.taken_down, p.attachment_id, e.media_epoch, ${standingIn(viewerId)} as standing
    from ${photosAndTakers} join events e on e.id = p.event_id
    where p.id = ${id} and ${isRestorable} and e.deleted_at is null`.execute(db)
  return rows[0] && read(rows[0])
}

/**
 * A page of restorable photos, most recently deleted first; for the uploader only their own deletions, and for
 * organizers nothing that its uploader deleted while it is sealed from everybody.
 */
export const listDeletedPhotos = async (
  db: Db,
  viewerId: number,
  { eventId, takenBy }: { eventId: number; takenBy: number | undefined },
  { offset, limit }: Range,
) => {
  const { rows } = await sql<Unread<DeletedPhotoRow>>`
    select ${columns(viewerId)}, ${whenDeleted} from ${photosAndTakers}
    where p.event_id = ${eventId} and ${isRestorable}
      and ${
        takenBy === undefined
          ? sql`(p.taken_down or p.taken_by = ${viewerId} or p.sealed_from is distinct from 'everybody')`
          : sql`p.taken_by = ${takenBy} and not p.taken_down`
      }
    order by p.deleted_at desc, p.id desc offset ${offset} limit ${limit}`.execute(db)
  return rows.map(read)
}

/**
 * Restores a photo; undefined if somebody else already did. `ownMedia`: the attachment is gone, or there never was one.
 * Restoring a photo made from an attachment requires the chat's lock.
 */
export const unmarkDeleted = async (tx: Transaction, { id, event_id }: { id: number; event_id: number }) => {
  const { rows } = await sql<{ sequence: number; own_media: boolean }>`
    with changed as (
      update photos p set deleted_at = null, taken_down = false,
        picture_epoch = (select m.epoch from media m where m.id = p.media_id),
        shares_media = exists (select from attachments a where a.id = p.attachment_id and a.deleted_at is null)
      where p.id = ${id} and ${isRestorable}
      returning event_id, moment, sequence, not shares_media as own_media
    ), quarter as (${counted(1)})
    select sequence, own_media from changed`.execute(tx)
  if (!rows[0]) return undefined
  await fillGap(tx, { list: 'photos', parentId: event_id }, rows[0].sequence)
  return { ownMedia: rows[0].own_media }
}
