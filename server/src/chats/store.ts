import type { Standing } from '@afterglow/contract/capabilities'
import { type RawBuilder, sql } from 'kysely'
import type { Person } from '../accounts/persons.ts'
import { personBeside } from '../accounts/persons-sql.ts'
import type { InEvent } from '../events/standing.ts'
import { standingIn } from '../events/standing-sql.ts'
import { inAlbum } from '../gallery/in-album-sql.ts'
import type { FilmRow } from '../gallery/present-film.ts'
import type { Db } from '../platform/database/database.ts'
import { allRows, anyRow, firstRow } from '../platform/database/rows.ts'
import { pageStartFromTop } from '../platform/database/sequence-pages.ts'
import { type OriginalRow, originalColumns } from '../platform/media/original.ts'

export type Range = { offset: number; limit: number }

/** A chat with what decides about the viewer in it. The standing is none for people who are not in the event. */
export type ChatRow = {
  id: number
  event_id: number
  status: number
  last_sequence: number
  event_state: number
  media_epoch: number
  attachments_to_album: boolean
  approves_photos: boolean
  standing: Standing
  blocked: readonly number[]
  hides_seen: boolean | null
  guests_hidden: boolean
}

export const chatColumns = (viewerId: number | RawBuilder<unknown>) => sql`
  c.id, c.event_id, c.status, c.last_sequence,
  e.status as event_state, e.media_epoch, e.attachments_to_album, e.guests_hidden, e.photo_approval <> 'none' as approves_photos,
  ${standingIn(viewerId, sql`c.event_id`)} as standing,
  array(select b.blocked_id::float8 from blocks b where b.blocker_id = ${viewerId}) as blocked,
  (select v.hides_seen from users v where v.id = ${viewerId}) as hides_seen`
export const itsEvent = sql`join events e on e.id = c.event_id and e.deleted_at is null`

export const findChat = (db: Db, viewerId: number, id: number) => firstRow<ChatRow>(db)`
    select ${chatColumns(viewerId)} from group_chats c ${itsEvent} where c.id = ${id}`

/** Every chat that the viewer is in. */
export const chatsOfViewer = (db: Db, viewerId: number) => allRows<Pick<ChatRow, 'id' | 'standing'> & InEvent>(db)`
    select c.id, ${standingIn(viewerId, sql`c.event_id`)} as standing from members m join group_chats c on c.event_id = m.event_id ${itsEvent}
    where m.user_id = ${viewerId}`

/** Locates a message or an attachment, regardless of the viewer. */
export const chatOf = (db: Db, table: 'messages' | 'attachments', id: number) =>
  firstRow<{ id: number; event_id: number }>(db)`
    select c.id, c.event_id from ${sql.table(table)} t join group_chats c on c.id = t.group_chat_id ${itsEvent}
    where t.id = ${id}`

export type FoundMessage = { chat: ChatRow; message: PlacedMessage }
export type PlacedMessage = {
  id: number
  sequence: number
  user_id: number
  attachments_count: number
  deleted_at: Date | null
  hidden_at: Date | null
  card: string | null
}

export const findMessage = async (db: Db, viewerId: number, id: number): Promise<FoundMessage | undefined> => {
  const { rows } = await sql<ChatRow & Omit<PlacedMessage, 'id'>>`
    select ${chatColumns(viewerId)}, m.sequence, m.user_id, m.attachments_count, m.deleted_at, m.hidden_at, m.card
    from messages m join group_chats c on c.id = m.group_chat_id ${itsEvent}
    where m.id = ${id}`.execute(db)
  if (!rows[0]) return undefined
  const { sequence, user_id, attachments_count, deleted_at, hidden_at, card, ...chat } = rows[0]
  return { chat, message: { id, sequence, user_id, attachments_count, deleted_at, hidden_at, card } }
}

