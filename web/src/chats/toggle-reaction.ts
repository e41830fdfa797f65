import type { QueryClient } from '@tanstack/react-query'
import { applyChanges } from '../app/change.ts'
import { api } from '../app/client.ts'
import { session } from '../app/session.ts'
import { sayFailure } from '../ui/failure.ts'
import { hearChats } from './reducer.ts'
import type { Message } from './window.ts'

/** Adds one's own emoji to a message or takes it back, and shows it at once. */
export const react = async (client: QueryClient, message: Message, emoji: string) => {
  const show = (changed: Message) =>
    applyChanges(client, hearChats({ kind: 'message.reacted', payload: changed }, session.get()?.userId ?? 0))
  const mine = message.extra.my_reactions.includes(emoji)
  const input = { message_id: message.id, message_reaction: emoji }
  show(toggled(message, emoji, mine))
  try {
    show(await (mine ? api.chats.unreactToMessage(input) : api.chats.reactToMessage(input)))
  } catch (error) {
    show(message)
    sayFailure(error)
  }
}

/** The message as it will be. */
export const toggled = (message: Message, emoji: string, mine: boolean): Message => {
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
