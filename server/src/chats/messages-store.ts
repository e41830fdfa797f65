import { seensShownMax } from '@afterglow/contract/limits'
import { type RawBuilder, sql } from 'kysely'
import type { Person } from '../accounts/persons.ts'
import { personColumns } from '../accounts/persons-sql.ts'
import { type Db, idList } from '../platform/database/database.ts'
import { type SeenMark, shownMark } from './seen-marks-store.ts'
import { type AttachmentRow, attachments, type ChatRow, chatColumns, itsEvent } from './store.ts'

export type Reaction = { id: number; emoji: string; count: number; created_at: string; updated_at: string }

type Quoted = { id: number; user_id: number; content: string; created_at: Date; updated_at: Date }

export type MessageRow = {
  id: number
  group_chat_id: number
  sequence: number
  user_id: number
  content: string
  reactions: Reaction[] | null
  created_at: Date
  updated_at: Date
  edited_at: Date | null
  deleted_at: Date | null
  hidden_at: Date | null
  parent: Quoted | null
  attachments: readonly AttachmentRow[]
  /** The viewer's emoji, in the order they were added. */
  my_reactions: readonly string[]
}

/** Messages with what stands beside them. Every person that a row or a mark names is in `persons`. */
export type Messages = {
  /** Newest first. */
  rows: readonly MessageRow[]
  /** As the viewer stands in them; not of events that are deleted. */
  chats: ReadonlyMap<number, ChatRow>
  /** Those that reach a chat's oldest message of these, as furthestMarks reads them. */
  marks: ReadonlyMap<number, readonly SeenMark[]>
  persons: ReadonlyMap<number, Person>
}

type JsonTimes<Row> = { [Name in keyof Row]: Row[Name] extends Date ? string : Row[Name] }
/** Stands with the first message of each chat, for all of them. */
type OfChat = { chat: ChatRow | null; marks: SeenMark[]; persons: Person[] }
type Read = Omit<MessageRow, 'parent' | 'attachments' | 'my_reactions'> & {
  parent: JsonTimes<Quoted> | null
  attachments: JsonTimes<AttachmentRow>[] | null
  my_reactions: string[] | null
  of_chat: OfChat | null
}

const timed = <Row extends { created_at: string; updated_at: string }>(row: Row) => ({
  ...row,
  created_at: new Date(row.created_at),
  updated_at: new Date(row.updated_at),
})

const rowOf = ({ of_chat: _, parent, attachments, my_reactions, ...row }: Read): MessageRow => ({
  ...row,
  parent: parent && timed(parent),
  attachments: (attachments ?? []).map(timed),
  my_reactions: my_reactions ?? [],
})

/** The messages of spans of sequences: as dear in the depth of a chat as at its end. */
export type Span = { chatId: number; from: number; to: number }

export const inSpans = (spans: readonly Span[]) => sql`
  unnest(
    ${idList(spans.map(({ chatId }) => chatId))}, ${idList(spans.map(({ from }) => from))},
    ${idList(spans.map(({ to }) => to))}
  ) as span (chat_id, low, high)
  join messages m on m.group_chat_id = span.chat_id and m.sequence between span.low and span.high`

export const withIds = (ids: readonly number[]) => sql`
  unnest(${idList([...new Set(ids)])}) as asked (id) join messages m on m.id = asked.id`

// A null would make plans for it alone look better than the one that serves for all.
const nobody = 0

const messagesIn = (from: RawBuilder<unknown>, viewerId: number) => sql`
  select m.id, m.group_chat_id, m.sequence, m.user_id, m.content, m.reactions,
    m.created_at, m.updated_at, m.edited_at, m.deleted_at, m.hidden_at,
    case when p.id is not null then json_build_object(
      'id', p.id, 'user_id', p.user_id, 'content', case when p.hidden_at is null then p.content else '' end,
      'created_at', p.created_at, 'updated_at', p.updated_at) end as parent,
    case when m.attachments_count > 0 then (
      select json_agg(hung) from (
        ${attachments(sql`where a.message_id = m.id and a.deleted_at is null order by a.id`)}) hung) end as attachments,
    case when m.reactions is not null then array(
      select r.emoji from message_reactions r
      where r.message_id = m.id and r.user_id = ${viewerId}::bigint order by r.id) end as my_reactions
  from ${from} left join messages p on p.id = m.reply_to_id`

