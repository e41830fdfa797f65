import type { Role } from '@afterglow/contract/capabilities'
import { sql } from 'kysely'
import { type Person, type PersonBeside, personOf } from '../../accounts/persons.ts'
import { personBeside } from '../../accounts/persons-sql.ts'
import { notifyListeners } from '../../log/announce.ts'
import { announced } from '../../log/announce-sql.ts'
import { afterCommit, type Db, idList } from '../../platform/database/database.ts'
import { firstRow } from '../../platform/database/rows.ts'
import type { RowKey } from '../../platform/http/idempotency.ts'
import { type MessageJson, messageColumnsOf, messageJson } from './messages-store.ts'

export type Outgoing = {
  chatId: number
  userId: number
  content: string
  replyId: number | undefined
  /** Unique among its author's messages. */
  key: RowKey | undefined
  /** Pictures to attach, in their order. */
  mediaIds: readonly number[]
  /** The kind of its card. */
  card?: string
}
export type Sent = { message: MessageJson; author: Person; standing: Role }
/** The message sent before under the same key; `same` if the request was the same. */
export type Repeat = { repeats: number; same: boolean }

type Row = { n: number } & (({ repeats: null; message: MessageJson; standing: Role } & PersonBeside) | Repeat)

/** For messages `m`: this request sent them. The request of a deleted message is forgotten. */
const sameRequest = (fingerprint: unknown) => sql`coalesce(m.client_fingerprint = ${fingerprint}, true) as same`

/** Finds the message sent under a key. */
export const findSent = (db: Db, userId: number, { key, fingerprint }: RowKey) => firstRow<Repeat>(db)`
    select m.id as repeats, ${sameRequest(fingerprint)} from messages m
    where m.user_id = ${userId} and m.client_key = ${key}`

/**
 * Sends and announces many messages in one statement and one commit, each only if it is allowed: its author is in the
 * event, the chat is open, and what it replies to exists. For the others it writes nothing and returns undefined. A
 * message already sent under the same key is not sent again; if the key is in use by another transaction, the statement
 * waits for it and then fails.
 *
 * Memberships and then chats are locked, always in that order and each by ID; a row that changed meanwhile is judged by
 * its newest version, so a removal that commits first wins. The locked chat provides the sequences. Their number is
 * hidden from the planner (`idList`): a plan for one alone takes a millisecond, more than everything else.
 */
