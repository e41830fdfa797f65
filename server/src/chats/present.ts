import {
  type Attachment,
  type GroupChat,
  groupChatStatus,
  type LatestMessage,
  type Message,
} from '@afterglow/contract/chats'
import type { z } from 'zod'
import { type Person, personOf as personOfRow } from '../accounts/persons.ts'
import { personJson, presentSeenUser } from '../accounts/present-person.ts'
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

/** Whom a reply is for, and how it is presented. */
export type Showing = { viewer: Pick<Viewer, 'id'>; urls: Urls; extra: boolean }

/** A person as JSON, as an author and as somebody who has seen a message. */
export type WrittenPerson = { user: string; seen: string }
export const writePerson = (person: Person, urls: Urls): WrittenPerson => {
  const { minimal, seen } = personJson(person, urls)
  return { user: minimal, seen: `{"user":${seen}}` }
}
export const writePersons = (persons: Iterable<Person>, urls: Urls): ReadonlyMap<number, WrittenPerson> =>
  new Map(Array.from(persons, person => [person.id, writePerson(person, urls)]))

/** The context for presenting rows of one chat. Every person that a row names is in `persons`. */
export type Beside = {
  urls: Urls
  persons: ReadonlyMap<number, WrittenPerson>
  /** For `extra`. */
  more: More | undefined
}
type More = { viewer: Pick<Viewer, 'id'>; chat: ChatRow }

const userOf = ({ persons }: Pick<Beside, 'persons'>, id: number) => (persons.get(id) as WrittenPerson).user

// ---- messages ----

/** A hidden message as shown to those who may not see its content. */
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

/**
 * A message as JSON up to its `seens`, from a row as the viewer may see it: written as text, because a page of fifty
 * took 200 µs more as objects. People are written apart from what is around them, or each name in a wide script would
 * widen the whole text.
 */
export const writeMessage = (write: Write, row: MessageRow, beside: Beside): void => {
  const { parent } = row
  write(
    `{"id":"${row.id}","group_chat_id":"${row.group_chat_id}","message_content":${JSON.stringify(row.content)},"user":`,
  )
  write(userOf(beside, row.user_id))
  if (parent) {
    write(`,"replied_to":{"id":"${parent.id}","group_chat_id":"${parent.group_chat_id}","message_content":\
${JSON.stringify(parent.content)},"created_at":"${parent.created_at}","updated_at":"${parent.updated_at}","user":`)
    write(userOf(beside, parent.user_id))
  }
  write(`${parent ? '}' : ',"replied_to":null'},"reactions":[\
${row.reactions?.map(reaction => reactionJson(row, reaction)) ?? ''}],\
"created_at":"${row.created_at}","updated_at":"${row.updated_at}",\
"attachments":[${row.attachments.map(attachment => attachmentJson(attachment, beside))}],"seens":[`)
}
type Write = (text: string) => void

/** Expects a row as the viewer may see it. */
export const presentMessage = (row: MessageRow, seens: readonly number[], beside: Beside): Shown => {
  const { persons, more } = beside
  let json = ''
  writeMessage(
    text => {
      json += text
    },
    row,
    beside,
  )
  const message = JSON.parse(`${json}${seens.map(id => (persons.get(id) as WrittenPerson).seen)}]}`)
  return more ? { ...message, extra: presentMessageExtra(row, row.own_emojis, more.viewer, more.chat) } : message
}

/** Messages as this viewer may see them. */
export const presentFor = ({ chats, marks, persons }: Messages, { viewer, urls, extra }: Showing) => {
  const beside = { urls, persons: writePersons(persons, urls) }
  return (row: MessageRow): Shown => {
    const chat = chats.get(row.group_chat_id) as ChatRow
    const seens = chat.hides_seen ? [] : reaching(row, marks.get(row.group_chat_id) ?? [])
    return presentMessage(asSeenBy(row, viewer, chat), seens, { ...beside, more: extra ? { viewer, chat } : undefined })
  }
}

/** A text message at the moment it is sent: nobody has reacted to it or seen it yet. */
export const presentSent = (
  { id, sequence, createdAt, author, standing }: Sent,
  { chatId, content }: { chatId: number; content: string },
  { viewer, urls, extra }: Showing,
): Shown => {
  const at = createdAt.toISOString()
  const row: MessageRow = {
    id,
    group_chat_id: chatId,
    sequence,
    user_id: author.id,
    content,
    reactions: null,
    created_at: at,
    updated_at: at,
    edited_at: null,
    deleted_at: null,
    hidden_at: null,
    parent: null,
    attachments: [],
    own_emojis: [],
  }
  const shown = presentMessage(row, [], { urls, persons: writePersons([author], urls), more: undefined })
  const chat = { status: groupChatStatus.open, standing, blocked: [] }
  return extra ? { ...shown, extra: presentMessageExtra(row, [], viewer, chat) } : shown
}

const reactionJson = (row: MessageRow, { id, emoji, count, created_at, updated_at }: Reaction) =>
  `{"id":"${id}","message_id":"${row.id}","message_reaction_count":"${count}","created_at":"${created_at}",\
"updated_at":"${updated_at}","message_reaction":${JSON.stringify(emoji)}}`

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

const attachmentJson = (row: AttachmentRow, beside: Beside) => {
  const extra = beside.more && presentAttachmentExtra(row, beside.more, beside.urls)
  return `{"id":${row.id},"message_attachment_url":${beside.urls.mediaJson(row.media_id, 'full', row.media_epoch)},\
"message_attachment_added_to_album":${row.in_album},"user":${userOf(beside, row.user_id)},\
"created_at":"${row.created_at}","updated_at":"${row.updated_at}"${extra ? `,"extra":${JSON.stringify(extra)}` : ''}}`
}

export const presentAttachment = (row: AttachmentRow, beside: Beside): z.output<typeof Attachment> =>
  JSON.parse(attachmentJson(row, beside))

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

/** A hidden message is never the latest; one that was hidden just now is empty until the next read. */
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
