import { sql } from 'kysely'
import type { Db } from '../platform/database/database.ts'
import { allRows } from '../platform/database/rows.ts'
import type { ExportPart } from '../platform/export/export-part.ts'
import { chatsOf, rangesOf } from './account-deletion.ts'

async function* messagesOf(db: Db, userId: number) {
  for (const chat of await chatsOf(db, userId))
    for (const [first, last] of rangesOf(chat)) {
      const { rows } = await sql<object>`
        select m.id, m.group_chat_id, ${chat.event_id}::bigint as event_id, m.content, m.reply_to_id, m.created_at,
          m.edited_at, (select coalesce(json_agg(a.media_id order by a.id), '[]') from attachments a
            where a.message_id = m.id and a.deleted_at is null) as attached_media
        from messages m
        where m.group_chat_id = ${chat.id} and m.sequence between ${first} and ${last} and m.user_id = ${userId}
          and m.deleted_at is null order by m.sequence`.execute(db)
      yield* rows
    }
}

/** A person's messages, reactions, mutes and seen marks. */
export const chatExport: ExportPart[] = [
  { name: 'messages', tables: ['messages', 'attachments'], rows: messagesOf },
  {
    name: 'message-reactions',
    tables: ['message_reactions'],
    rows: (db, userId) => allRows<object>(db)`
        select message_id, emoji, created_at from message_reactions where user_id = ${userId} order by id`,
  },
  {
    name: 'chats-read',
    tables: ['seen_marks', 'chat_mutes'],
    rows: (db, userId) => allRows<object>(db)`
        select group_chat_id, s.seen_sequence, s.seen_at, m.created_at as muted_at
        from (select * from seen_marks where user_id = ${userId}) s
          full join (select * from chat_mutes where user_id = ${userId}) m using (group_chat_id)
        order by group_chat_id`,
  },
]
