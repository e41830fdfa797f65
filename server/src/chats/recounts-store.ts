import { type RawBuilder, sql } from 'kysely'

export const chatRecounts: Record<string, RawBuilder<unknown>> = {
  'the messages of a chat are not 1, 2, 3 …': sql`
    select c.id from group_chats c where c.last_sequence <> (select count(*) from messages m where m.group_chat_id = c.id)`,
  'the attachments of a message are not its count': sql`
    select m.id from messages m where m.deleted_at is null
      and m.attachments_count <> (select count(*) from attachments a where a.message_id = m.id and a.deleted_at is null)`,
}
