import { sql } from 'kysely'
import { eraseViewers } from '../../accounts/sessions/link-viewers.ts'
import { type Db, type Transaction, transact } from '../../platform/database/database.ts'
import { allValues, firstRow, oneRow, run } from '../../platform/database/rows.ts'
import { restorable } from '../../platform/media/file-references.ts'
import { removeForGood } from '../../platform/media/records.ts'
import { ownerId } from '../standing-sql.ts'
import { inTime } from './deletion-sql.ts'

/* The SQL of deleted events. */

export const setDeleted = async (tx: Transaction, id: number) => {
  await sql`update group_chats set status = 3 where event_id = ${id}`.execute(tx)
  return oneRow<{ avatar_media_id: number | null }>(tx)`
    update events set deleted_at = now(), media_epoch = media_epoch + 1 where id = ${id}
    returning avatar_media_id`
}

export type DeletedEvent = {
  id: number
  chat_id: number
  avatar_media_id: number | null
  owner_id: number | null
  barred: 'unlisted' | 'deleted' | null
  in_time: boolean
}

/** A deleted event, locked until the transaction ends: it is neither restored twice nor erased meanwhile. */
export const deletedToChange = async (tx: Transaction, id: number) => {
  await sql`select from events where id = ${id} for no key update`.execute(tx)
  return firstRow<DeletedEvent>(tx)`
    select e.id, c.id as chat_id, e.avatar_media_id, e.barred, ${inTime} as in_time,
      ${ownerId} as owner_id
    from events e join group_chats c on c.event_id = e.id where e.id = ${id} and e.deleted_at is not null`
}

export const setRestored = async (tx: Transaction, id: number) => {
  await sql`
    update events set deleted_at = null, barred = null, media_epoch = media_epoch + 1, updated_at = now()
    where id = ${id}`.execute(tx)
  await sql`
    update group_chats c set status = case e.status when 1 then 1 else 2 end from events e
    where c.event_id = e.id and e.id = ${id}`.execute(tx)
}

/** An hour later, so that no restoration that began in time is still under way. */
const due = sql`deleted_at <= now() - ${restorable} - interval '1 hour' and erased_at is null`

export const dueEvents = (db: Db) => allValues<number>(db)`
    select id from events where ${due} order by deleted_at, id limit 100`

export const markErased = (db: Db, id: number) => run(db)`
    update events set erased_at = now() where id = ${id} and ${due}`

/** Erases the event's texts and invitations. Its guest list and the organizers' acts stay, without a name. */
export const eraseEvent = (db: Db, id: number) =>
  transact(db, async tx => {
    const { rows } = await sql<{ avatar_media_id: number | null }>`
    update events e set name = 'Deleted event', description = null, location = null, timezone = 'UTC',
      avatar_media_id = null from events before
    where before.id = e.id and e.id = ${id} returning before.avatar_media_id`.execute(tx)
    await run(
      tx,
    )`update announcements set withdrawn_at = coalesce(withdrawn_at, now()), text = '' where event_id = ${id}`
    await sql`update audit_entries set reason = null where event_id = ${id} and reason is not null`.execute(tx)
    const { rows: viewed } = await sql<{ id: number }>`
      update event_links set viewer_id = null where event_id = ${id} and viewer_id is not null returning id`.execute(tx)
    await eraseViewers(
      tx,
      viewed.map(link => link.id),
    )
    for (const table of ['join_requests', 'invitations', 'event_links'])
      await sql`delete from ${sql.table(table)} where event_id = ${id}`.execute(tx)
    await removeForGood(
      tx,
      rows.map(row => row.avatar_media_id).filter(mediaId => mediaId !== null),
    )
  })
