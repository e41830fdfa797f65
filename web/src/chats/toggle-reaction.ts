import type { Message } from './history/window.ts'

/** The message after the act. */
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
