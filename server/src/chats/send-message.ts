import { sentence } from '@afterglow/contract/words'
import { sql } from 'kysely'
import { type Person, type PersonBeside, personBeside, personOf } from '../accounts/persons.ts'
import { announced, soonAnnounced, tellListeners } from '../notifications/announcing.ts'
import { batched } from '../platform/batch.ts'
import { afterCommit, type Database, type Db, idList, transact } from '../platform/database.ts'
import type { RowKey } from '../platform/http/idempotency.ts'
import { invalid, refuse } from '../platform/http/refusals.ts'
import type { Viewer } from '../platform/http/viewer.ts'
import { addPictures, type KeptPicture } from '../platform/media/records.ts'
import { chatFor, isOpen } from './access.ts'
import * as store from './change-message-store.ts'
import type { Queue } from './queue.ts'

export type Outgoing = {
  chatId: number
  userId: number
  content: string
  replyId: number | undefined
  /** Its own among its author's messages. */
  key: RowKey | undefined
  /** Pictures to hang on it, in their order. */
  mediaIds: readonly number[]
}
export type Sent = { id: number; sequence: number; createdAt: Date; author: Person; organizer: boolean }
/** What was sent before under the same key: `same` when it was asked for in the same words. */
export type Repeat = { repeats: number; same: boolean }

type Row = { n: number } & (
  | ({
      repeats: null
      id: number
      sequence: number
      created_at: Date
      user_id: number
      organizer: boolean
    } & PersonBeside)
  | Repeat
)

/** Of messages `m`, whether this request sent it. What a deleted one was asked to say is forgotten. */
const sameRequest = (fingerprint: unknown) => sql`coalesce(m.client_fingerprint = ${fingerprint}, true) as same`

/** What was sent under a key. */
export const findSent = async (db: Db, userId: number, { key, fingerprint }: RowKey): Promise<Repeat | undefined> => {
  const { rows } = await sql<Repeat>`
    select m.id as repeats, ${sameRequest(fingerprint)} from messages m
    where m.user_id = ${userId} and m.client_key = ${key}`.execute(db)
  return rows[0]
}

/**
 * Sends and announces many messages in one statement and one commit, each only if everything is in order: its author is in the event,
 * the chat is open, what it replies to stands. For the others it writes nothing and gives undefined. What was sent before under
 * the same key is not sent again; a key that is in use by another transaction is waited for, and then fails the statement.
 *
 * Who is in the event and then the chats are locked, always in that order and each by id; a row that changed meanwhile
 * is judged by its newest version, so a removal that commits first wins. The locked chat gives the sequences. How many there
 * are is hidden from the planner (`idList`): a plan for one alone takes a millisecond, more than all the rest.
 */
export const sendMessages = async (db: Db, all: readonly Outgoing[]): Promise<(Sent | Repeat | undefined)[]> => {
  const pictures = all.flatMap(({ mediaIds }, at) => mediaIds.map(mediaId => ({ n: at + 1, mediaId })))
  const { rows } = await sql<Row>`
    with asked as materialized (
      select * from unnest(
        (select ${all.map(one => one.chatId)}::bigint[]), (select ${all.map(one => one.userId)}::bigint[]),
        (select ${all.map(one => one.content)}::text[]), (select ${all.map(one => one.replyId ?? null)}::bigint[]),
        (select ${all.map(one => one.key?.key ?? null)}::bytea[]), (select ${all.map(one => one.key?.fingerprint ?? null)}::bytea[]),
        (select ${all.map(one => one.mediaIds.length)}::smallint[])
      ) with ordinality as asked (chat_id, user_id, content, reply_id, key, fingerprint, pictures, n)
    ), pictures as materialized (
      select * from unnest(${idList(pictures.map(({ n }) => n))}, ${idList(pictures.map(({ mediaId }) => mediaId))})
        with ordinality as pictures (n, media_id, place)
    ), repeats as materialized (
      select a.n, m.* from asked a cross join lateral (
        select m.id as repeats, ${sameRequest(sql.ref('a.fingerprint'))} from messages m
        where m.user_id = a.user_id and m.client_key = a.key limit 1
      ) m
    ), members as materialized (
      select c.id as chat_id, c.event_id, g.user_id, g.organizer
      from (select distinct chat_id, user_id from asked where n not in (select n from repeats)) a
      join group_chats c on c.id = a.chat_id
      join guests g on g.event_id = c.event_id and g.user_id = a.user_id
      where g.ended_at is null order by g.event_id, g.user_id for share of g
    ), chats as materialized (
      select c.id, c.last_sequence, c.last_attachment_sequence, greatest(clock_timestamp(), c.last_activity_at) as at
      from group_chats c where c.id in (select chat_id from members) and c.status = 1
      order by c.id for no key update
    ), fit as materialized (
      select a.*, event_id, organizer, c.at, c.last_sequence + row_number() over (partition by a.chat_id order by a.n) as sequence,
        c.last_attachment_sequence + sum(a.pictures) over (partition by a.chat_id order by a.n) - a.pictures as before_pictures
      from asked a join members using (chat_id, user_id) join chats c on c.id = a.chat_id
      where a.n not in (select n from repeats) and (a.reply_id is null or exists (
        select from messages p where p.id = a.reply_id and p.group_chat_id = a.chat_id and p.deleted_at is null and p.hidden_at is null))
    ), sent as (
      insert into messages (group_chat_id, sequence, user_id, reply_to_id, content, client_key, client_fingerprint,
        attachments_count, created_at, updated_at)
      select chat_id, sequence, user_id, reply_id, content, key, fingerprint, pictures, at, at from fit order by n
      returning id, group_chat_id, sequence, created_at
    ), hung as (
      insert into attachments (group_chat_id, sequence, message_id, user_id, media_id)
      select f.chat_id, f.before_pictures + row_number() over (partition by f.n order by p.place), s.id, f.user_id, p.media_id
      from pictures p join fit f using (n) join sent s on s.group_chat_id = f.chat_id and s.sequence = f.sequence
      order by p.place
    ), seen as (
      insert into seen_marks (group_chat_id, user_id, seen_sequence)
      select chat_id, user_id, max(sequence) from fit group by chat_id, user_id
      on conflict (group_chat_id, user_id) do update set seen_sequence = excluded.seen_sequence, seen_at = now()
    ), moved as (
      update group_chats c
      set last_sequence = newest.sequence, last_message_id = newest.id, last_activity_at = newest.created_at,
        last_attachment_sequence = newest.last_picture
      from (
        select distinct on (s.group_chat_id) s.*, f.before_pictures + f.pictures as last_picture
        from sent s join fit f on f.chat_id = s.group_chat_id and f.sequence = s.sequence
        order by s.group_chat_id, s.sequence desc
      ) newest
      where c.id = newest.group_chat_id
    ), ${announced(
      sql`
        select 'message.created', 'event', f.event_id, null::bigint, f.user_id, s.id, null::jsonb
        from sent s join fit f on f.chat_id = s.group_chat_id and f.sequence = s.sequence order by f.n`,
      { notify: true },
    )}
    select f.n, f.organizer, s.id, s.sequence, s.created_at,
      f.user_id, ${personBeside}, null::bigint as repeats, null::boolean as same
    from sent s join fit f on f.chat_id = s.group_chat_id and f.sequence = s.sequence join users u on u.id = f.user_id
    union all
    select n, null, null, null, null, null, null, null, null, null, null, null, repeats, same from repeats
  `.execute(db)
  afterCommit(db, tellListeners)
  const outcomes: (Sent | Repeat | undefined)[] = all.map(() => undefined)
  for (const row of rows) outcomes[row.n - 1] = outcomeOf(row)
  return outcomes
}

