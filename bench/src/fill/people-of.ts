import { guestsEach, type Size, sociable } from './size.ts'

/**
 * SQL for the k-th guest of event e (k from 0 to 19). 104 729 is prime and divides no count of users used here, so the
 * guests of an event are all different. Every 500th user is suspended and left out where guests are written.
 */
export const guestOf = (event: string, k: string, { users }: Size): string =>
  `(1 + ${sociable} + ((${event})::bigint * 7919 + (${k})::bigint * 104729) % ${users - sociable})`

/** SQL for a pseudo-random guest of the event, never a suspended one. */
export const someGuestOf = (event: string, number: string, size: Size): string => {
  const guest = (shift: number) => guestOf(event, `(${number} + ${shift}) % ${guestsEach}`, size)
  return `case when ${guest(0)} % 500 = 0 then ${guest(1)} else ${guest(0)} end`
}

/** SQL for a pseudo-random but reproducible number from 0 to below `most`. */
export const dice = (of: string, most: number, salt = 0): string =>
  `(hashint8extended((${of})::bigint, ${salt}) & 9223372036854775807) % ${most}`
