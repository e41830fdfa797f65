import { seensShownMax } from '@afterglow/contract/limits'
import { type RawBuilder, sql } from 'kysely'
import type { Person } from '../../accounts/persons.ts'
import { personColumns } from '../../accounts/persons-sql.ts'
import { roleMay } from '../../events/standing-sql.ts'
import { type Db, idList } from '../../platform/database/database.ts'
import { columnsOf, type RowJson } from '../../platform/database/row-json.ts'
import type { CardViews } from '../cards.ts'
import { type SeenMark, shownMark } from '../seen-marks-store.ts'
import { type AttachmentRow, attachments, type ChatRow, chatColumns, itsEvent } from '../store.ts'

/**
 * The columns of a message, wherever it is shown: on a page, alone, as a quote, on the channel, and in the reply to its
 * sender. `presentWithoutSeens` decides what the wire shows of them, and under which names.
 */
const messageColumns = [
  'id',
  'group_chat_id',
  'sequence',
  'user_id',
  'content',
  'reactions',
  'created_at',
  'updated_at',
  'edited_at',
  'deleted_at',
  'hidden_at',
  'card',
] as const
export const messageColumnsOf = (row: string) => columnsOf(row, messageColumns)
export const messageJson = (row: string) => sql`(select to_json(said) from (select ${messageColumnsOf(row)}) said)`

export type Reaction = { id: number; emoji: string; count: number; created_at: string; updated_at: string }
export type MessageJson = Omit<RowJson<'messages', (typeof messageColumns)[number]>, 'reactions'> & {
  reactions: readonly Reaction[] | null
}
export type MessageRow = MessageJson & {
  parent: MessageJson | null
  attachments: readonly AttachmentRow[]
  /** The viewer's emoji, in the order they were added. */
  own_emojis: readonly string[]
  /** Its cards, as the viewer sees them. */
  hung?: CardViews | undefined
}

/** The viewer's emoji on a message `m`, in the order they were added. */
const ownEmojis = (viewerId: RawBuilder<unknown>) => sql`
  case when m.reactions is null then '[]' else coalesce((
    select json_agg(r.emoji order by r.id) from message_reactions r
    where r.message_id = m.id and r.user_id = ${viewerId}), '[]') end as own_emojis`
const attached = sql`
  case when m.attachments_count = 0 then '[]' else coalesce((
    select json_agg(attachment) from (
      ${attachments(sql`where a.message_id = m.id and a.deleted_at is null order by a.id`)}) attachment), '[]') end as attachments`

/** Messages `m`, each with the message it replies to, and all people they name. */
const told = (viewerId: RawBuilder<unknown>) => sql`
  json_agg((
    select to_json(message) from (
      select ${messageColumnsOf('m')}, case when p.id is not null then ${messageJson('p')} end as parent, ${attached}, ${ownEmojis(viewerId)}
    ) message))::text as messages,
  array_agg(m.user_id) || array_agg(p.user_id) as named`
const parents = sql`left join messages p on p.id = m.reply_to_id`

/**
 * For each group of messages of one chat, the furthest marks that reach the oldest one, and everybody named: one row
 * contains all of them. It is one mark more than a message shows, because its author is left out; the furthest first.
 */
const withPeople = (groups: RawBuilder<unknown>) => sql<Group>`
  with told as materialized (${groups})
  select told.n, told.chat, told.anchor, told.messages, reached.marks, (
    select json_agg(person)::text from (
      select ${sql.join(personColumns.map(column => sql.ref(column)))} from users
      where users.id = any(reached.by || told.named)) person) as persons
  from told left join lateral (
    select json_agg(mark)::text as marks, array_agg(mark.user_id) as by from (
      select s.user_id, s.seen_sequence from seen_marks s
      where s.group_chat_id = told.chat_id and s.seen_sequence >= told.low and ${shownMark(sql`s`)}
      order by s.seen_sequence desc, s.user_id limit ${sql.lit(seensShownMax + 1)}
    ) mark
  ) reached on true`

/** A group as JSON. The chat is null if its event is deleted. */
type Group = {
  n: number
  chat: ChatRow | null
  anchor: number | null
  messages: string | null
  marks: string | null
  persons: string | null
}
const listIn = <Item>(json: string | null): Item[] => (json === null ? [] : JSON.parse(json))
const parseGroup = ({ messages, marks, persons }: Group) => ({
  rows: listIn<MessageRow>(messages),
  marks: listIn<SeenMark>(marks),
  persons: listIn<Person>(persons),
})

const chatJson = (viewerId: RawBuilder<unknown>) => sql`(
  select to_json(chat) from (select ${chatColumns(viewerId)}) chat) as chat`

