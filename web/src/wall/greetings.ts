import type { Message } from '../chats/window.ts'

/** So long is still read while a photo is on. */
const lengthMax = 120
/** As many go round. */
const roundMax = 8

const address = /:\/\/|\bwww\./i

/**
 * What may stand on the wall, newest first: short, of itself, and neither withdrawn nor hidden, nor by somebody whom its
 * reader blocked. Answers and addresses say nothing to a room.
 */
export const greetingsOf = (messages: readonly Message[], blocked: ReadonlySet<number>): Message[] =>
  messages
    .filter(({ message_content: words, replied_to, attachments, user, extra }) => {
      const isShown = !extra.deleted && !extra.hidden && !blocked.has(user.id)
      const isShort = words.trim() !== '' && [...words].length <= lengthMax && !address.test(words)
      return isShown && isShort && replied_to === null && attachments.length === 0
    })
    .toReversed()
    .slice(0, roundMax)
