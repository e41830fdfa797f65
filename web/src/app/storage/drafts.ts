import { ours } from '../public-path.ts'
import { session } from '../session.ts'

/* Unsent drafts, kept for their author by place: a chat, a photo. */

export const draftsOf = (userId: number | undefined) => `${ours}.draft.${userId}.`
const nameOf = (place: string) => draftsOf(session.get()?.userId) + place

export const draftOf = (place: string): string => localStorage.getItem(nameOf(place)) ?? ''

export const keepDraft = (place: string, text: string) => {
  if (text) localStorage.setItem(nameOf(place), text)
  else localStorage.removeItem(nameOf(place))
}