/** Requests this many messages of a chat, from the newest or from this many before the anchor. */
export type PageAsked = {
  chatId: number
  viewerId: number
  anchorId: number | undefined
  back: number
  length: number
}
export type MessagePage = {
  chat: ChatRow
  /** The anchor's sequence; null if it is not in the chat. */
  anchor: number | null
  /** Newest first; empty for a viewer who is not in the event. */
  rows: readonly MessageRow[]
  marks: readonly SeenMark[]
  persons: readonly Person[]
}

/**
 * Pages of chats with everything around them, in one statement; undefined for a chat that does not exist. A chat's
 * messages are numbered without gaps, so a page deep in it costs as much as its newest.
 */
export const readPages = async (db: Db, all: readonly PageAsked[]): Promise<((() => MessagePage) | undefined)[]> => {
  const viewer = sql.ref('asked.viewer_id')
  const { rows } = await withPeople(sql`
    select asked.n, c.id as chat_id, ${chatJson(viewer)}, a.sequence as anchor, place.low, found.messages, found.named
    from unnest(
      ${idList(all.map(({ chatId }) => chatId))}, ${idList(all.map(({ viewerId }) => viewerId))},
      ${idList(all.map(({ anchorId }) => anchorId ?? null))}, ${idList(all.map(({ back }) => back))},
      ${idList(all.map(({ length }) => length))}
    ) with ordinality as asked (chat_id, viewer_id, anchor_id, back, length, n)
    join group_chats c on c.id = asked.chat_id ${itsEvent}
    left join messages a on a.id = asked.anchor_id and a.group_chat_id = c.id
    cross join lateral (
      select high, greatest(high - asked.length + 1, 1) as low
      from (select coalesce(a.sequence, c.last_sequence) - asked.back as high) newest) place
    cross join lateral (
      select ${told(viewer)} from messages m ${parents}
      where m.group_chat_id = c.id and m.sequence between place.low and place.high and exists (
        select from seats g where g.event_id = c.event_id and g.user_id = ${viewer} and ${roleMay(sql`g.role`, 'readChat')})) found`).execute(
    db,
  )
  const found = all.map((): (() => MessagePage) | undefined => undefined)
  for (const row of rows) {
    const { chat, anchor } = row as Group & { chat: ChatRow }
    // The caller parses, writes and forgets one page before the next: parsed together, each garbage collection would
    // copy all of them.
    found[row.n - 1] = () => {
      const { rows, ...around } = parseGroup(row)
      return { chat, anchor, rows: rows.sort((one, other) => other.sequence - one.sequence), ...around }
    }
  }
  return found
}

// A null would make plans for it alone look better than the plan that serves all.
const nobody = 0

/** Messages with all context. `persons` has every person that a row or a mark names. */
export type Messages = {
  rows: readonly MessageRow[]
  /** With the viewer's standing in them; not those of deleted events. */
  chats: ReadonlyMap<number, ChatRow>
  marks: ReadonlyMap<number, readonly SeenMark[]>
  persons: readonly Person[]
}

/** Single messages with their chats, their seen marks and all people they name, in one statement. */
export const readMessages = async (db: Db, ids: readonly number[], viewerId = nobody): Promise<Messages> => {
  const viewer = sql`${viewerId}::bigint`
  const { rows } = await withPeople(sql`
    select found.*, null::bigint as anchor, (
      select to_json(chat) from (
        select ${chatColumns(viewer)} from group_chats c ${itsEvent} where c.id = found.chat_id) chat) as chat
    from (
      select m.group_chat_id as n, m.group_chat_id as chat_id, min(m.sequence) as low, ${told(viewer)}
      from unnest(${idList([...new Set(ids)])}) as asked (id) join messages m on m.id = asked.id ${parents}
      group by m.group_chat_id) found`).execute(db)
  const all = rows.map(row => ({ id: row.n, chat: row.chat, ...parseGroup(row) }))
  return {
    rows: all.flatMap(({ rows }) => rows),
    chats: new Map(all.flatMap(({ id, chat }) => (chat ? [[id, chat] as const] : []))),
    marks: new Map(all.map(({ id, marks }) => [id, marks])),
    persons: all.flatMap(({ persons }) => persons),
  }
}

/** Everybody's emoji on each of these messages, in the order they were added. */
export const reactionsOf = async (db: Db, messageIds: readonly number[]) => {
  if (messageIds.length === 0) return new Map<number, Map<number, string[]>>()
  const { rows } = await sql<{ message_id: number; user_id: number; emojis: string[] }>`
    select message_id, user_id, array_agg(emoji order by id) as emojis from message_reactions
    where message_id = any(${messageIds}::bigint[]) group by message_id, user_id`.execute(db)
  const ofMessage = Map.groupBy(rows, row => row.message_id)
  return new Map([...ofMessage].map(([id, all]) => [id, new Map(all.map(row => [row.user_id, row.emojis]))]))
}
