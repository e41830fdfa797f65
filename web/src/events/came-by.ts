import { session } from '../app/session.ts'

/* The code by which this browser came into an event: whoever has it may show it, such as the venue's screen. */

const placeOf = (eventId: number) => `afterglow.came-by.${eventId}`

export const keepCode = (eventId: number, code: string) =>
  localStorage.setItem(placeOf(eventId), JSON.stringify({ userId: session.get()?.userId, code }))

/** Undefined for somebody else who signed in here later. */
export const keptCode = (eventId: number): string | undefined => {
  const { userId, code } = JSON.parse(localStorage.getItem(placeOf(eventId)) ?? '{}')
  return userId === session.get()?.userId ? code : undefined
}
