import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../platform/database.ts'
import type { Range } from './store.ts'

/* The SQL of chats as their members see them: the list, what is unread, mutes. */

/** How far a member has read a chat, and whether it rings. */
export type Reading = { seen_sequence: number; unread: number; muted: boolean }

export type ListedChat = {
  id: number
  event_id: number
  name: string
  avatar_media_id: number | null
  status: number
  last_sequence: number
  last_message_id: number | null
  version: number
  seen_version: number
  media_epoch: number
  organizer: boolean
  /** For `extra`. */
  reading?: Reading
}

// Nothing up to the mark counts, nothing from before they joined, and no tombstone.
const readUpTo = sql`greatest(coalesce(s.seen_sequence, 0), c.joined_sequence)`
const unread = sql`greatest(c.last_sequence - ${readUpTo} - (
  select count(*) from messages t
  where t.group_chat_id = c.id and t.deleted_at is not null and t.sequence > ${readUpTo}), 0)`

/** The viewer's chats. Where a page of them is asked for, `rest` cuts it out before anything more is looked up. */
const chatsOf = (viewerId: number, rest: RawBuilder<unknown>) => sql`
  select c.id, c.event_id, e.name, e.avatar_media_id, c.status, c.last_sequence, c.last_message_id, c.last_activity_at,
    c.version, c.seen_version, e.media_epoch, g.organizer, g.joined_sequence
  from guests g join group_chats c on c.event_id = g.event_id
  join events e on e.id = g.event_id and e.deleted_at is null
  where g.user_id = ${viewerId} and g.ended_at is null ${rest}`

const marksOn = (viewerId: number) => sql`
  left join seen_marks s on s.group_chat_id = c.id and s.user_id = ${viewerId}`

const withReading = (viewerId: number, chats: RawBuilder<unknown>) => sql<ListedChat & { reading: Reading }>`
  select c.*, json_build_object('seen_sequence', coalesce(s.seen_sequence, 0), 'unread', ${unread},
    'muted', exists (select from chat_mutes q where q.group_chat_id = c.id and q.user_id = ${viewerId})) as reading
  from (${chats}) c ${marksOn(viewerId)}`

const newestFirst = sql`c.last_activity_at desc, c.id desc`

/** Last active first; bounded by the events that one person is in. */
export const listChats = async (db: Db, viewerId: number, { offset, limit }: Range): Promise<ListedChat[]> => {
  const page = sql`order by ${newestFirst} offset ${offset} limit ${limit}`
  return (await sql<ListedChat>`${chatsOf(viewerId, page)}`.execute(db)).rows
}

/** The same with what `extra` says of each. */
export const listChatsWithReading = async (
  db: Db,
  viewerId: number,
  { offset, limit }: Range,
): Promise<ListedChat[]> => {
  const page = chatsOf(viewerId, sql`order by ${newestFirst} offset ${offset} limit ${limit}`)
  return (await sql<ListedChat>`${withReading(viewerId, page)} order by ${newestFirst}`.execute(db)).rows
}

/** One chat of the viewer's, or undefined when they are not in its event. */
export const readChat = async (db: Db, viewerId: number, id: number) => {
  const { rows } = await withReading(viewerId, chatsOf(viewerId, sql`and c.id = ${id}`)).execute(db)
  return rows[0]
}

export const countUnread = async (db: Db, viewerId: number) => {
  const { rows } = await sql<{ id: number; unread: number }>`
    select * from (select c.id, ${unread} as unread from (${chatsOf(viewerId, sql``)}) c ${marksOn(viewerId)}) counted
    where unread > 0 order by id`.execute(db)
  return rows
}

/** Says again what was said before without a word. */
export const setMuted = async (db: Db, viewerId: number, chatId: number, muted: boolean) => {
  await (muted
    ? sql`insert into chat_mutes (group_chat_id, user_id) values (${chatId}, ${viewerId}) on conflict do nothing`
    : sql`delete from chat_mutes where group_chat_id = ${chatId} and user_id = ${viewerId}`
  ).execute(db)
}
