import { randomBytes } from 'node:crypto'
import pg from 'pg'

/*
 * Does what pgbench would: each connection sends one message at a time, with one prepared statement and one commit. It
 * keeps the service's promises and no more: it locks the sender's membership, then the chat, assigns the chat's next
 * sequence under an idempotency key, and updates the author's seen mark and the chat.
 */
const text = `
  with member as materialized (
    select c.id from group_chats c join guests g on g.event_id = c.event_id and g.user_id = $2 and g.ended_at is null
    where c.id = $1 for share of g
  ), chat as materialized (
    select c.id, c.last_sequence + 1 as sequence, greatest(clock_timestamp(), c.last_activity_at) as at
    from group_chats c where c.id in (select id from member) and c.status = 1 for no key update
  ), sent as (
    insert into messages (group_chat_id, sequence, user_id, content, client_key, client_fingerprint, created_at, updated_at)
    select id, sequence, $2, $3, $4, '\\x0102030405060708', at, at from chat returning id, group_chat_id, sequence, created_at
  ), seen as (
    insert into seen_marks (group_chat_id, user_id, seen_sequence) select group_chat_id, $2, sequence from sent
    on conflict (group_chat_id, user_id) do update set seen_sequence = excluded.seen_sequence, seen_at = now()
  ), moved as (
    update group_chats c set last_sequence = sent.sequence, last_message_id = sent.id, last_activity_at = sent.created_at
    from sent where c.id = sent.group_chat_id
  )
  select id, sequence, created_at from sent`

/** Opens this many connections, each of which sends one message at a time. */
export const openSenders = async (connectionString: string, clients: number) => {
  const connections = Array.from({ length: clients }, () => new pg.Client({ connectionString }))
  await Promise.all(connections.map(client => client.connect()))
  return {
    async send(lane: number, { event, userId }: { event: number; userId: number }) {
      const values = [event, userId, 'See you at eight by the lake, bring a jacket', randomBytes(16)]
      const done = await connections[lane]?.query({ name: 'send', text, values })
      if (done?.rowCount !== 1) throw new Error('the statement gave no row')
    },
    close: () => Promise.all(connections.map(client => client.end())),
  }
}
