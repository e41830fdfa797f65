import { type Reason, reasons } from '@afterglow/contract/reasons'
import { mentionedPeople, mentionsIn, stillIn } from '../events/announcements/mentions.ts'
import type { ChangeRow } from '../log/announce.ts'
import { excerpt } from '../notifications/excerpt.ts'
import type { Notice, NoticeChanges, NoticeTemplates } from '../notifications/notices.ts'
import type { TextValues } from '../notifications/texts.ts'
import type { Transaction } from '../platform/database/database.ts'
import { allRows } from '../platform/database/rows.ts'
import { pinnedOf } from './messages/change-message-store.ts'
import { holdReading, listenersOf } from './seen-marks-store.ts'

export const tags = {
  messages: (chatId: number) => `chat:${chatId}`,
  mentions: (chatId: number) => `chat:${chatId}:mentions`,
  replies: (chatId: number) => `chat:${chatId}:replies`,
  reactions: (messageId: number) => `message:${messageId}:reactions`,
  pin: (messageId: number) => `message:${messageId}:pin`,
  ofMessage: (messageId: number) => [tags.reactions(messageId), tags.pin(messageId)],
}

/** Notifications that a message was sent. */
export const tellsOfMessage = ['message', 'mention', 'message_reply'] as const
/** Notifications that reading the chat marks as read: all those containing a message's text. */
export const readWithChat = [...tellsOfMessage, 'message_reaction', 'message_pinned'] as const

/** A change to an existing message, with everything its text needs. */
type ChangedMessage = {
  id: number
  chat_id: number
  event_id: number
  event: string
  actor: string
  message_id: number
  sequence: number
  author_id: number
  content: string
  replied_author_id: number | null
  /** The announced reaction still exists. */
  reacts: boolean
}

/** Keeps the messages from being deleted until the transaction ends. */
const readTold = (tx: Transaction, changes: readonly ChangeRow[]) => allRows<ChangedMessage>(tx)`
    select c.id, m.group_chat_id as chat_id, e.id as event_id, e.name as event,
      concat_ws(' ', a.first_name, nullif(a.last_name, '')) as actor,
      m.id as message_id, m.sequence, m.user_id as author_id, m.content, p.user_id as replied_author_id,
      exists (select from message_reactions r
        where r.message_id = m.id and r.user_id = c.actor_id and r.emoji = c.detail ->> 'emoji') as reacts
    from changes c join messages m on m.id = c.subject_id and m.deleted_at is null and m.hidden_at is null
      join events e on e.id = c.event_id and e.deleted_at is null join users a on a.id = c.actor_id
      left join messages p on p.id = m.reply_to_id
    where c.id = any(${changes.map(change => change.id)}::bigint[]) order by m.id, c.id for share of m`

type Hearing = {
  /** People in the chat who have not read up to this sequence. */
  unread(chatId: number, sequence: number): number[]
  silenced(chatId: number): ReadonlyMap<number, Reason>
}

const readHearing = async (tx: Transaction, told: readonly ChangedMessage[]): Promise<Hearing> => {
  const chatIds = [...new Set(told.map(({ chat_id }) => chat_id))].sort((a, b) => a - b)
  await holdReading(tx, chatIds)
  const listeners = await listenersOf(tx, chatIds)
  const people = new Map([...listeners].map(([id, all]) => [id, all.map(({ user_id }) => user_id)]))
  const silenced = new Map(
    chatIds.map(id => {
      const muting = (listeners.get(id) ?? []).filter(({ muted }) => muted)
      return [id, new Map(muting.map(({ user_id }) => [user_id, reasons.chatMuted]))]
    }),
  )
  return {
    unread: (chatId, sequence) => {
      const reader = (listeners.get(chatId) ?? []).findIndex(({ read_up_to }) => read_up_to >= sequence)
      return (people.get(chatId) ?? []).slice(0, reader === -1 ? undefined : reader)
    },
    silenced: chatId => silenced.get(chatId) ?? new Map(),
  }
}