/** The rows of each span alone. */
export const readSpans = async (db: Db, spans: readonly Span[]): Promise<MessageRow[][]> => {
  const { rows } = await sql<Read>`${messagesIn(inSpans(spans), nobody)}`.execute(db)
  const all = rows.map(rowOf)
  return spans.map(({ chatId, from, to }) =>
    all.filter(row => row.group_chat_id === chatId && row.sequence >= from && row.sequence <= to),
  )
}

/**
 * Messages, their chats, who has seen them and all people named, in one statement: four of them one after the other were
 * a third of what a send to a room of 500 waited for besides its writes.
 */
export const readMessages = async (db: Db, from: RawBuilder<unknown>, viewerId = nobody): Promise<Messages> => {
  const { rows } = await sql<Read>`
    with told as materialized (${messagesIn(from, viewerId)}),
    firsts as (
      select distinct on (group_chat_id) id, group_chat_id, sequence from told order by group_chat_id, sequence
    )
    select told.*, case when first.id is not null then json_build_object(
      'chat', (select to_json(chat) from (
        select ${chatColumns(sql`${viewerId}::bigint`)} from group_chats c ${itsEvent}
        where c.id = first.group_chat_id) chat),
      'marks', coalesce(reached.marks, '[]'),
      'persons', (select json_agg(person) from (
        select ${sql.join(personColumns.map(column => sql.ref(column)))} from users where users.id = any(reached.by || array(
          select unnest(array[t.user_id, (t.parent ->> 'user_id')::bigint]) from told t where t.group_chat_id = first.group_chat_id))) person)
      ) end as of_chat
    from told left join firsts first on first.id = told.id
    left join lateral (
      select json_agg(mark) as marks, array_agg(mark.user_id) as by from (
        select s.user_id, s.seen_sequence from seen_marks s
        where s.group_chat_id = first.group_chat_id and s.seen_sequence >= first.sequence and ${shownMark(sql`s`)}
        order by s.seen_sequence desc, s.user_id limit ${sql.lit(seensShownMax + 1)}
      ) mark
    ) reached on true
    order by told.id desc`.execute(db)
  const ofChats = rows.flatMap(({ of_chat, group_chat_id: id }) => (of_chat ? [{ id, ...of_chat }] : []))
  return {
    rows: rows.map(rowOf),
    chats: new Map(ofChats.flatMap(({ chat }) => (chat ? [[chat.id, chat] as const] : []))),
    marks: new Map(ofChats.map(({ id, marks }) => [id, marks])),
    persons: new Map(ofChats.flatMap(({ persons }) => persons.map(person => [person.id, person] as const))),
  }
}

/** The viewer's emoji on each of these messages, in the order they were added. */
export const reactionsOf = async (db: Db, viewerId: number, messageIds: readonly number[]) => {
  if (messageIds.length === 0) return new Map<number, string[]>()
  const { rows } = await sql<{ message_id: number; emojis: string[] }>`
    select message_id, array_agg(emoji order by id) as emojis from message_reactions
    where user_id = ${viewerId} and message_id = any(${messageIds}::bigint[]) group by message_id`.execute(db)
  return new Map(rows.map(row => [row.message_id, row.emojis]))
}

/** Everybody's emoji on each of these messages, in the order they were added. */
export const reactionsOfAll = async (db: Db, messageIds: readonly number[]) => {
  if (messageIds.length === 0) return new Map<number, Map<number, string[]>>()
  const { rows } = await sql<{ message_id: number; user_id: number; emojis: string[] }>`
    select message_id, user_id, array_agg(emoji order by id) as emojis from message_reactions
    where message_id = any(${messageIds}::bigint[]) group by message_id, user_id`.execute(db)
  const ofMessage = Map.groupBy(rows, row => row.message_id)
  return new Map([...ofMessage].map(([id, all]) => [id, new Map(all.map(row => [row.user_id, row.emojis]))]))
}
