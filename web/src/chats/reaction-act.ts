import { applyChanges } from '../app/cache/change.ts'
import { queryClient } from '../app/cache/query.ts'
import { api } from '../app/net/client.ts'
import { session } from '../app/session.ts'
import { actInstead } from '../app/storage/acts.ts'
import type { Performer } from '../app/storage/pending-acts.ts'
import { sayFailure } from '../ui/failure.ts'
import { shownWindow } from './history/history-query.ts'
import type { Message } from './history/window.ts'
import { aboutReaction } from './keys.ts'
import { onChatEvent } from './reducer.ts'

/* Reactions to messages, which wait for a network if there is none. */

declare module '../app/storage/pending-acts.ts' {
  interface Acts {
    messageReaction: { chatId: number; messageId: string; emoji: string; given: boolean }
  }
}

const show = (changed: Message) =>
  applyChanges(queryClient, onChatEvent({ kind: 'message.reacted', payload: changed }, session.get()?.userId ?? 0))

const messageShown = (chatId: number, messageId: string) =>
  shownWindow(queryClient, chatId)?.messages.find(({ id }) => id === messageId)

export const messageReaction: Performer<'messageReaction'> = {
  show({ chatId, messageId, emoji, given }) {
    const message = messageShown(chatId, messageId)
    if (message && message.extra.my_reactions.includes(emoji) !== given) show(toggled(message, emoji, !given))
  },
  async perform({ messageId: message_id, emoji: message_reaction, given }) {
    const input = { message_id, message_reaction }
    show(await (given ? api.chats.reactToMessage(input) : api.chats.unreactToMessage(input)))
  },
  undo({ chatId, messageId, emoji, given }, refusal) {
    const shown = messageShown(chatId, messageId)
    if (shown?.extra.my_reactions.includes(emoji) === given) show(toggled(shown, emoji, given))
    sayFailure(refusal)
  },
}

/** Adds the viewer's emoji to a message or removes it, and shows it at once. */
export const react = (message: Message, emoji: string) => {
  const mine = message.extra.my_reactions.includes(emoji)
  show(toggled(message, emoji, mine))
  const told = { chatId: Number(message.group_chat_id), messageId: message.id, emoji, given: !mine }
  void actInstead('messageReaction', aboutReaction(message.id, emoji), told)
}

/** The message after the act. */
const toggled = (message: Message, emoji: string, mine: boolean): Message => {
  const others = message.extra.my_reactions.filter(each => each !== emoji)
  const extra = { ...message.extra, my_reactions: mine ? others : [...others, emoji] }
  const known = message.reactions.find(each => each.message_reaction === emoji)
  const number = Number(known?.message_reaction_count ?? 0) + (mine ? -1 : 1)
  const made = known ?? {
    id: `${message.id}`,
    message_id: message.id,
    message_reaction: emoji,
    message_reaction_count: '0',
    created_at: message.updated_at,
    updated_at: message.updated_at,
  }
  const reaction = { ...made, message_reaction_count: String(number) }
  const reactions = known
    ? message.reactions
        .map(each => (each === known ? reaction : each))
        .filter(each => each.message_reaction_count !== '0')
    : [...message.reactions, reaction]
  return { ...message, reactions, extra }
}
