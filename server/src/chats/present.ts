import type {
  Attachment,
  GroupChat,
  LatestMessage,
  Message,
  MessageReaction,
  MessageReactionInChat,
  RepliedMessage,
  RepliedMessageInChat,
} from '@afterglow/contract/chats'
import type { z } from 'zod'
import { type Person, presentMinimalUser, presentSeenUser } from '../accounts/persons.ts'
import type { Urls } from '../platform/http/urls.ts'
import type { Viewer } from '../platform/http/viewer.ts'
import { isOpen, mayAddToAlbum, mayDelete, mayEdit, mayHide, maySee } from './access.ts'
import type { ListedChat, Reading } from './chats-store.ts'
import type { Sent } from './sending-store.ts'
import type { AttachmentRow, ChatRow, MessageRow, Reaction } from './store.ts'

/** What stands beside the rows of a page. Every person that a row names is in `persons`. */
export type Beside = {
  urls: Urls
  persons: ReadonlyMap<number, Person>
  attachments: ReadonlyMap<number, readonly AttachmentRow[]>
  /** For `extra`. */
  more: More | undefined
}
type More = {
  viewer: Pick<Viewer, 'id'>
  chats: ReadonlyMap<number, ChatRow>
  myReactions: ReadonlyMap<number, string[]>
}

const personOf = ({ persons }: Pick<Beside, 'persons'>, id: number) => persons.get(id) as Person
const times = (row: { created_at: Date; updated_at: Date }) => ({
  created_at: row.created_at.toISOString(),
  updated_at: row.updated_at.toISOString(),
})

// ---- messages ----

/** A message but for what changes without it, or is not the same for everybody. */
export type Body = Omit<z.output<typeof Message>, 'attachments' | 'seens' | 'extra'>

export const presentBody = (row: MessageRow, { urls, persons }: Pick<Beside, 'urls' | 'persons'>): Body => ({
  id: String(row.id),
  group_chat_id: String(row.group_chat_id),
  message_content: row.content,
  user: presentMinimalUser(persons.get(row.user_id) as Person, urls),
  replied_to: presentReplied(row, { urls, persons }),
  reactions: (row.reactions ?? []).map(reaction => presentReaction(row, reaction)),
  ...times(row),
})

/** What is left of a hidden message for those who may not see it. */
const veiled = (row: MessageRow): MessageRow => ({
  ...row,
  content: '',
  reactions: null,
  attachments_count: 0,
  edited_at: null,
})

/** The message as far as the viewer may see it. */
export const asSeenBy = (row: MessageRow, viewer: Pick<Viewer, 'id'>, chat: ChatRow): MessageRow =>
  maySee(viewer, chat, row) ? row : veiled(row)

/** Expects a row as the viewer may see it. */
export const presentMessage = (
  row: MessageRow,
  seens: readonly number[],
  beside: Beside,
): z.output<typeof Message> => ({
  ...presentBody(row, beside),
  attachments: row.attachments_count > 0 ? presentAttachments(beside.attachments.get(row.id) ?? [], beside) : [],
  seens: presentSeens(seens, beside),
  ...(beside.more && {
    extra: presentMessageExtra(row, beside.more, beside.more.chats.get(row.group_chat_id) as ChatRow),
  }),
})

/** A message of text alone as it stands at the moment it is sent: nobody has reacted to it or seen it yet. */
export const presentSent = (
  { id, sequence, createdAt: at, author, organizer }: Sent,
  { chatId, content }: { chatId: number; content: string },
  { urls, extra }: { urls: Urls; extra: boolean },
): z.output<typeof Message> => ({
  id: String(id),
  group_chat_id: String(chatId),
  message_content: content,
  user: presentMinimalUser(author, urls),
  replied_to: null,
  reactions: [],
  attachments: [],
  ...times({ created_at: at, updated_at: at }),
  ...(extra && {
    extra: {
      sequence,
      deleted: false,
      edited: false,
      my_reactions: [],
      hidden: false,
      may: { update: true, delete: true, react: true, hide: organizer },
    },
  }),
  seens: [],
})

const presentSeens = (people: readonly number[], beside: Beside) =>
  people.map(id => ({ user: presentSeenUser(personOf(beside, id), beside.urls) }))

const presentReplied = (
  row: MessageRow,
  beside: Pick<Beside, 'urls' | 'persons'>,
): z.output<typeof RepliedMessage> | null =>
  row.parent_id === null
    ? null
    : {
        ...parentOf(row, row.parent_id),
        user: presentMinimalUser(personOf(beside, row.parent_user_id), beside.urls),
      }

