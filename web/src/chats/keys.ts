/* What chats are loaded under. */

export const chatsKey = ['chats'] as const
export const chatKey = (id?: number) => (id === undefined ? (['chat'] as const) : (['chat', id] as const))
export const windowKey = (chatId?: number) =>
  chatId === undefined ? (['messages'] as const) : (['messages', chatId] as const)
