import {
  type Attachment,
  type GroupChat,
  groupChatStatus,
  type LatestMessage,
  type Message,
  type MessageReaction,
  type RepliedMessage,
} from '@afterglow/contract/chats'
import type { z } from 'zod'
import { type Person, personOf as personOfRow } from '../accounts/persons.ts'
import { presentMinimalUser, presentSeenUser } from '../accounts/present-person.ts'
import { isOrganizer } from '../events/standing.ts'
import type { Urls } from '../platform/http/urls.ts'
import type { Viewer } from '../platform/http/viewer.ts'
import { presentShown } from '../platform/media/original.ts'
import { isFolded, isOpen, mayAddToAlbum, mayDelete, mayEdit, mayHide, mayPin, maySee } from './access.ts'
import type { ListedChat, Reading } from './chat-list-store.ts'
import type { MessageRow, Messages, Reaction } from './messages-store.ts'
import { reaching } from './seen-marks-store.ts'
import type { Sent } from './send-message-store.ts'
import type { AttachmentRow, ChatRow } from './store.ts'

/** Whom a reply is for, and how it is made. */
export type Showing = { viewer: Pick<Viewer, 'id'>; urls: Urls; extra: boolean }

/** What rows of one chat are presented with. Every person that a row names is in `persons`. */
export type Beside = {
  urls: Urls
  persons: ReadonlyMap<number, Person>
  /** For `extra`. */
  more: More | undefined
}
type More = { viewer: Pick<Viewer, 'id'>; chat: ChatRow }

const personOf = ({ persons }: Pick<Beside, 'persons'>, id: number) => persons.get(id) as Person
const times = (row: { created_at: Date; updated_at: Date }) => ({
  created_at: row.created_at.toISOString(),
  updated_at: row.updated_at.toISOString(),
})

// ---- messages ----

/** What is left of a hidden message for those who may not see it. */
const veiled = (row: MessageRow): MessageRow => ({
  ...row,
  content: '',
  reactions: null,
  attachments: [],
  edited_at: null,
})

/** The message as far as the viewer may see it. */
export const asSeenBy = (row: MessageRow, viewer: Pick<Viewer, 'id'>, chat: ChatRow): MessageRow =>
  maySee(viewer, chat, row) ? row : veiled(row)

type Shown = z.output<typeof Message>

/** Expects a row as the viewer may see it. */
export const presentMessage = (row: MessageRow, seens: readonly number[], beside: Beside): Shown => ({
  id: String(row.id),
  group_chat_id: String(row.group_chat_id),
  message_content: row.content,
  user: presentMinimalUser(personOf(beside, row.user_id), beside.urls),
  replied_to: presentReplied(row, beside),
  reactions: (row.reactions ?? []).map(reaction => presentReaction(row, reaction)),
  ...times(row),
  attachments: presentAttachments(row.attachments, beside),
  seens: seens.map(id => ({ user: presentSeenUser(personOf(beside, id), beside.urls) })),
  ...(beside.more && { extra: presentMessageExtra(row, row.my_reactions, beside.more.viewer, beside.more.chat) }),
})

/** Messages as this viewer may see them. */
export const presentFor =
  ({ chats, marks, persons }: Messages, { viewer, urls, extra }: Showing) =>
  (row: MessageRow): Shown => {
    const chat = chats.get(row.group_chat_id) as ChatRow
    const seen = asSeenBy(row, viewer, chat)
    const more = extra ? { viewer, chat } : undefined
    const seens = chat.hides_seen ? [] : reaching(row, marks.get(row.group_chat_id) ?? [])
    return presentMessage(seen, seens, { urls, persons, more })
  }

/** A message of text alone as it stands at the moment it is sent: nobody has reacted to it or seen it yet. */
export const presentSent = (
  { id, sequence, createdAt, author, standing }: Sent,
  { chatId, content }: { chatId: number; content: string },
  { viewer, urls, extra }: Showing,
): Shown => {
  const row: MessageRow = {
    id,
    group_chat_id: chatId,
    sequence,
    user_id: author.id,
    content,
    reactions: null,
    created_at: createdAt,
    updated_at: createdAt,
    edited_at: null,
    deleted_at: null,
    hidden_at: null,
    parent: null,
    attachments: [],
    my_reactions: [],
  }
  const persons = new Map([[author.id, author]])
  const shown = presentMessage(row, [], { urls, persons, more: undefined })
  const chat = { status: groupChatStatus.open, standing, blocked: [] }
  return extra ? { ...shown, extra: presentMessageExtra(row, [], viewer, chat) } : shown
}

const presentReplied = (
  { group_chat_id: chatId, parent }: MessageRow,
  beside: Beside,
): z.output<typeof RepliedMessage> | null =>
  parent && {
    id: String(parent.id),
    group_chat_id: String(chatId),
    message_content: parent.content,
    ...times(parent),
    user: presentMinimalUser(personOf(beside, parent.user_id), beside.urls),
  }

