import type { Role } from '@afterglow/contract/capabilities'
import { groupChatStatus } from '@afterglow/contract/chats'
import { type RawBuilder, sql } from 'kysely'
import type { PersonBeside } from '../accounts/persons.ts'
import { personBeside } from '../accounts/persons-sql.ts'
import { roleMay } from '../events/standing-sql.ts'
import type { Db, Transaction } from '../platform/database/database.ts'
import { allRows } from '../platform/database/rows.ts'
import { rowsToFetch } from '../platform/database/sequence-pages.ts'
import type { Range } from './store.ts'

/** The pinned message of a chat, with its author. */
export type Pinned = PersonBeside & {
  message_id: number
  user_id: number
  content: string
  attachments_count: number
  blocked: boolean
}

/** How far a member has read a chat, whether it rings, and its pinned message. */
export type Reading = {
  seen_sequence: number
  unread: number
  muted: boolean
  /** The author of its latest message is blocked by the viewer, whatever their role in the chat. */
  latest_blocked: boolean
  pinned: Pinned | null
}

export type ListedChat = {
  id: number
  event_id: number
  media_epoch: number
  name: string
  avatar_media_id: number | null
  avatar_ending: string
  theme: string | null
  status: number
  last_sequence: number
  last_message_id: number | null
  pinned_at: Date | null
  read_only_from: Date | null
  hides_seen: boolean
  guests_hidden: boolean
  standing: Role
}

/** A viewer's ID, or the column that contains it. */
type ViewerId = number | RawBuilder<unknown>

/** Checked first: without it, all unread messages are read to look for blocked authors that do not exist. */
const blocksSomebody = (viewerId: ViewerId) => sql`exists (select from blocks b where b.blocker_id = ${viewerId})`

// Messages up to the mark do not count, nor those from before they joined, tombstones, hidden messages, or messages by
// people whom the viewer blocks, unless the viewer moderates.
const readUpTo = sql`greatest(coalesce(s.seen_sequence, 0), c.joined_sequence)`
const unreadOf = (viewerId: ViewerId) => sql`greatest(c.last_sequence - ${readUpTo} - (
  select count(*) from messages t
  where t.group_chat_id = c.id and (t.deleted_at is not null or t.hidden_at is not null) and t.sequence > ${readUpTo}) - (
  select count(*) from messages t
  where ${blocksSomebody(viewerId)} and not ${roleMay(sql`c.standing`, 'moderate')} and t.group_chat_id = c.id and t.sequence > ${readUpTo}
    and t.deleted_at is null and t.hidden_at is null
    and t.user_id = any(array(select b.blocked_id from blocks b where b.blocker_id = ${viewerId}))), 0) as unread`

const columns = sql`
  c.id, c.event_id, e.media_epoch, e.name, e.avatar_media_id, e.avatar_ending, e.theme, c.status, c.last_sequence,
  c.last_message_id, c.pinned_message_id, c.pinned_at, c.read_only_from,
  e.guests_hidden`
const memberColumns = (viewerId: ViewerId) => sql`g.role as standing, g.joined_sequence,
  (select v.hides_seen from users v where v.id = ${viewerId}) as hides_seen`
const chatsAndMembers = sql`
  from members g join group_chats c on c.event_id = g.event_id
  join events e on e.id = g.event_id and e.deleted_at is null`

const chatsOf = (viewerId: number, rest: RawBuilder<unknown>) => sql`
  select ${columns}, ${memberColumns(viewerId)} ${chatsAndMembers}
  where g.user_id = ${viewerId} ${rest}`

const marksOn = (viewerId: ViewerId) => sql`
  left join seen_marks s on s.group_chat_id = c.id and s.user_id = ${viewerId}`

const pinnedFor = (viewerId: ViewerId) => sql`(
    select to_json(pin) from (
      select p.id as message_id, p.user_id, p.content, p.attachments_count, ${personBeside},
        exists (select from blocks b where b.blocker_id = ${viewerId} and b.blocked_id = p.user_id) as blocked
      from messages p join users u on u.id = p.user_id where p.id = c.pinned_message_id) pin) as pinned`

