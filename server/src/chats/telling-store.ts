import { seensShownMax } from '@afterglow/contract/limits'
import { sql } from 'kysely'
import { type Person, personColumns } from '../accounts/persons.ts'
import type { Db } from '../platform/database.ts'
import type { SeenMark } from './marks-store.ts'
import { type ChatRow, chatColumns, itsEvent, type MessageRow, messages } from './store.ts'

/** Stands with the first message of each chat, for all of them: marks as furthestMarks reads them, and whoever is named. */
type OfChat = { chat: ChatRow | null; marks: SeenMark[]; persons: Person[] }

/**
 * Messages, and in the same statement their chats, as this viewer stands in them, their marks and people: four statements
 * one after the other were a third of what a send to a room of 500 waited for besides its writes.
 */
export const readMessages = async (db: Db, ids: readonly number[], viewerId: number | null) => {
  const { rows } = await sql<MessageRow & { of_chat: OfChat | null }>`
    with told as materialized (${messages(sql``, sql`messages m`, sql`where m.id = any(${ids}::bigint[])`)}),
    firsts as (
      select distinct on (group_chat_id) id, group_chat_id, sequence from told order by group_chat_id, sequence
    )
    select told.*, case when first.id is not null then json_build_object(
      'chat', (select to_json(chat) from (
        select ${chatColumns(sql`${viewerId}::bigint`)} from group_chats c ${itsEvent} where c.id = first.group_chat_id) chat),
      'marks', coalesce(reached.marks, '[]'),
      'persons', (select json_agg(person) from (
        select ${sql.join(personColumns.map(column => sql.ref(column)))} from users where users.id = any(reached.by || array(
          select unnest(array[t.user_id, t.parent_user_id]) from told t where t.group_chat_id = first.group_chat_id))) person)
      ) end as of_chat
    from told left join firsts first on first.id = told.id
    left join lateral (
      select json_agg(mark) as marks, array_agg(mark.user_id) as by from (
        select s.user_id, s.seen_sequence from seen_marks s
        where s.group_chat_id = first.group_chat_id and s.seen_sequence >= first.sequence
        order by s.seen_sequence desc, s.user_id limit ${sql.lit(seensShownMax + 1)}
      ) mark
    ) reached on true`.execute(db)
  const ofChats = rows.flatMap(row => row.of_chat ?? [])
  return {
    rows,
    chats: new Map(ofChats.flatMap(({ chat }) => (chat ? [[chat.id, chat] as const] : []))),
    marks: new Map(rows.flatMap(row => (row.of_chat ? [[row.group_chat_id, row.of_chat.marks] as const] : []))),
    persons: new Map(ofChats.flatMap(({ persons }) => persons.map(person => [person.id, person] as const))),
  }
}