const presentReaction = (row: MessageRow, reaction: Reaction): z.output<typeof MessageReaction> => ({
  id: String(reaction.id),
  message_id: String(row.id),
  message_reaction_count: String(reaction.count),
  created_at: reaction.created_at,
  updated_at: reaction.updated_at,
  message_reaction: reaction.emoji,
})

type Facts = Pick<MessageRow, 'id' | 'sequence' | 'user_id' | 'parent' | 'edited_at' | 'deleted_at' | 'hidden_at'>

export const presentMessageExtra = (
  row: Facts,
  myReactions: readonly string[],
  viewer: Pick<Viewer, 'id'>,
  chat: Pick<ChatRow, 'status' | 'standing' | 'blocked'>,
) => {
  const stands = row.deleted_at === null
  const seen = maySee(viewer, chat, row)
  return {
    sequence: row.sequence,
    deleted: !stands,
    edited: seen && row.edited_at !== null,
    my_reactions: seen ? [...myReactions] : [],
    hidden: stands && row.hidden_at !== null,
    blocked: isFolded(chat, row),
    quote_blocked: row.parent !== null && isFolded(chat, row.parent),
    may: {
      update: isOpen(chat) && mayEdit(viewer, row),
      delete: stands && mayDelete(viewer, chat, row),
      react: stands && seen,
      hide: stands && mayHide(chat),
    },
  }
}

// ---- attachments ----

export const presentAttachments = (rows: readonly AttachmentRow[], beside: Beside) =>
  rows.map(row => presentAttachment(row, beside))

const presentAttachment = (row: AttachmentRow, beside: Beside): z.output<typeof Attachment> => ({
  id: row.id,
  message_attachment_url: beside.urls.media(row.media_id, 'full', row.media_epoch),
  message_attachment_added_to_album: row.in_album,
  user: presentMinimalUser(personOf(beside, row.user_id), beside.urls),
  ...times(row),
  ...(beside.more && { extra: presentAttachmentExtra(row, beside.more, beside.urls) }),
})

const presentAttachmentExtra = (row: AttachmentRow, { viewer, chat }: More, urls: Urls) => ({
  width: row.width,
  height: row.height,
  thumbhash: row.thumbhash,
  ...presentShown(row, urls, row.media_epoch),
  preview_url: urls.media(row.media_id, 'preview', row.media_epoch),
  message_id: row.message_id,
  may: { add_to_album: !row.in_album && mayAddToAlbum(viewer, chat, row), delete: mayDelete(viewer, chat, row) },
})

// ---- chats ----

const seenUserOf = ({ user_username: _, user_visible: __, ...user }: Shown['user']) => user

/** A hidden message is nobody's latest; one that was hidden just now is empty until the next look. */
export const presentLatest = (
  row: MessageRow,
  seens: readonly number[],
  beside: Beside,
): z.output<typeof LatestMessage> => {
  const message = presentMessage(row.hidden_at === null ? row : veiled(row), seens, beside)
  const { replied_to: replied, reactions, ...rest } = message
  return {
    id: rest.id,
    group_chat_id: rest.group_chat_id,
    message_content: rest.message_content,
    seens: rest.seens,
    replied_to: replied && { ...replied, user: seenUserOf(replied.user) },
    user: rest.user,
    reactions: reactions.map(({ message_reaction: _, ...reaction }) => reaction),
    attachments: rest.attachments,
    created_at: rest.created_at,
    updated_at: rest.updated_at,
  }
}

/** A chat but for its latest message, which follows. */
export const presentChatAlone = (
  row: ListedChat,
  urls: Urls,
): Omit<z.output<typeof GroupChat>, 'latest_message' | 'extra'> => ({
  id: row.id,
  event_id: row.event_id,
  group_chat_name: row.name,
  group_chat_status: row.status,
  group_chat_avatar: row.avatar_media_id
    ? urls.media(row.avatar_media_id, 'display', 0)
    : urls.initials(row.name, row.event_id),
})

const presentPinned = ({ pinned, pinned_at, standing }: ListedChat & Reading, urls: Urls) =>
  pinned &&
  pinned_at && {
    message_id: pinned.message_id,
    message_content: pinned.content,
    message_attachments_count: pinned.attachments_count,
    user: presentSeenUser(personOfRow(pinned, pinned.user_id), urls),
    blocked: isFolded({ standing, blocked: pinned.blocked ? [pinned.user_id] : [] }, pinned),
    pinned_at: pinned_at.toISOString(),
  }

export const presentChatExtra = (row: ListedChat & Reading, urls: Urls) => ({
  unread_count: row.unread,
  muted: row.muted,
  seen_sequence: row.seen_sequence,
  last_sequence: row.last_sequence,
  latest_blocked: row.latest_blocked && !isOrganizer(row.standing),
  pinned: presentPinned(row, urls),
  may: { send: isOpen(row), delete_others: isOrganizer(row.standing), pin: mayPin(row) },
})
