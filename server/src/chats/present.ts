import type { MinimalUser, SeenUser } from '@afterglow/contract/accounts/user'
import { type GroupChat, groupChatStatus } from '@afterglow/contract/chats'
import type { Attachment, LatestMessage, Message } from '@afterglow/contract/chats/message'
import type { z } from 'zod'
import { type Person, personOf as personOfRow } from '../accounts/persons.ts'
import { presentMinimalUser, presentSeenUser } from '../accounts/present-person.ts'
import { presentFilm } from '../gallery/present-film.ts'
import { timeOfJson } from '../platform/database/row-json.ts'
import type { Urls } from '../platform/http/urls.ts'
import type { Viewer } from '../platform/http/viewer.ts'
import { endingOf } from '../platform/media/file-extensions.ts'
import { displayUrlOf, fullEndingOf, presentShown } from '../platform/media/original.ts'
import {
  isFolded,
  isOpen,
  mayAddToAlbum,
  mayAnswer,
  mayDelete,
  mayEdit,
  mayModerate,
  maySee,
  maySeePictures,
  maySeeReaders,
} from './access.ts'
import type { ListedChat, Reading } from './chat-list-store.ts'
import type { MessageJson, MessageRow, Messages, Reaction } from './messages/messages-store.ts'
import type { Sent } from './messages/send-message-store.ts'
import { reaching } from './seen-marks-store.ts'
import type { AttachmentRow, ChatRow } from './store.ts'

/** The recipient of a reply, and its format. */
export type Showing = { viewer: Pick<Viewer, 'id'>; urls: Urls; extra: boolean }

/** People as authors, and as those who have seen a message. */
export type Persons = ReadonlyMap<number, { author: z.output<typeof MinimalUser>; seen: z.output<typeof SeenUser> }>
export const presentPersons = (persons: Iterable<Person>, urls: Urls): Persons =>
  new Map(
    Array.from(persons, person => [
      person.id,
      { author: presentMinimalUser(person, urls), seen: presentSeenUser(person, urls) },
    ]),
  )

/** The context for presenting rows of one chat. Every person that a row names is in `persons`. */
export type MessageContext = {
  urls: Urls
  persons: Persons
  more: More | undefined
}
type More = { viewer: Pick<Viewer, 'id'>; chat: ChatRow }

const personOf = ({ persons }: Pick<MessageContext, 'persons'>, id: number) =>
  persons.get(id) as NonNullable<ReturnType<Persons['get']>>

/** A hidden message as shown to those who may not see its content. */
const veiled = (row: MessageRow): MessageRow => ({
  ...row,
  content: '',
  reactions: null,
  attachments: [],
  edited_at: null,
  hung: undefined,
})

export const asSeenBy = (row: MessageRow, viewer: Pick<Viewer, 'id'>, chat: ChatRow): MessageRow =>
  maySee(viewer, chat, row) ? withPicturesFor(row, chat) : veiled(row)

/** With the pictures that the viewer may see. */
export const withPicturesFor = (row: MessageRow, chat: Parameters<typeof maySeePictures>[0]): MessageRow =>
  maySeePictures(chat) ? row : { ...row, attachments: [] }

type MessageReply = z.output<typeof Message>

const presentText = (row: MessageJson, beside: MessageContext) => ({
  id: String(row.id),
  group_chat_id: String(row.group_chat_id),
  message_content: row.content,
  user: personOf(beside, row.user_id).author,
  created_at: timeOfJson(row.created_at),
  updated_at: timeOfJson(row.updated_at),
})

/**
 * Presents a message without its seen marks: a page of fifty names a thousand people, and `showMessages` writes each
 * once. Expects a row as the viewer may see it.
 */
export const presentWithoutSeens = (row: MessageRow, beside: MessageContext): Omit<MessageReply, 'seens'> => {
  const { parent, reactions, attachments } = row
  const { more } = beside
  return {
    ...presentText(row, beside),
    replied_to: parent && presentText(parent.hidden_at === null ? parent : { ...parent, content: '' }, beside),
    reactions: reactions?.map(reaction => presentReaction(row, reaction)) ?? [],
    attachments: attachments.map(attachment => presentAttachment(attachment, beside)),
    ...(more && { extra: presentMessageExtra(row, row.own_emojis, more.viewer, more.chat) }),
  }
}

export const presentMessage = (row: MessageRow, seens: readonly number[], beside: MessageContext): MessageReply => ({
  ...presentWithoutSeens(row, beside),
  seens: seens.map(id => ({ user: personOf(beside, id).seen })),
})

