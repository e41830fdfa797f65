import { groupChatStatus } from '@afterglow/contract/chats'
import { type RawBuilder, sql } from 'kysely'
import type { Db, Transaction } from '../platform/database.ts'
import { rowsToFetch } from '../platform/sequence-pages.ts'
import type { Range } from './store.ts'

/* The SQL of chats as their members see them: the list, what is unread, mutes. */

/** How far a member has read a chat, whether it rings, and what they are in it. */
export type Reading = { seen_sequence: number; unread: number; muted: boolean; organizer: boolean }

export type ListedChat = {
  id: number
  event_id: number
  version: number
  seen_version: number
  media_epoch: number
  name: string
  avatar_media_id: number | null
  status: number
  last_sequence: number
  last_message_id: number | null
}

// Nothing up to the mark counts, nothing from before they joined, no tombstone and nothing hidden.
const readUpTo = sql`greatest(coalesce(s.seen_sequence, 0), c.joined_sequence)`
const unread = sql`greatest(c.last_sequence - ${readUpTo} - (
  select count(*) from messages t
  where t.group_chat_id = c.id and (t.deleted_at is not null or t.hidden_at is not null) and t.sequence > ${readUpTo}), 0) as unread`

const columns = sql`
  c.id, c.event_id, c.version, c.seen_version, e.media_epoch, e.name, e.avatar_media_id, c.status, c.last_sequence,
  c.last_message_id`
const memberColumns = sql`g.organizer, g.joined_sequence`
const chatsAndMembers = sql`
  from guests g join group_chats c on c.event_id = g.event_id
  join events e on e.id = g.event_id and e.deleted_at is null`

const chatsOf = (viewerId: number, rest: RawBuilder<unknown>) => sql`
  select ${columns}, ${memberColumns} ${chatsAndMembers}
  where g.user_id = ${viewerId} and g.ended_at is null ${rest}`

/** A viewer's id, or the column that has it. */
type ViewerId = number | RawBuilder<unknown>

const marksOn = (viewerId: ViewerId) => sql`
  left join seen_marks s on s.group_chat_id = c.id and s.user_id = ${viewerId}`

const withReading = (viewerId: ViewerId, chats: RawBuilder<unknown>) => sql<ListedChat & Reading>`
  select c.*, coalesce(s.seen_sequence, 0) as seen_sequence, ${unread},
    exists (select from chat_mutes q where q.group_chat_id = c.id and q.user_id = ${viewerId}) as muted
  from (${chats}) c ${marksOn(viewerId)}`

const newestFirst = sql`c.last_activity_at desc, c.id desc`

/** Cut out before anything more is looked up, as the chat of a deleted event is closed. Bounded by the events that one person is in. */
const pageOf = (viewerId: number, { offset, limit }: Range, more: RawBuilder<unknown>) => sql`
  select ${columns} ${more} from (
    select c.*, ${memberColumns} from guests g join group_chats c on c.event_id = g.event_id
    where g.user_id = ${viewerId} and g.ended_at is null and c.status <> ${sql.lit(groupChatStatus.closed)}
    order by ${newestFirst} offset ${offset} limit ${rowsToFetch(limit)}
  ) c join events e on e.id = c.event_id and e.deleted_at is null`

/** Last active first. */
export const listChats = async (db: Db, viewerId: number, range: Range) => {
  const { rows } = await sql<ListedChat>`
    ${pageOf(viewerId, range, sql``)} order by ${newestFirst}`.execute(db)
  return rows.slice(0, range.limit)
}

/** The same with what `extra` says of each. */
export const listChatsWithReading = async (db: Db, viewerId: number, range: Range) => {
  const page = pageOf(viewerId, range, sql`, c.last_activity_at, c.organizer, c.joined_sequence`)
  const { rows } = await sql<ListedChat & Reading>`${withReading(viewerId, page)} order by ${newestFirst}`.execute(db)
  return rows.slice(0, range.limit)
}

/** One chat of the viewer's, or undefined when they are not in its event. */
export const readChat = async (db: Db, viewerId: number, id: number) => {
  const { rows } = await withReading(viewerId, chatsOf(viewerId, sql`and c.id = ${id}`)).execute(db)
  return rows[0]
}

export const countUnread = async (db: Db, viewerId: number) => {
  const { rows } = await sql<{ id: number; unread: number }>`
    select * from (select c.id, ${unread} from (${chatsOf(viewerId, sql``)}) c ${marksOn(viewerId)}) counted
    where unread > 0 order by id`.execute(db)
  return rows
}

/** Chats as each of these people sees them who is in them. */
export const listChatsAsSeen = async (db: Db, chatIds: readonly number[], userIds: readonly number[]) => {
  const theirs = sql`
    select g.user_id as viewer_id, ${columns}, ${memberColumns} ${chatsAndMembers}
    where c.id = any(${chatIds}::bigint[]) and g.user_id = any(${userIds}::bigint[]) and g.ended_at is null`
  return (
    await withReading(sql`c.viewer_id`, theirs).$castTo<ListedChat & Reading & { viewer_id: number }>().execute(db)
  ).rows
}

/** False when it was said before. */
export const setMuted = async (tx: Transaction, viewerId: number, chatId: number, muted: boolean) => {
  const { numAffectedRows } = await (muted
    ? sql`insert into chat_mutes (group_chat_id, user_id) values (${chatId}, ${viewerId}) on conflict do nothing`
    : sql`delete from chat_mutes where group_chat_id = ${chatId} and user_id = ${viewerId}`
  ).execute(tx)
  return numAffectedRows === 1n
}
