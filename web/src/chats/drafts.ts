/* What was begun and not sent, kept for each chat until it is. */

const place = (chatId: number) => `afterglow.draft.${chatId}`

export const draftOf = (chatId: number): string => localStorage.getItem(place(chatId)) ?? ''

export const keepDraft = (chatId: number, text: string) => {
  if (text) localStorage.setItem(place(chatId), text)
  else localStorage.removeItem(place(chatId))
}
