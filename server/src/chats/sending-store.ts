import { sql } from 'kysely'
import type { Person } from '../accounts/persons.ts'
import { announced, tellListeners } from '../notifications/announcing.ts'
import type { Database } from '../platform/database.ts'

export type Outgoing = { chatId: number; userId: number; content: string; replyId: number | undefined }
export type Sent = { id: number; sequence: number; createdAt: Date; author: Person; organizer: boolean }

type SentRow = {
  n: number
  id: number
  sequence: number
  created_at: Date
  user_id: number
  organizer: boolean
} & Omit<Person, 'id'>

/**
 * Sends and announces many messages in one statement and one commit, each only if everything is in order: its author is in the event,
 * the chat is open, what it replies to stands. For the others it writes nothing and gives undefined.
 *
 * Who is in the event and then the chats are locked, always in that order and each by id; a row that changed meanwhile
 * is judged by its newest version, so a removal that commits first wins. The locked chat gives the sequences.
 */
export const sendMessages = async (db: Database, all: readonly Outgoing[]): Promise<(Sent | undefined)[]> => {
  const { rows } = await sql<SentRow>`
    with asked as materialized (
      select * from unnest(
        ${all.map(one => one.chatId)}::bigint[], ${all.map(one => one.userId)}::bigint[],
        ${all.map(one => one.content)}::text[], ${all.map(one => one.replyId ?? null)}::bigint[]
      ) with ordinality as asked (chat_id, user_id, content, reply_id, n)
    ), members as materialized (
      select c.id as chat_id, c.event_id, g.user_id, g.organizer
      from (select distinct chat_id, user_id from asked) a
      join group_chats c on c.id = a.chat_id
      join guests g on g.event_id = c.event_id and g.user_id = a.user_id
      where g.ended_at is null order by g.event_id, g.user_id for share of g
    ), chats as materialized (
      select c.id, c.last_sequence, greatest(clock_timestamp(), c.last_activity_at) as at
      from group_chats c where c.id in (select chat_id from members) and c.status = 1
      order by c.id for no key update
    ), fit as materialized (
      select a.*, event_id, organizer, c.at, c.last_sequence + row_number() over (partition by a.chat_id order by a.n) as sequence
      from asked a join members using (chat_id, user_id) join chats c on c.id = a.chat_id
      where a.reply_id is null or exists (
        select from messages p where p.id = a.reply_id and p.group_chat_id = a.chat_id and p.deleted_at is null and p.hidden_at is null)
    ), sent as (
      insert into messages (group_chat_id, sequence, user_id, reply_to_id, content, created_at, updated_at)
      select chat_id, sequence, user_id, reply_id, content, at, at from fit order by n
      returning id, group_chat_id, sequence, created_at
    ), seen as (
      insert into seen_marks (group_chat_id, user_id, seen_sequence)
      select chat_id, user_id, max(sequence) from fit group by chat_id, user_id
      on conflict (group_chat_id, user_id) do update set seen_sequence = excluded.seen_sequence, seen_at = now()
    ), moved as (
      update group_chats c
      set last_sequence = newest.sequence, last_message_id = newest.id, last_activity_at = newest.created_at
      from (select distinct on (group_chat_id) * from sent order by group_chat_id, sequence desc) newest
      where c.id = newest.group_chat_id
    ), ${announced(
      sql`
        select 'message.created', 'event', f.event_id, null::bigint, f.user_id, s.id, null::jsonb
        from sent s join fit f on f.chat_id = s.group_chat_id and f.sequence = s.sequence order by f.n`,
      { notify: true },
    )}
    select f.n, f.organizer, s.id, s.sequence, s.created_at,
      u.id as user_id, u.first_name, u.middle_name, u.last_name, u.username, u.visible, u.avatar_media_id
    from sent s join fit f on f.chat_id = s.group_chat_id and f.sequence = s.sequence join users u on u.id = f.user_id
  `.execute(db)
  tellListeners()
  const sent: (Sent | undefined)[] = all.map(() => undefined)
  for (const { n, id, sequence, created_at: createdAt, user_id, organizer, ...person } of rows)
    sent[n - 1] = { id, sequence, createdAt, organizer, author: { ...person, id: user_id } }
  return sent
}
