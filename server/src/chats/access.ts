import { groupChatStatus } from '@afterglow/contract/chats'
import { lockStanding, mayWrite } from '../events/access.ts'
import { isInEvent, isOrganizer, isShownTo } from '../events/standing.ts'
import type { Db, Transaction } from '../platform/database/database.ts'
import { refuse } from '../platform/http/refusals.ts'
import type { Viewer } from '../platform/http/viewer.ts'
import { lockChat } from './change-message-store.ts'
import * as store from './store.ts'

type Chat = store.ChatRow
type Found = store.FoundMessage
type Attached = store.FoundAttachment

// ---- rules ----

export const isOpen = (chat: Pick<Chat, 'status'>) => chat.status === groupChatStatus.open
const isMember = (chat: Pick<Chat, 'standing'>) => isInEvent(chat.standing)
type Who = Pick<Viewer, 'id'>
type Since = Date | string | null

const isIts = (viewer: Who, { user_id }: { user_id: number }) => user_id === viewer.id

export const mayEdit = (viewer: Who, message: { user_id: number; deleted_at: Since }) =>
  isIts(viewer, message) && message.deleted_at === null
/** For messages and attachments. */
export const maySee = (
  viewer: Who,
  { standing }: Pick<Chat, 'standing'>,
  written: { user_id: number; hidden_at: Since },
) => isShownTo({ id: viewer.id, standing }, { hiddenAt: written.hidden_at, authorId: written.user_id })
/** Content of people whom the viewer blocks is collapsed; moderators see everything. */
export const isFolded = ({ standing, blocked }: Pick<Chat, 'standing' | 'blocked'>, written: { user_id: number }) =>
  !isOrganizer(standing) && blocked.includes(written.user_id)
export const mayHide = (chat: Pick<Chat, 'standing'>) => isOrganizer(chat.standing)
export const mayPin = ({ standing }: Pick<Chat, 'standing'>) => isOrganizer(standing)
export const mayEnd = ({ standing }: Pick<Chat, 'standing'>) => isOrganizer(standing)
/** For messages and attachments. */
export const mayDelete = (viewer: Who, chat: Pick<Chat, 'standing'>, written: { user_id: number }) =>
  isIts(viewer, written) || isOrganizer(chat.standing)
/** A cancelled event takes no new photos; the event may keep guests from adding other people's pictures. */
export const mayAddToAlbum = (
  viewer: Who,
  chat: Pick<Chat, 'standing' | 'event_state' | 'attachments_to_album'>,
  attachment: { user_id: number; hidden_at: Since },
) =>
  attachment.hidden_at === null &&
  mayWrite({ standing: chat.standing, status: chat.event_state }) &&
  (mayDelete(viewer, chat, attachment) || chat.attachments_to_album)

/** Refuses notInEvent. */
export const admitted = <Row extends { chat: Chat }>(row: Row): Row => (isMember(row.chat) ? row : refuse('notInEvent'))

// ---- doors ----

/** A chat that the viewer is in. Refuses noSuchChat, notInEvent. */
export const chatFor = async (db: Db, viewer: Viewer, id: number): Promise<Chat> =>
  admitted({ chat: (await store.findChat(db, viewer.id, id)) ?? refuse('noSuchChat') }).chat

/** A chat to which the viewer may send messages. Refuses noSuchChat, notInEvent, notOpen. */
export const chatToSendTo = async (db: Db, viewer: Viewer, id: number): Promise<Chat> => {
  const chat = await chatFor(db, viewer, id)
  return isOpen(chat) ? chat : refuse('notOpen')
}

/** A message, or its tombstone, in a chat that the viewer is in. Refuses noSuchMessage, notInEvent. */
export const messageFor = async (db: Db, viewer: Viewer, id: number): Promise<Found> =>
  admitted((await store.findMessage(db, viewer.id, id)) ?? refuse('noSuchMessage'))

/** The same without messages that are deleted or hidden from the viewer. */
export const livingMessageFor = async (db: Db, viewer: Viewer, id: number): Promise<Found> => {
  const found = await messageFor(db, viewer, id)
  const { chat, message } = found
  return message.deleted_at || !maySee(viewer, chat, message) ? refuse('noSuchMessage') : found
}

/** An attachment in a chat that the viewer is in. Refuses noSuchAttachment, `outside`. */
export const attachmentFor = async (
  db: Db,
  viewer: Viewer,
  id: number,
  outside: 'notInEvent' | 'mayNotAdd' = 'notInEvent',
): Promise<Attached> => {
  const found = await store.findAttachment(db, viewer.id, id)
  if (!found || found.attachment.gone) return refuse('noSuchAttachment')
  if (!isMember(found.chat)) refuse(outside)
  return maySee(viewer, found.chat, found.attachment) ? found : refuse('noSuchAttachment')
}

/**
 * Locks the viewer's membership and then the chat, until the transaction ends: everything that changes the chat's
 * messages happens one after another, and whatever is read after this call includes the earlier changes. Refuses
 * `outside`.
 */
export const holdChat = async (
  tx: Transaction,
  viewer: Viewer,
  chat: Pick<Chat, 'id' | 'event_id'>,
  outside: 'notInEvent' | 'mayNotAdd' = 'notInEvent',
) => {
  if (!isInEvent(await lockStanding(tx, viewer, chat.event_id))) refuse(outside)
  await lockChat(tx, chat.id)
}