const about = ({ event, actor, event_id, chat_id, message_id, content }: ChangedMessage, { silenced }: Hearing) => ({
  values: { actor, event, text: excerpt(content) } as TextValues,
  link: `/events/${event_id}/chat?message=${message_id}`,
  eventId: event_id,
  subjectId: message_id,
  silenced: silenced(chat_id),
})

const mention = (told: ChangedMessage, what: ReturnType<typeof about>, to: readonly number[]): Notice => ({
  ...what,
  kind: 'mention',
  to,
  tag: tags.mentions(told.chat_id),
  reason: reasons.mentioned,
})

type Write = (
  tx: Transaction,
  told: readonly ChangedMessage[],
  hearing: Hearing,
  changes: ReadonlyMap<number, ChangeRow>,
) => Promise<Notice[][]>

const noticing =
  (write: Write): NoticeChanges =>
  async (tx, changes) => {
    const told = await readTold(tx, changes)
    if (told.length === 0) return new Map()
    const byId = new Map(changes.map(change => [change.id, change]))
    const notices = await write(tx, told, await readHearing(tx, told), byId)
    return new Map(told.map(({ id }, at) => [id, (notices[at] ?? []).filter(({ to }) => to.length > 0)]))
  }

export const chatNoticing: NoticeTemplates = {
  'message.created': noticing(async (tx, all, hearing) => {
    const mentioned = await mentionedPeople(
      tx,
      all.map(told => ({ eventId: told.event_id, mentions: mentionsIn(told.content) })),
      'readChat',
    )
    return all.map((told, at) => {
      const { chat_id, replied_author_id } = told
      const unread = hearing.unread(chat_id, told.sequence)
      const what = about(told, hearing)
      return [
        mention(
          told,
          what,
          unread.filter(id => mentioned[at]?.has(id)),
        ),
        {
          ...what,
          kind: 'message_reply',
          to: unread.filter(id => id === replied_author_id),
          tag: tags.replies(chat_id),
          reason: reasons.replyToMessage,
        },
        {
          ...what,
          kind: 'message',
          to: unread,
          tag: tags.messages(chat_id),
          reason: reasons.inChat,
        },
      ]
    })
  }),

  /** For an edit, only people newly mentioned; including those who have read the message before. */
  'message.updated': noticing(async (tx, all, hearing, changes) => {
    const mentioned = await mentionedPeople(
      tx,
      all.map(told => ({
        eventId: told.event_id,
        mentions: stillIn(told.content, changes.get(told.id)?.detail?.mentions ?? []),
      })),
      'readChat',
    )
    return all.map((told, at) => [mention(told, about(told, hearing), [...(mentioned[at] ?? [])])])
  }),

  'message.reacted': noticing(async (_, all, hearing, changes) =>
    all.map(told => {
      const { reacts, author_id, chat_id, message_id } = told
      const what = about(told, hearing)
      return [
        {
          ...what,
          values: { ...what.values, emoji: changes.get(told.id)?.detail?.emoji },
          kind: 'message_reaction',
          to: hearing.unread(chat_id, Infinity).filter(id => reacts && id === author_id),
          tag: tags.reactions(message_id),
          reason: reasons.ownMessage,
        },
      ]
    }),
  ),

  /** Includes people who have read it, as long as it is pinned. */
  'message.pinned': noticing(async (tx, all, hearing) => {
    const pinned = await pinnedOf(
      tx,
      all.map(({ message_id }) => message_id),
    )
    return all.map(told => [
      {
        ...about(told, hearing),
        kind: 'message_pinned',
        to: pinned.has(told.message_id) ? hearing.unread(told.chat_id, Infinity) : [],
        tag: tags.pin(told.message_id),
        reason: reasons.inChat,
      },
    ])
  }),
}