const parentOf = (row: MessageRow, id: number) => ({
  id: String(id),
  group_chat_id: String(row.group_chat_id),
  message_content: row.parent_content,
  created_at: row.parent_created_at.toISOString(),
  updated_at: row.parent_updated_at.toISOString(),
})

const presentReaction = (row: MessageRow, reaction: Reaction): z.output<typeof MessageReaction> => ({
  ...presentReactionInChat(row, reaction),
  message_reaction: reaction.emoji,
})

const presentReactionInChat = (row: MessageRow, reaction: Reaction): z.output<typeof MessageReactionInChat> => ({
  id: String(reaction.id),
  message_id: String(row.id),
  message_reaction_count: String(reaction.count),
  created_at: reaction.created_at,
  updated_at: reaction.updated_at,
})

type Facts = Pick<MessageRow, 'id' | 'sequence' | 'user_id' | 'edited_at' | 'deleted_at' | 'hidden_at'>

export const presentMessageExtra = (
  row: Facts,
  { viewer, myReactions }: Pick<More, 'viewer' | 'myReactions'>,
  chat: ChatRow,
) => {
  const stands = row.deleted_at === null
  const seen = maySee(viewer, chat, row)
  return {
    sequence: row.sequence,
    deleted: !stands,
    edited: seen && row.edited_at !== null,
    my_reactions: seen ? (myReactions.get(row.id) ?? []) : [],
    hidden: stands && row.hidden_at !== null,
    may: {
      update: isOpen(chat) && mayEdit(viewer, row),
      delete: stands && mayDelete(viewer, chat, row),
      react: stands && seen,
      hide: stands && mayHide(chat),
    },
  }
}

// ---- attachments ----

export const presentAttachments = (rows: readonly AttachmentRow[], beside: Omit<Beside, 'attachments'>) =>
  rows.map(row => presentAttachment(row, beside))

const presentAttachment = (row: AttachmentRow, beside: Omit<Beside, 'attachments'>): z.output<typeof Attachment> => ({
  id: row.id,
  message_attachment_url: beside.urls.media(row.media_id, 'display', row.media_epoch),
  message_attachment_added_to_album: row.in_album,
  user: presentMinimalUser(personOf(beside, row.user_id), beside.urls),
  ...times(row),
  ...(beside.more && { extra: presentAttachmentExtra(row, beside.more, beside.urls) }),
})

const presentAttachmentExtra = (row: AttachmentRow, { viewer, chats }: More, urls: Urls) => {
  const chat = chats.get(row.group_chat_id) as ChatRow
  return {
    width: row.width,
    height: row.height,
    thumbhash: row.thumbhash,
    preview_url: urls.media(row.media_id, 'preview', row.media_epoch),
    message_id: row.message_id,
    may: { add_to_album: !row.in_album && mayAddToAlbum(viewer, chat, row), delete: mayDelete(viewer, chat, row) },
  }
}

// ---- chats ----

// A hidden message is nobody's latest; one that was hidden just now is empty until the next look.
export const presentLatest = (
  latest: MessageRow,
  seens: readonly number[],
  beside: Beside,
): z.output<typeof LatestMessage> => {
  const row = latest.hidden_at === null ? latest : veiled(latest)
  return presentLatestRow(row, seens, beside)
}

const presentLatestRow = (
  row: MessageRow,
  seens: readonly number[],
  beside: Beside,
): z.output<typeof LatestMessage> => ({
  id: String(row.id),
  group_chat_id: String(row.group_chat_id),
  message_content: row.content,
  seens: presentSeens(seens, beside),
  replied_to: presentRepliedInChat(row, beside),
  user: presentMinimalUser(personOf(beside, row.user_id), beside.urls),
  reactions: (row.reactions ?? []).map(reaction => presentReactionInChat(row, reaction)),
  attachments: row.attachments_count > 0 ? presentAttachments(beside.attachments.get(row.id) ?? [], beside) : [],
  ...times(row),
})

const presentRepliedInChat = (row: MessageRow, beside: Beside): z.output<typeof RepliedMessageInChat> | null =>
  row.parent_id === null
    ? null
    : { ...parentOf(row, row.parent_id), user: presentSeenUser(personOf(beside, row.parent_user_id), beside.urls) }

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

export const presentChatExtra = (row: ListedChat & Reading) => ({
  unread_count: row.unread,
  muted: row.muted,
  seen_sequence: row.seen_sequence,
  last_sequence: row.last_sequence,
  may: { send: isOpen(row), delete_others: row.organizer },
})