/** Messages as this viewer may see them. */
export const presentFor = ({ chats, marks, persons }: Messages, { viewer, urls, extra }: Showing) => {
  const beside = { urls, persons: presentPersons(persons, urls) }
  return (row: MessageRow): MessageReply => {
    const chat = chats.get(row.group_chat_id) as ChatRow
    const seens = maySeeReaders(chat) ? reaching(row, marks.get(row.group_chat_id) ?? []) : []
    return presentMessage(asSeenBy(row, viewer, chat), seens, { ...beside, more: extra ? { viewer, chat } : undefined })
  }
}

/** A text message at the moment it is sent: nobody has reacted to it or seen it yet. */
export const presentSent = ({ message, author, standing }: Sent, { viewer, urls, extra }: Showing): MessageReply => {
  const row = { ...message, parent: null, attachments: [], own_emojis: [] }
  const chat = { status: groupChatStatus.open, standing, blocked: [] }
  const shown = presentMessage(row, [], { urls, persons: presentPersons([author], urls), more: undefined })
  return extra ? { ...shown, extra: presentMessageExtra(row, [], viewer, chat) } : shown
}

const presentReaction = (row: MessageRow, { id, emoji, count, created_at, updated_at }: Reaction) => ({
  id: String(id),
  message_id: String(row.id),
  message_reaction_count: String(count),
  created_at,
  updated_at,
  message_reaction: emoji,
})

type Facts = Pick<
  MessageRow,
  'id' | 'sequence' | 'user_id' | 'parent' | 'edited_at' | 'deleted_at' | 'hidden_at' | 'card' | 'hung'
>

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
      react: stands && seen && mayAnswer(chat),
      hide: stands && mayModerate(chat),
    },
    ...(row.hung && { card: row.hung }),
  }
}

export const presentAttachment = (row: AttachmentRow, beside: MessageContext): z.output<typeof Attachment> => ({
  id: row.id,
  // A film's URL is its still: existing apps draw every attachment as a picture.
  message_attachment_url: beside.urls.ofEvent(row.media_id, 'full', row.media_epoch, fullEndingOf(row)),
  message_attachment_added_to_album: row.in_album,
  user: personOf(beside, row.user_id).author,
  created_at: row.created_at,
  updated_at: row.updated_at,
  ...(beside.more && { extra: presentAttachmentExtra(row, beside.more, beside.urls) }),
})

const presentAttachmentExtra = (row: AttachmentRow, { viewer, chat }: More, urls: Urls) => ({
  width: row.width,
  height: row.height,
  thumbhash: row.thumbhash,
  ...presentShown(row, urls, row.media_epoch, row.state !== null),
  video: row.state !== null,
  video_url: row.film ? urls.ofEvent(row.media_id, 'video', row.media_epoch, 'mp4') : null,
  video_state: presentFilm(row, displayUrlOf(row, urls, row.media_epoch)),
  preview_url: urls.ofEvent(row.media_id, 'preview', row.media_epoch, endingOf(row.preview_type)),
  message_id: row.message_id,
  may: { add_to_album: !row.in_album && mayAddToAlbum(viewer, chat, row), delete: mayDelete(viewer, chat, row) },
})

const seenUserOf = ({ user_username: _, user_visible: __, ...user }: MessageReply['user']) => user

/** A hidden message is never the latest; one that was hidden just now is empty until the next read. */
export const presentLatest = (
  row: MessageRow,
  seens: readonly number[],
  beside: MessageContext,
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

/** A chat except for its latest message, which follows. */
export const presentChatAlone = (
  row: ListedChat,
  urls: Urls,
): Omit<z.output<typeof GroupChat>, 'latest_message' | 'extra'> => ({
  id: row.id,
  event_id: row.event_id,
  group_chat_name: row.name,
  group_chat_status: row.status,
  group_chat_avatar: row.avatar_media_id
    ? urls.media(row.avatar_media_id, 'display', 0, row.avatar_ending)
    : urls.initials(row.name, row.event_id, row.theme),
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
  latest_blocked: row.latest_blocked && !mayModerate(row),
  pinned: presentPinned(row, urls),
  read_only_from: row.read_only_from?.toISOString() ?? null,
  may: {
    send: isOpen(row) && mayAnswer(row),
    delete_others: mayModerate(row),
    pin: mayModerate(row),
    end: mayModerate(row),
  },
})
