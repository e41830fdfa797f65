/* The query keys of chats. */

export const chatsKey = ['chats'] as const
export const chatKey = (id?: number) => (id === undefined ? (['chat'] as const) : (['chat', id] as const))
export const windowKey = (chatId?: number) =>
  chatId === undefined ? (['messages'] as const) : (['messages', chatId] as const)

/* The subject of a pending act. */
export const aboutReaction = (messageId: string, emoji: string) => `message ${messageId} ${emoji}`
export const aboutPoll = (messageId: string) => `poll ${messageId}`
