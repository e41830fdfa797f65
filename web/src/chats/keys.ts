/* What chats are loaded under. */

export const chatsKey = ['chats'] as const
export const chatKey = (id?: number) => (id === undefined ? (['chat'] as const) : (['chat', id] as const))
export const windowKey = (chatId?: number) =>
  chatId === undefined ? (['messages'] as const) : (['messages', chatId] as const)

/* What an act that waits is about. */
export const aboutReaction = (messageId: string, emoji: string) => `message ${messageId} ${emoji}`
export const aboutPoll = (messageId: string) => `poll ${messageId}`
