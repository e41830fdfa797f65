import { sql } from 'kysely'
import type { May } from '../../events/standing.ts'
import type { Transaction } from '../../platform/database/database.ts'
import { firstRow, run } from '../../platform/database/rows.ts'

/* As for everything that changes its counts, a photo's row is locked first. */

/** A concurrent search for duplicates of a new photo waits, or has found them before. */
export const lockGallery = (tx: Transaction, eventId: number) =>
  run(tx)`select from galleries where event_id = ${eventId} for no key update`

/** Locks an existing photo and reads whether it is hidden, waits, or is sealed; undefined if it does not exist. */
export const lockPhoto = (tx: Transaction, id: number) =>
  firstRow<{ hidden: boolean; waits: boolean; sealed: boolean }>(tx)`
    select hidden_at is not null as hidden, waits, sealed_from is not null as sealed from photos where id = ${id} and deleted_at is null
    for no key update`

type Moderated = { id: number } & May<'moderate'>

const hiddenSince = (hidden: boolean) => (hidden ? sql`now()` : sql`null`)

/** A photo shown before the reveal is sealed until then. Returns whether it is hidden after all. */
export const setPhotoHidden = async (tx: Transaction, { id }: Moderated, hidden: boolean) => {
  const { rows } = await sql<{ hidden: boolean }>`
    update photos p set (hidden_at, sealed_from, waits, off_wall, updated_at) = (
      select case when ${hidden} or g.sealed_from is not null then coalesce(p.hidden_at, now()) end,
        case when not ${hidden} then g.sealed_from end, false, false, clock_timestamp()
      from galleries g where g.event_id = p.event_id)
    where id = ${id} returning hidden_at is not null as hidden`.execute(tx)
  return rows[0]?.hidden ?? hidden
}

/**
 * Hides a comment or shows it again, and keeps the counts at what everybody sees: a hidden comment hides its replies.
 * False if that changes nothing, undefined if it is deleted. Expects the photo to be locked.
 */
export const setCommentHidden = async (tx: Transaction, { id }: Moderated, hidden: boolean) => {
  const comment = await firstRow<{ photo_id: number; parent_id: number | null; was: boolean; seen: number }>(tx)`
    select c.photo_id, c.parent_id, c.hidden_at is not null as was,
      case when c.parent_id is null then 1 + c.replies_count when above.hidden_at is null then 1 else 0 end as seen
    from comments c left join comments above on above.id = c.parent_id
    where c.id = ${id} and c.deleted_at is null`
  if (!comment || comment.was === hidden) return comment && false
  await sql`
    update comments set hidden_at = ${hiddenSince(hidden)}, updated_at = clock_timestamp() where id = ${id}`.execute(tx)
  const sign = hidden ? -1 : 1
  await run(tx)`
    update photos set comments_count = comments_count + ${sign * comment.seen} where id = ${comment.photo_id}`
  if (comment.parent_id !== null)
    await sql`update comments set replies_count = replies_count + ${sign} where id = ${comment.parent_id}`.execute(tx)
  return true
}