export type FoundAttachment = {
  chat: ChatRow
  attachment: {
    id: number
    message_id: number
    user_id: number
    media_id: number
    sequence: number
    gone: boolean
    hidden_at: Date | null
  }
}

export const findAttachment = async (db: Db, viewerId: number, id: number): Promise<FoundAttachment | undefined> => {
  const { rows } = await sql<ChatRow & Omit<FoundAttachment['attachment'], 'id'>>`
    select ${chatColumns(viewerId)}, a.message_id, a.user_id, a.media_id, a.sequence, a.deleted_at is not null as gone, a.hidden_at
    from attachments a join group_chats c on c.id = a.group_chat_id ${itsEvent}
    where a.id = ${id}`.execute(db)
  if (!rows[0]) return undefined
  const { message_id, user_id, media_id, sequence, gone, hidden_at, ...chat } = rows[0]
  return { chat, attachment: { id, message_id, user_id, media_id, sequence, gone, hidden_at } }
}

/** People who reacted, each once, by their newest reaction; bounded by the people of one event. */
export const listReactedUsers = (db: Db, messageId: number, { offset, limit }: Range) => allRows<Person>(db)`
    select u.id, ${personBeside} from (
      select user_id, max(id) as newest from message_reactions where message_id = ${messageId}
      group by user_id order by newest desc offset ${offset} limit ${limit}
    ) r join users u on u.id = r.user_id
    order by r.newest desc`

export type AttachmentRow = OriginalRow &
  FilmRow & {
    id: number
    group_chat_id: number
    message_id: number
    user_id: number
    created_at: string
    updated_at: string
    hidden_at: string | null
    in_album: boolean
    media_epoch: number
    thumbhash: string
  }

export const attachments = (where: RawBuilder<unknown>) => sql<AttachmentRow>`
  select a.id, a.group_chat_id, a.message_id, a.user_id, iso_time(a.created_at) as created_at,
    iso_time(a.updated_at) as updated_at, iso_time(a.hidden_at) as hidden_at,
    ${inAlbum} as in_album,
    e.media_epoch + a.picture_epoch as media_epoch,
    picture.width, picture.height, picture.thumbhash, ${originalColumns}, v.state, v.progress, v.duration_ms, v.fault
  from attachments a join media picture on picture.id = a.media_id join events e on e.id = picture.event_id
    left join videos v on v.media_id = picture.id ${where}`

/**
 * A page of a chat's attachments except those of hidden messages, newest first; a deep page starts by arithmetic
 * (platform/database/sequence-pages.ts).
 */
export const listAttachments = async (db: Db, { id: chatId }: ChatRow & InEvent, { offset, limit }: Range) => {
  const start = pageStartFromTop({
    list: 'attachments',
    parentId: chatId,
    rows: sql`attachments where group_chat_id = ${chatId} and deleted_at is null and hidden_at is null`,
    unseen: sql`select sequence from attachments
      where group_chat_id = ${chatId} and deleted_at is null and hidden_at is not null`,
    offset,
    last: sql`(select last_attachment_sequence from group_chats where id = ${chatId})`,
  })
  const { rows } = await attachments(sql`
    where a.group_chat_id = ${chatId} and a.deleted_at is null and a.hidden_at is null and a.sequence <= ${start}
    order by a.sequence desc limit ${limit}`).execute(db)
  return rows
}

export const chatRecounts: Record<string, RawBuilder<unknown>> = {
  'the messages of a chat are not 1, 2, 3 …': sql`
    select c.id from group_chats c where c.last_sequence <> (select count(*) from messages m where m.group_chat_id = c.id)`,
  'the attachments of a message are not its count': sql`
    select m.id from messages m where m.deleted_at is null
      and m.attachments_count <> (select count(*) from attachments a where a.message_id = m.id and a.deleted_at is null)`,
}

export const isInChat = (db: Db, mediaId: number) =>
  anyRow(db)`select from attachments a where a.media_id = ${mediaId} and a.deleted_at is null`
