import type { ChannelPayloads } from '@afterglow/sdk/realtime'
import { become, type Change, type Rules, reload } from '../app/cache/change.ts'
import { eachRow, type Listed, withoutRow } from '../app/cache/pages.ts'
import { type Message, sequenceOf, type Window } from './history/window.ts'
import { withChanged, withMark, withMessage } from './history/window-changes.ts'
import { chatKey, chatsKey, windowKey } from './keys.ts'

type Chat = ChannelPayloads['group.updated']
type SeenPayload = ChannelPayloads['message.seen']

/** Channel events about chats and messages. */
export const onChatEvent: Rules = (heard, me) => {
  switch (heard.kind) {
    case 'message.created':
      return created(heard.payload, me)
    case 'message.updated':
    case 'message.deleted':
    case 'message.reacted':
      return changed(heard.payload)
    case 'message.seen':
      return seen(heard.payload, me)
    case 'group.updated':
      return eachChat(heard.payload.id, () => heard.payload)
    case 'guest.joined':
      return heard.payload.guest.user.id === me ? [reload(chatsKey), reload(chatKey())] : []
    case 'guest.left':
      if (heard.payload.user_id === me) return [withoutEvent(heard.payload.event_id), reload(chatKey())]
      // A removed guest may hold links of others: all have ended.
      return heard.payload.removed ? everything : []
    case 'guests.counted':
      return heard.payload.removed ? everything : []
    case 'guest.updated':
      return heard.payload.guest.user.id === me ? everything : []
    case 'event.updated':
    case 'event.cancelled':
      return everything
    case 'event.deleted':
      return [withoutEvent(heard.payload.event_id), reload(chatKey())]
    default:
      return []
  }
}

/** The permissions on each message have changed, or the URLs of its pictures. */
const everything: Change[] = [reload(windowKey()), reload(chatsKey), reload(chatKey())]

const eachChat = (id: number, change: (chat: Chat) => Chat): Change[] => [
  become<Listed<Chat>>(chatsKey, shown => eachRow(shown, chat => (chat.id === id ? change(chat) : chat))),
  become<Chat>(chatKey(id), change),
]

const withoutEvent = (eventId: number) =>
  become<Listed<Chat>>(chatsKey, shown => withoutRow(shown, chat => chat.event_id === eventId))

const created = (message: Message, me: number): Change[] => {
  const id = Number(message.group_chat_id)
  const count = (chat: Chat) => withNewest(chat, message, me)
  return [
    become<Window>(windowKey(id), window => withMessage(window, message)),
    become<Chat>(chatKey(id), count),
    become<Listed<Chat>>(chatsKey, shown => lastActiveFirst(shown, id, count)),
  ]
}

const lastActiveFirst = (shown: Listed<Chat>, id: number, change: (chat: Chat) => Chat): Listed<Chat> => {
  const chat = shown.pages.flatMap(page => page.data).find(each => each.id === id)
  if (!chat) return shown
  const rest = withoutRow(shown, each => each.id === id)
  const [first, ...others] = rest.pages
  return first ? { ...rest, pages: [{ ...first, data: [change(chat), ...first.data] }, ...others] } : shown
}

/** An author has read all earlier messages. */
const withNewest = (chat: Chat, message: Message, me: number): Chat => {
  const sequence = sequenceOf(message)
  if (!chat.extra || sequence <= chat.extra.last_sequence) return chat
  const mine = message.user.id === me
  return {
    ...chat,
    latest_message: latestOf(message),
    extra: {
      ...chat.extra,
      last_sequence: sequence,
      latest_blocked: message.extra.blocked,
      unread_count: mine ? 0 : chat.extra.unread_count + (message.extra.blocked ? 0 : 1),
      seen_sequence: mine ? sequence : chat.extra.seen_sequence,
    },
  }
}

const changed = (message: Message): Change[] => {
  const id = Number(message.group_chat_id)
  return [
    become<Window>(windowKey(id), window => withChanged(window, message)),
    ...eachChat(id, chat =>
      chat.latest_message?.id === message.id ? { ...chat, latest_message: latestOf(message) } : chat,
    ),
  ]
}

const seen = ({ group_chat_id, seen_sequence, user }: SeenPayload, me: number): Change[] => [
  become<Window>(windowKey(group_chat_id), window => withMark(window, user, seen_sequence)),
  ...(user.id === me ? eachChat(group_chat_id, chat => withSeen(chat, seen_sequence)) : []),
]

/** group.updated says how many messages remain after a mark that stops short of the end. */
export const withSeen = (chat: Chat, sequence: number): Chat => {
  if (!chat.extra || sequence <= chat.extra.seen_sequence) return chat
  const unread_count = sequence >= chat.extra.last_sequence ? 0 : chat.extra.unread_count
  return { ...chat, extra: { ...chat.extra, seen_sequence: sequence, unread_count } }
}

/** A message as in a list of chats. */
export const latestOf = ({
  extra: _,
  replied_to,
  reactions,
  attachments,
  ...message
}: Message): NonNullable<Chat['latest_message']> => ({
  ...message,
  replied_to: replied_to && { ...replied_to, user: seenUserOf(replied_to.user) },
  reactions: reactions.map(({ message_reaction: _, ...reaction }) => reaction),
  attachments: attachments.map(({ extra: _, ...attachment }) => attachment),
})

const seenUserOf = ({ id, user_first_name, user_middle_name, user_last_name, user_avatar_url }: Message['user']) => ({
  id,
  user_first_name,
  user_middle_name,
  user_last_name,
  user_avatar_url,
})
