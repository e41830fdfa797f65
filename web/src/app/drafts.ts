/* What was begun and not sent, kept for each place until it is: a chat, a photo. */

const nameOf = (place: string) => `afterglow.draft.${place}`

export const draftOf = (place: string): string => localStorage.getItem(nameOf(place)) ?? ''

export const keepDraft = (place: string, text: string) => {
  if (text) localStorage.setItem(nameOf(place), text)
  else localStorage.removeItem(nameOf(place))
}
