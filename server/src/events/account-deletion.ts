import { can } from '@afterglow/contract/capabilities'
import { sql } from 'kysely'
import { makeErasureDue } from '../accounts/account-deletion.ts'
import { type Database, type Db, transact } from '../platform/database/database.ts'
import { allValues, firstValue, run } from '../platform/database/rows.ts'
import { actingFor } from '../platform/http/viewer.ts'
import { removeForGood } from '../platform/media/records.ts'
import { removeEvent } from './deletion/deletion.ts'
import { addedInNoEvent, findGuest } from './members/members-store.ts'
import { leaveEvent } from './members/membership.ts'
import { passTo } from './members/ownership.ts'
import { roleMay } from './standing-sql.ts'

/**
 * Removes a user from every event. Their own events pass to the organizer of longest standing or, if there is no other,
 * to the guest of longest standing; an event with nobody else in it is deleted. Safe to repeat.
 */
export const leaveEveryEvent = async (db: Database, userId: number): Promise<void> => {
  const viewer = actingFor(userId)
  for (const eventId of await eventsOf(db, userId)) {
    await transact(db, async tx => {
      await sql`select from events where id = ${eventId} for no key update`.execute(tx)
      const guest = await findGuest(tx, eventId, userId)
      if (guest && can(guest.role, 'own')) {
        const heir = await heirTo(tx, userId, eventId)
        if (heir === undefined) return removeEvent(tx, viewer, eventId)
        await passTo(tx, viewer, eventId, heir)
      }
      return leaveEvent(tx, viewer, eventId)
    })
  }
}

const eventsOf = (db: Db, userId: number) => allValues<number>(db)`
    select m.event_id from seats m join events e on e.id = m.event_id and e.deleted_at is null
    where m.user_id = ${userId} and ${roleMay(sql`m.role`, 'upload')} order by m.event_id`

/** Persons without a device go with the event they were added to, or once nobody brings them back any more. */
export const eraseAddedPersons = async (db: Database) => {
  for (const id of await addedInNoEvent(db)) await makeErasureDue(db, id, { erasesContent: true })
}

/** The next owner of an event when this user leaves. Suspended and departing users are the last choice. */
const heirTo = (db: Db, userId: number, eventId: number) => firstValue<number>(db)`
    select m.user_id from members m join users u on u.id = m.user_id
    where m.event_id = ${eventId} and m.user_id <> ${userId} and u.added_to is null
    order by ${roleMay(sql`m.role`, 'manage')} desc, u.status in (3, 4), u.status = 5, m.joined_at, m.user_id limit 1`

/** Withdraws their announcements. */
export const withdrawAnnouncements = (db: Db, userId: number) =>
  run(db)`
    update announcements set withdrawn_at = now(), text = '', photo_ids = '{}' where user_id = ${userId} and withdrawn_at is null`

/** Removes requests and invitations from and to them, and the text of events of theirs that nobody can bring back. */
export const eraseTraces = (db: Db, userId: number): Promise<void> =>
  transact(db, async tx => {
    await sql`delete from join_requests where user_id = ${userId}`.execute(tx)
    await sql`delete from invitations where user_id = ${userId}`.execute(tx)
    await sql`delete from announcement_reads where user_id = ${userId}`.execute(tx)
    await sql`delete from marks_away where user_id = ${userId}`.execute(tx)
    await run(tx)`update audit_entries set reason = null where reason is not null and ${userId} in (user_id, actor_id)`
    const { rows } = await sql<{ avatar_media_id: number | null }>`
      update events set name = 'Deleted event', description = null, location = null, timezone = 'UTC', avatar_media_id = null
      from events before where before.id = events.id and events.deleted_at is not null
        and exists (select from members m where m.event_id = events.id and m.user_id = ${userId} and ${roleMay(sql`m.role`, 'own')})
      returning before.avatar_media_id`.execute(tx)
    await removeForGood(
      tx,
      rows.map(row => row.avatar_media_id).filter(id => id !== null),
    )
  })
