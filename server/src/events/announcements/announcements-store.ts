import { seensShownMax } from '@afterglow/contract/limits'
import { sql } from 'kysely'
import type { Db, Transaction } from '../../platform/database/database.ts'
import { allRows, firstRow, firstValue, run } from '../../platform/database/rows.ts'
import type { May } from '../standing.ts'
import type { EventRow, Range } from '../store.ts'

export type AnnouncementRow = {
  id: number
  event_id: number
  user_id: number
  text: string
  photo_ids: number[]
  seen: boolean
  /** Its readers without the author, most recent first, and their number. */
  seens: number[]
  seens_count: number
  created_at: Date
  updated_at: Date
}

/** People who hide what they have read do not see what others have read. */
const readBy = (viewerId: number) => sql`r.announcement_id = a.id and r.user_id <> a.user_id
    and not exists (select from users u where u.id in (r.user_id, ${viewerId}) and u.hides_seen)`

const columns = (viewerId: number) => sql`
  a.id, a.event_id, a.user_id, a.text, a.photo_ids::float8[] as photo_ids, a.created_at, a.updated_at,
  a.user_id = ${viewerId} or exists (select from announcement_reads r
    where r.announcement_id = a.id and r.user_id = ${viewerId}) as seen,
  array(select r.user_id::float8 from announcement_reads r where ${readBy(viewerId)}
    order by r.read_at desc, r.user_id limit ${sql.lit(seensShownMax)}) as seens,
  (select count(*) from announcement_reads r where ${readBy(viewerId)}) as seens_count`

/** Newest first. */
export const listAnnouncements = (db: Db, viewerId: number, eventId: number, { offset, limit }: Range) =>
  allRows<AnnouncementRow>(db)`
    select ${columns(viewerId)} from announcements a where a.event_id = ${eventId} and a.withdrawn_at is null
    order by a.id desc offset ${offset} limit ${limit}`

export const findAnnouncement = (db: Db, viewerId: number, id: number) => firstRow<AnnouncementRow>(db)`
    select ${columns(viewerId)} from announcements a where a.id = ${id} and a.withdrawn_at is null`

/** Expects the event's lock. `hurried`: the announcement by the same person within the minute. */
export const announcedLately = async (tx: Transaction, eventId: number, userId: number) => {
  const { rows } = await sql<{
    today: number
    hurried: { id: number; text: string; photo_ids: number[]; message_id: number | null } | null
  }>`
    select count(*) as today, (
        select json_build_object('id', l.id, 'text', l.text, 'photo_ids', l.photo_ids, 'message_id', l.message_id) from announcements l
        where l.event_id = ${eventId} and l.user_id = ${userId} and l.withdrawn_at is null
          and l.created_at > now() - interval '1 minute' order by l.id desc limit 1) as hurried
    from announcements where event_id = ${eventId} and created_at > now() - interval '1 day'`.execute(tx)
  return rows[0] ?? { today: 0, hurried: null }
}

/** `photoIds`: of photos in the event's album. */
export type AnnouncementContent = { text: string; photoIds: readonly number[] }

export const insertAnnouncement = async (
  tx: Transaction,
  { id: eventId }: EventRow & May<'announce'>,
  userId: number,
  { text, photoIds }: AnnouncementContent,
) => {
  const { id } = await tx
    .insertInto('announcements')
    .values({ event_id: eventId, user_id: userId, text, photo_ids: sql`${photoIds}::bigint[]` })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

/** Nobody has read the new version. */
export const updateAnnouncement = async (tx: Transaction, id: number, { text, photoIds }: AnnouncementContent) => {
  await run(tx)`
    update announcements set text = ${text}, photo_ids = ${photoIds}::bigint[], updated_at = now() where id = ${id}`
  await sql`delete from announcement_reads where announcement_id = ${id}`.execute(tx)
}

export const noteRead = (tx: Transaction, id: number, userId: number) =>
  run(tx)`insert into announcement_reads (announcement_id, user_id) values (${id}, ${userId}) on conflict do nothing`

/** The message that it is in the chat. */
export const saveMessage = (tx: Transaction, id: number, messageId: number | null) =>
  run(tx)`update announcements set message_id = ${messageId}::bigint where id = ${id}`

/** Undefined if it was withdrawn before. */
export const markWithdrawn = (tx: Transaction, id: number) => firstRow<{ message_id: number | null }>(tx)`
    update announcements set withdrawn_at = now(), text = '', photo_ids = '{}'
    where id = ${id} and withdrawn_at is null returning message_id`

/** Undefined unless it was withdrawn. */
export const eventOfWithdrawn = (db: Db, id: number) => firstValue<number>(db)`
    select event_id from announcements where id = ${id} and withdrawn_at is not null`