const outcomeOf = (row: Row): Sent | Repeat =>
  row.repeats === null
    ? {
        id: row.id,
        sequence: row.sequence,
        createdAt: row.created_at,
        author: personOf(row, row.user_id),
        organizer: row.organizer,
      }
    : { repeats: row.repeats, same: row.same }

export type NewMessage = Omit<Outgoing, 'userId' | 'mediaIds'> & { pictures: readonly KeptPicture[] }

/** A chat that takes messages from the viewer. Refuses noSuchChat, notInEvent, notOpen. */
export const chatToSendTo = async (db: Db, viewer: Viewer, id: number) => {
  const chat = await chatFor(db, viewer, id)
  return isOpen(chat) ? chat : refuse('notOpen')
}

/** A message that was not written: rolls back what was written for it. */
class NotSent extends Error {
  readonly repeat: Repeat | undefined
  constructor(repeat: Repeat | undefined) {
    super('not sent')
    this.repeat = repeat
  }
}

const tries = 4
/** The same key was in use by another transaction, which has committed. */
const wasTaken = (error: unknown) => (error as { constraint?: string }).constraint === 'messages_client_key'

/**
 * How messages are sent: those that come at the same moment together, one with pictures in the transaction that writes
 * these. What was not in order is refused by name. Under a key that was used before, nothing is sent.
 */
export const openSending = (db: Database, queue: Queue) => {
  const sendTogether = batched((all: readonly Outgoing[]) => sendMessages(db, all), {
    most: 128,
    apart: ({ chatId }) => chatId,
    after: ({ userId, key }) => key && `${userId} ${key.key.toString('latin1')}`,
  })

  const sendWithPictures = (viewer: Viewer, { pictures, ...message }: NewMessage) =>
    queue(message.chatId, () =>
      transact(db, async tx => {
        const { event_id: eventId } = await chatToSendTo(tx, viewer, message.chatId)
        const mediaIds = await addPictures(tx, pictures, { eventId, ownerId: viewer.id })
        const [outcome] = await sendMessages(tx, [{ ...message, userId: viewer.id, mediaIds }])
        return outcome && 'id' in outcome ? outcome : Promise.reject(new NotSent(outcome))
      }),
    )

  const send = async (viewer: Viewer, { pictures, ...message }: NewMessage) => {
    try {
      return await (pictures.length
        ? sendWithPictures(viewer, { pictures, ...message })
        : soonAnnounced(sendTogether({ ...message, userId: viewer.id, mediaIds: [] })))
    } catch (error) {
      if (error instanceof NotSent) return error.repeat
      if (wasTaken(error) && message.key) return findSent(db, viewer.id, message.key)
      throw error
    }
  }

  return async (viewer: Viewer, message: NewMessage): Promise<Sent | Repeat> => {
    for (let attempt = 1; attempt <= tries; attempt++) {
      const outcome = await send(viewer, message)
      if (outcome) return outcome
      const chat = await chatToSendTo(db, viewer, message.chatId)
      await demandReplied(db, chat.id, message.replyId)
      // It has become in order meanwhile.
    }
    throw new Error('A message was neither sent nor refused.')
  }
}

/** Throws the validation error for a reply to what does not stand in this chat. */
export const demandReplied = async (db: Db, chatId: number, id: number | undefined) => {
  if (id !== undefined && !(await store.stands(db, chatId, id))) invalid('message_reply_id', sentence.selected)
}
