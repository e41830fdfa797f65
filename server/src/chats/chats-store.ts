import { sql } from 'kysely'
import type { Db, Transaction } from '../platform/database.ts'
import type { Range } from './store.ts'

/* The SQL of chats as their members see them: the list, what is unread, mutes. */

export type ListedChat = {
  id: number
  event_id: number
  name: string
  avatar_media_id: number | null
  status: number
  last_sequence: number
  last_message_id: number | null
  organizer: boolean
  seen_sequence: number
  unread: number
  muted: boolean
}

// Nothing up to the mark counts, nothing from before they joined, and no tombstone.
const readUpTo = sql`greatest(coalesce(s.seen_sequence, 0), g.joined_sequence)`
const unread = sql`greatest(c.last_sequence - ${readUpTo} - (
  select count(*) from messages t
  where t.group_chat_id = c.id and t.deleted_at is not null and t.sequence > ${readUpTo}), 0)`

/** Chats as `c`, each with a member's row of `guests` as `g` and their seen mark, if any, as `s`. */
const chatsOfMembers = sql`
  guests g join group_chats c on c.event_id = g.event_id
  join events e on e.id = g.event_id and e.deleted_at is null
  left join seen_marks s on s.group_chat_id = c.id and s.user_id = g.user_id`
const chatsOf = (viewerId: number) => sql`
  ${chatsOfMembers} where g.user_id = ${viewerId} and g.ended_at is null`

const columns = sql`
  c.id, c.event_id, e.name, e.avatar_media_id, c.status, c.last_sequence, c.last_message_id, g.organizer,
  coalesce(s.seen_sequence, 0) as seen_sequence, ${unread} as unread,
  exists (select from chat_mutes q where q.group_chat_id = c.id and q.user_id = g.user_id) as muted`

/** Last active first; bounded by the events that one person is in. */
export const listChats = async (db: Db, viewerId: number, { offset, limit }: Range) => {
  const { rows } = await sql<ListedChat>`
    select ${columns} from ${chatsOf(viewerId)}
    order by c.last_activity_at desc, c.id desc offset ${offset} limit ${limit}`.execute(db)
  return rows
}

/** One chat of the viewer's, or undefined when they are not in its event. */
export const readChat = async (db: Db, viewerId: number, id: number) => {
  const { rows } = await sql<ListedChat>`select ${columns} from ${chatsOf(viewerId)} and c.id = ${id}`.execute(db)
  return rows[0]
}

export const countUnread = async (db: Db, viewerId: number) => {
  const { rows } = await sql<{ id: number; unread: number }>`
    select * from (select c.id, ${unread} as unread from ${chatsOf(viewerId)}) counted
    where unread > 0 order by id`.execute(db)
  return rows
}

/** Chats as each of these people sees them who is in them. */
export const listChatsAsSeen = async (db: Db, chatIds: readonly number[], userIds: readonly number[]) => {
  const { rows } = await sql<ListedChat & { viewer_id: number }>`
    select g.user_id as viewer_id, ${columns} from ${chatsOfMembers}
    where c.id = any(${chatIds}::bigint[]) and g.user_id = any(${userIds}::bigint[]) and g.ended_at is null`.execute(db)
  return rows
}

/** False when it was said before. */
export const setMuted = async (tx: Transaction, viewerId: number, chatId: number, muted: boolean) => {
  const { numAffectedRows } = await (muted
    ? sql`insert into chat_mutes (group_chat_id, user_id) values (${chatId}, ${viewerId}) on conflict do nothing`
    : sql`delete from chat_mutes where group_chat_id = ${chatId} and user_id = ${viewerId}`
  ).execute(tx)
  return numAffectedRows === 1n
}