const withReading = (viewerId: ViewerId, chats: RawBuilder<unknown>) => sql<ListedChat & Reading>`
  select c.*, coalesce(s.seen_sequence, 0) as seen_sequence, ${unreadOf(viewerId)},
    exists (select from chat_mutes q where q.group_chat_id = c.id and q.user_id = ${viewerId}) as muted,
    exists (select from messages l join blocks b on b.blocked_id = l.user_id
      where l.id = c.last_message_id and b.blocker_id = ${viewerId}) as latest_blocked,
    ${pinnedFor(viewerId)}
  from (${chats}) c ${marksOn(viewerId)}`

const newestFirst = sql`c.last_activity_at desc, c.id desc`

/**
 * Filtered before anything else is looked up, because the chat of a deleted event is closed. Bounded by the number of
 * events a person is in.
 */
const pageOf = (viewerId: number, { offset, limit }: Range, more: RawBuilder<unknown>) => sql`
  select ${columns} ${more} from (
    select c.*, ${memberColumns(viewerId)} from members g join group_chats c on c.event_id = g.event_id
    where g.user_id = ${viewerId} and c.status <> ${sql.lit(groupChatStatus.closed)}
    order by ${newestFirst} offset ${offset} limit ${rowsToFetch(limit)}
  ) c join events e on e.id = c.event_id and e.deleted_at is null`

/** Most recently active first. */
export const listChats = async (db: Db, viewerId: number, range: Range) => {
  const { rows } = await sql<ListedChat>`
    ${pageOf(viewerId, range, sql`, c.standing, c.hides_seen`)} order by ${newestFirst}`.execute(db)
  return rows.slice(0, range.limit)
}

/** The same with the `extra` of each. */
export const listChatsWithReading = async (db: Db, viewerId: number, range: Range) => {
  const page = pageOf(viewerId, range, sql`, c.last_activity_at, c.standing, c.joined_sequence, c.hides_seen`)
  const { rows } = await sql<ListedChat & Reading>`${withReading(viewerId, page)} order by ${newestFirst}`.execute(db)
  return rows.slice(0, range.limit)
}

/** A chat that the viewer may read, or undefined. */
export const readChat = async (db: Db, viewerId: number, id: number) => {
  const one = sql`
    select ${columns}, ${memberColumns(viewerId)} from seats g join group_chats c on c.event_id = g.event_id
    join events e on e.id = g.event_id and e.deleted_at is null
    where g.user_id = ${viewerId} and ${roleMay(sql`g.role`, 'readChat')} and c.id = ${id}`
  const { rows } = await withReading(viewerId, one).execute(db)
  return rows[0]
}

export const countUnread = (db: Db, viewerId: number) => allRows<{ id: number; unread: number }>(db)`
    select * from (
      select c.id, ${unreadOf(viewerId)} from (${chatsOf(viewerId, sql``)}) c ${marksOn(viewerId)} offset 0
    ) counted where unread > 0 order by id`

/** Chats as seen by each of these people who is in them. */
export const listChatsAsSeen = async (db: Db, chatIds: readonly number[], userIds: readonly number[]) => {
  const theirs = sql`
    select g.user_id as viewer_id, ${columns}, ${memberColumns(sql`g.user_id`)} ${chatsAndMembers}
    where c.id = any(${chatIds}::bigint[]) and g.user_id = any(${userIds}::bigint[])`
  return (
    await withReading(sql`c.viewer_id`, theirs).$castTo<ListedChat & Reading & { viewer_id: number }>().execute(db)
  ).rows
}

/** False if it already was so. */
export const setMuted = async (tx: Transaction, viewerId: number, chatId: number, muted: boolean) => {
  const { numAffectedRows } = await (muted
    ? sql`insert into chat_mutes (group_chat_id, user_id) values (${chatId}, ${viewerId}) on conflict do nothing`
    : sql`delete from chat_mutes where group_chat_id = ${chatId} and user_id = ${viewerId}`
  ).execute(tx)
  return numAffectedRows === 1n
}
