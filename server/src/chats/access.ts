import { can } from '@afterglow/contract/capabilities'
import { groupChatStatus } from '@afterglow/contract/chats'
import { lockStanding, mayAdd, maySeeGuests } from '../events/access.ts'
import { type InEvent, isShownTo, type May, requireMay } from '../events/standing.ts'
import type { Db, Transaction } from '../platform/database/database.ts'
import { refuse } from '../platform/http/refusals.ts'
import type { Viewer } from '../platform/http/viewer.ts'
import { lockChat } from './messages/change-message-store.ts'
import * as store from './store.ts'

type Chat = store.ChatRow
type Found = store.FoundMessage
type Attached = store.FoundAttachment
/** Something in a chat, behind the chat's door. */
export type In<Row extends { chat: Chat }> = Row & { chat: InEvent }

export const isOpen = (chat: Pick<Chat, 'status'>) => chat.status === groupChatStatus.open
type Who = Pick<Viewer, 'id'>
type Since = Date | string | null

const isIts = (viewer: Who, { user_id }: { user_id: number }) => user_id === viewer.id

export const mayAnswer = ({ standing }: Pick<Chat, 'standing'>) => can(standing, 'write')
/** The text of a message with a card stays: people have responded to it. */
export const mayEdit = (viewer: Who, message: { user_id: number; deleted_at: Since; card: string | null }) =>
  isIts(viewer, message) && message.deleted_at === null && message.card === null
/** For messages and attachments. */
export const maySee = (
  viewer: Who,
  { standing }: Pick<Chat, 'standing'>,
  written: { user_id: number; hidden_at: Since },
) =>
  isShownTo({ id: viewer.id, standing }, { seenBy: 'readChat', hiddenAt: written.hidden_at, authorId: written.user_id })
/**
 * Nobody approves the pictures of a chat: if photos need approval before the wall shows them, a screen gets none of
 * these.
 */
export const maySeePictures = ({ standing, approves_photos }: Pick<Chat, 'standing' | 'approves_photos'>) =>
  !approves_photos || can(standing, 'seeWaiting') || can(standing, 'read')
/** Not for those who hide what they have read themselves, nor for guests from whom the list of guests is hidden. */
export const maySeeReaders = (chat: Pick<Chat, 'standing' | 'guests_hidden' | 'hides_seen'>) =>
  !chat.hides_seen && maySeeGuests(chat)
/** Content of people whom the viewer blocks is collapsed; moderators see everything. */
export const isFolded = ({ standing, blocked }: Pick<Chat, 'standing' | 'blocked'>, written: { user_id: number }) =>
  !can(standing, 'moderate') && blocked.includes(written.user_id)
/** Covers hiding, pinning, deleting others' messages, and ending the chat. */
export const mayModerate = ({ standing }: Pick<Chat, 'standing'>) => can(standing, 'moderate')
/** For messages and attachments. */
export const mayDelete = (viewer: Who, chat: Pick<Chat, 'standing'>, written: { user_id: number }) =>
  isIts(viewer, written) || mayModerate(chat)
/** A cancelled event takes no new photos; the event may keep guests from adding other people's pictures. */
export const mayAddToAlbum = (
  viewer: Who,
  chat: Pick<Chat, 'standing' | 'event_state' | 'attachments_to_album'>,
  attachment: { user_id: number; hidden_at: Since },
) =>
  attachment.hidden_at === null &&
  mayAdd({ standing: chat.standing, status: chat.event_state }, 'upload') &&
  (mayDelete(viewer, chat, attachment) || chat.attachments_to_album)

/** Refuses notInEvent, or `outside`. */
export const admitted = <Row extends { chat: Chat }>(
  row: Row,
  outside: 'notInEvent' | 'mayNotAdd' = 'notInEvent',
): In<Row> => {
  requireMay(row.chat, 'read', outside)
  return row as In<Row>
}

/** The same for reading alone. Refuses notInEvent. */
export const demandReader = ({ chat }: { chat: Chat }) => requireMay(chat, 'readChat', 'notInEvent')

/** Refuses notOrganizer. */
export const moderated = <Proved extends Chat>(chat: Proved): Proved & May<'moderate'> =>
  requireMay(chat, 'moderate', 'notOrganizer')

/** A chat that the viewer is in. Refuses noSuchChat, notInEvent. */
export const chatFor = async (db: Db, viewer: Viewer, id: number): Promise<Chat & InEvent> =>
  admitted({ chat: (await store.findChat(db, viewer.id, id)) ?? refuse('noSuchChat') }).chat

/** A chat that the viewer may read, if not more. Refuses noSuchChat, notInEvent. */
export const chatToReadFor = async (db: Db, viewer: Viewer, id: number) =>
  demandReader({ chat: (await store.findChat(db, viewer.id, id)) ?? refuse('noSuchChat') })

/** A chat to which the viewer may send messages. Refuses noSuchChat, notInEvent, notOpen. */
export const chatToSendTo = async (db: Db, viewer: Viewer, id: number): Promise<Chat & InEvent> => {
  const chat = await chatFor(db, viewer, id)
  return isOpen(chat) ? chat : refuse('notOpen')
}

/** A message, or its tombstone, in a chat that the viewer is in. Refuses noSuchMessage, notInEvent. */
export const messageFor = async (db: Db, viewer: Viewer, id: number): Promise<In<Found>> =>
  admitted((await store.findMessage(db, viewer.id, id)) ?? refuse('noSuchMessage'))

/** The same without messages that are deleted or hidden from the viewer. */
export const livingMessageFor = async (db: Db, viewer: Viewer, id: number): Promise<In<Found>> => {
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
): Promise<In<Attached>> => {
  const found = await store.findAttachment(db, viewer.id, id)
  if (!found || found.attachment.gone) return refuse('noSuchAttachment')
  const attached = admitted(found, outside)
  return maySee(viewer, attached.chat, attached.attachment) ? attached : refuse('noSuchAttachment')
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
  requireMay({ standing: await lockStanding(tx, viewer, chat.event_id) }, 'write', outside)
  await lockChat(tx, chat.id)
}
