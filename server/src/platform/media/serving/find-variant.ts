import { sql } from 'kysely'
import type { Db } from '../../database/database.ts'
import { restorable } from '../file-references.ts'
import type { Variant } from '../pictures/picture.ts'
import { handout } from '../records.ts'

/**
 * A link to a deleted photo's preview differs from the one that everybody had: only those who may restore it get it.
 */
const previewOfDeleted = 'deleted'

/** A file of a picture that may still be displayed, with the media epoch with which its URL must be signed. */
export const findVariant = async (
  db: Db,
  object: number,
  variant: string,
): Promise<(Variant & { epoch: number }) | null> => {
  const deleted = variant === previewOfDeleted
  // An export belongs to one person alone, and to nobody while they are suspended.
  const ofOwner =
    variant === handout ? sql`+ (select link_epoch from users where id = media.owner_id and status <> 3)` : sql``
  const row = await db
    .selectFrom('media')
    .leftJoin('events', 'events.id', 'media.event_id')
    .select([
      'media.variants',
      sql<number | null>`coalesce(events.media_epoch, 0) + media.epoch ${ofOwner}`.as('epoch'),
    ])
    .where('media.id', '=', object)
    .where(
      deleted ? sql<boolean>`coalesce(removed_at > now() - ${restorable}, true)` : sql<boolean>`removed_at is null`,
    )
    .where('events.deleted_at', 'is', null)
    .executeTakeFirst()
  const files = row?.variants as Record<string, Variant> | undefined
  const found = files && fileNamed(files, deleted ? 'preview' : variant)
  return row && found && row.epoch !== null ? { ...found, epoch: row.epoch } : null
}

/** Some are not made where they would save nothing, not yet, or not for old uploads. */
const instead: Record<string, string> = { tile: 'preview', 'medium-avif': 'medium', medium: 'display' }

const fileNamed = (files: Record<string, Variant>, variant: string): Variant | undefined => {
  const [, edge] = /^display-(\d+)$/.exec(variant) ?? []
  if (edge) return displayWithin(files, Number(edge))
  const next = instead[variant]
  return files[variant] ?? (next === undefined ? undefined : fileNamed(files, next))
}

/** An avatar's preview is smaller than the requested size. */
const displayWithin = ({ tile, preview, display }: Record<string, Variant>, edge: number) =>
  [tile, preview].find(file => file && display && edgeOf(file) >= Math.min(edge, edgeOf(display))) ?? display
const edgeOf = ({ width, height }: Variant) => Math.max(width, height)
