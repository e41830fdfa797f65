import { sql } from 'kysely'
import type { May } from '../../events/standing.ts'
import type { Db, Transaction } from '../../platform/database/database.ts'
import { allValues, anyRow, firstValue, run } from '../../platform/database/rows.ts'
import { leaveGap } from '../../platform/database/sequence-pages.ts'
import type { Reaction } from './messages-store.ts'

/* Every function expects the chat's row to be locked: that lock orders everything in the chat. */

type Moderated = { id: number } & May<'moderate'>

export const lockChat = (tx: Transaction, chatId: number) =>
  run(tx)`select from group_chats where id = ${chatId} for no key update`

export const stands = (db: Db, chatId: number, messageId: number) => anyRow(db)`
    select from messages
    where id = ${messageId} and group_chat_id = ${chatId} and deleted_at is null and hidden_at is null`

/** Returns the previous text. */
export const updateContent = async (tx: Transaction, messageId: number, content: string) => {
  const { rows } = await sql<{ content: string }>`
    update messages m set content = ${content}, edited_at = clock_timestamp(), updated_at = clock_timestamp()
    from messages before where m.id = ${messageId} and before.id = m.id returning before.content`.execute(tx)
  return (rows[0] as { content: string }).content
}

/**
 * Pins a message, or unpins it. Returns the one pinned before; undefined if nothing changes. The one being unpinned is
 * locked: notices about it that are being decided commit first, and are found and withdrawn.
 */
export const setPinned = async (tx: Transaction, { id: chatId }: Moderated, messageId: number, pinned: boolean) => {
  const { rows } = await sql<{ before: number | null }>`
    update group_chats c set pinned_message_id = ${pinned ? messageId : null}::bigint,
      pinned_at = ${pinned ? sql`now()` : sql`null`}
    from group_chats before
    where c.id = ${chatId} and before.id = c.id
      and (before.pinned_message_id is not distinct from ${messageId}) is distinct from ${pinned}::boolean
    returning before.pinned_message_id as before`.execute(tx)
  const before = rows[0]?.before
  if (before) await sql`select from messages where id = ${before} for update`.execute(tx)
  return before
}

/** Returns the pinned ones among these messages. */
export const pinnedOf = async (tx: Transaction, messageIds: readonly number[]): Promise<ReadonlySet<number>> => {
  const found = await allValues<number>(tx)`
    select m.id from messages m join group_chats c on c.id = m.group_chat_id and c.pinned_message_id = m.id
    where m.id = any(${messageIds}::bigint[])`
  return new Set(found)
}

/** Leaves a tombstone; false if there is one. The newest remaining message becomes the chat's latest. */
export const buryMessage = async (tx: Transaction, chatId: number, messageId: number) => {
  const { numAffectedRows } = await sql`
    update messages set content = '', reactions = null, attachments_count = 0, client_fingerprint = null, card = null,
      deleted_at = now(), updated_at = clock_timestamp()
    where id = ${messageId} and deleted_at is null`.execute(tx)
  if (numAffectedRows === 0n) return false
  await sql`delete from message_reactions where message_id = ${messageId}`.execute(tx)
  await renewChat(tx, chatId)
  return true
}

/**
 * The newest message that everybody sees becomes the chat's latest, and a message that not everybody sees is unpinned.
 */
const renewChat = (tx: Transaction, chatId: number) => run(tx)`
    update group_chats set last_message_id = (
        select id from messages where group_chat_id = ${chatId} and deleted_at is null and hidden_at is null
        order by sequence desc limit 1),
      pinned_message_id = (
        select id from messages where id = pinned_message_id and deleted_at is null and hidden_at is null)
    where id = ${chatId}`