export const sendMessages = async (
  db: Db,
  all: readonly Outgoing[],
  { notify = true } = {},
): Promise<(Sent | Repeat | undefined)[]> => {
  const pictures = all.flatMap(({ mediaIds }, at) => mediaIds.map(mediaId => ({ n: at + 1, mediaId })))
  const hanging = pictures.length > 0 ? hangingOf(pictures) : withoutPictures
  const { rows } = await sql<Row>`
    with asked as materialized (
      select a.*, before.repeats, before.same from unnest(
        (select ${all.map(one => one.chatId)}::bigint[]), (select ${all.map(one => one.userId)}::bigint[]),
        (select ${all.map(one => one.content)}::text[]), (select ${all.map(one => one.replyId ?? null)}::bigint[]),
        (select ${all.map(one => one.key?.key ?? null)}::bytea[]), (select ${all.map(one => one.key?.fingerprint ?? null)}::bytea[]),
        (select ${all.map(one => one.card ?? null)}::text[])
      ) with ordinality as a (chat_id, user_id, content, reply_id, key, fingerprint, card, n)
      left join lateral (
        select m.id as repeats, ${sameRequest(sql.ref('a.fingerprint'))} from messages m
        where m.user_id = a.user_id and m.client_key = a.key limit 1
      ) before on true
    ), writers as materialized (
      select c.id as chat_id, c.event_id, g.user_id, g.role as standing
      from (select distinct chat_id, user_id from asked where repeats is null) a
      join group_chats c on c.id = a.chat_id
      join members g on g.event_id = c.event_id and g.user_id = a.user_id
      order by g.event_id, g.user_id for share of g
    ), chats as materialized (
      select c.id, c.last_sequence, c.last_attachment_sequence, greatest(clock_timestamp(), c.last_activity_at) as at
      from group_chats c where c.id in (select chat_id from writers) and c.status = 1
      order by c.id for no key update
    ), fit as materialized (
      select a.*, event_id, standing, c.at, c.last_sequence + row_number() over (partition by a.chat_id order by a.n) as sequence
        ${hanging.places}
      from asked a join writers using (chat_id, user_id) join chats c on c.id = a.chat_id ${hanging.counts}
      where a.repeats is null and (a.reply_id is null or exists (
        select from messages p where p.id = a.reply_id and p.group_chat_id = a.chat_id and p.deleted_at is null and p.hidden_at is null))
    ), sent as (
      insert into messages (group_chat_id, sequence, user_id, reply_to_id, content, client_key, client_fingerprint, card,
        attachments_count, created_at, updated_at)
      select chat_id, sequence, user_id, reply_id, content, key, fingerprint, card, ${hanging.count}, at, at from fit order by n
      returning ${messageColumnsOf('messages')}
    ), ${hanging.hung} seen as (
      insert into seen_marks (group_chat_id, user_id, seen_sequence)
      select chat_id, user_id, max(sequence) from fit group by chat_id, user_id
      on conflict (group_chat_id, user_id) do update set seen_sequence = excluded.seen_sequence, seen_at = now()
    ), moved as (
      update group_chats c
      set last_sequence = newest.sequence, last_message_id = newest.id, last_activity_at = newest.created_at ${hanging.moves}
      from (select distinct on (group_chat_id) * from sent order by group_chat_id, sequence desc) newest
      where c.id = newest.group_chat_id
    ), ${announced(
      sql`
        select 'message.created', 'event', f.event_id, null::bigint, f.user_id, s.id, null::jsonb
        from sent s join fit f on f.chat_id = s.group_chat_id and f.sequence = s.sequence order by f.n`,
      { notify },
    )}
    select a.n, a.repeats, a.same, f.standing, case when s.id is not null then ${messageJson('s')} end as message, ${personBeside}
    from asked a left join (
      fit f join sent s on s.group_chat_id = f.chat_id and s.sequence = f.sequence join users u on u.id = f.user_id
    ) on f.n = a.n
    where a.repeats is not null or s.id is not null
  `.execute(db)
  afterCommit(db, notifyListeners)
  const outcomes: (Sent | Repeat | undefined)[] = all.map(() => undefined)
  for (const row of rows) outcomes[row.n - 1] = outcomeOf(row)
  return outcomes
}

/** The part of the statement for pictures; most messages have none, and do not pay for it. */
const hangingOf = (pictures: readonly { n: number; mediaId: number }[]) => ({
  counts: sql`left join (
        select n, count(*) as pictures from ${unnested(pictures)} group by n) hanging on hanging.n = a.n`,
  places: sql`, coalesce(hanging.pictures, 0) as pictures, c.last_attachment_sequence
          + coalesce(sum(hanging.pictures) over (partition by a.chat_id order by a.n), 0) as last_picture`,
  count: sql`pictures`,
  hung: sql`hung as (
      insert into attachments (group_chat_id, sequence, message_id, user_id, media_id)
      select f.chat_id, f.last_picture - f.pictures + row_number() over (partition by f.n order by p.place), s.id, f.user_id, p.media_id
      from ${unnested(pictures)} join fit f using (n) join sent s on s.group_chat_id = f.chat_id and s.sequence = f.sequence
      order by p.place
    ),`,
  moves: sql`, last_attachment_sequence = (select max(last_picture) from fit where fit.chat_id = c.id)`,
})
const withoutPictures = { counts: sql``, places: sql``, count: sql`0`, hung: sql``, moves: sql`` }
const unnested = (pictures: readonly { n: number; mediaId: number }[]) => sql`
  unnest(${idList(pictures.map(({ n }) => n))}, ${idList(pictures.map(({ mediaId }) => mediaId))})
    with ordinality as p (n, media_id, place)`

const outcomeOf = (row: Row): Sent | Repeat =>
  row.repeats === null
    ? { message: row.message, author: personOf(row, row.message.user_id), standing: row.standing }
    : { repeats: row.repeats, same: row.same }