/** Hides a message with its attachments or shows it again. Returns the attachments' media. */
export const setHidden = async (tx: Transaction, { id: chatId }: Moderated, messageId: number, hidden: boolean) => {
  const since = hidden ? sql`now()` : sql`null`
  await sql`
    update messages set hidden_at = ${since}, updated_at = clock_timestamp() where id = ${messageId}`.execute(tx)
  const { rows } = await sql<{ media_id: number }>`
    update attachments set hidden_at = ${since} where message_id = ${messageId} and deleted_at is null
    returning media_id`.execute(tx)
  await renewChat(tx, chatId)
  return rows.map(row => row.media_id)
}

/** Photos in the album that were made from a message's attachments and still share their pictures. */
export const photosMadeOf = (tx: Transaction, messageId: number) => allValues<number>(tx)`
    select p.id from photos p join attachments a on a.id = p.attachment_id
    where a.message_id = ${messageId} and a.deleted_at is null and p.deleted_at is null order by p.id`

const list = 'attachments'

/** Attaches pictures to a message, in their order. */
export const insertAttachments = async (
  tx: Transaction,
  { chatId, messageId, userId }: { chatId: number; messageId: number; userId: number },
  mediaIds: readonly number[],
) => {
  if (mediaIds.length === 0) return
  await sql`
    with chat as (
      update group_chats set last_attachment_sequence = last_attachment_sequence + ${mediaIds.length}
      where id = ${chatId} returning last_attachment_sequence - ${mediaIds.length} as before
    ), counted as (
      update messages set attachments_count = attachments_count + ${mediaIds.length} where id = ${messageId}
    )
    insert into attachments (group_chat_id, sequence, message_id, user_id, media_id, hidden_at)
    select ${chatId}, before + place, ${messageId}, ${userId}, media_id,
      (select hidden_at from messages where id = ${messageId})
    from chat, unnest(${mediaIds}::bigint[]) with ordinality as kept (media_id, place) order by place`.execute(tx)
}

/** Removes one attachment from a message, or all. Returns those removed. */
export const removeAttachments = async (tx: Transaction, chatId: number, messageId: number, onlyId?: number) => {
  const { rows } = await sql<{ id: number; media_id: number; sequence: number }>`
    update attachments set deleted_at = now()
    where message_id = ${messageId} and deleted_at is null and id = coalesce(${onlyId ?? null}::bigint, id)
    returning id, media_id, sequence`.execute(tx)
  for (const { sequence } of rows) await leaveGap(tx, { list, parentId: chatId }, sequence)
  return rows
}

export const uncountAttachment = (tx: Transaction, messageId: number) => run(tx)`
    update messages set attachments_count = attachments_count - 1, updated_at = clock_timestamp()
    where id = ${messageId}`

/** Undefined if they have already put this emoji on the message. */
export const insertReaction = (tx: Transaction, messageId: number, userId: number, emoji: string) =>
  firstValue<number>(tx)`
    insert into message_reactions (message_id, user_id, emoji) values (${messageId}, ${userId}, ${emoji})
    on conflict do nothing returning id`

/** Removes one emoji, or all of them. Returns those removed. */
export const deleteReactions = (tx: Transaction, messageId: number, userId: number, emoji?: string) =>
  allValues<string>(tx)`
    delete from message_reactions
    where message_id = ${messageId} and user_id = ${userId} and emoji = coalesce(${emoji ?? null}, emoji)
    returning emoji`

/** The reactions as the message shows them, and the database's time. */
export const shownReactions = async (tx: Transaction, messageId: number) => {
  const { rows } = await sql<{ reactions: Reaction[] | null; now: Date }>`
    select reactions, clock_timestamp() as now from messages where id = ${messageId}`.execute(tx)
  const { reactions, now } = rows[0] as { reactions: Reaction[] | null; now: Date }
  return { reactions: reactions ?? [], now: now.toISOString() }
}

export const showReactions = (tx: Transaction, messageId: number, reactions: readonly Reaction[]) => run(tx)`
    update messages set reactions = ${reactions.length ? JSON.stringify(reactions) : null}::jsonb
    where id = ${messageId}`
