import type { Message } from '../chats/history/window.ts'

/** The longest message, in characters, that can be read during one photo. */
const lengthMax = 120
/** How many rotate. */
const roundMax = 8

const address = /:\/\/|\bwww\./i

/**
 * Messages for the wall, newest first: short, self-contained, and neither deleted nor hidden, nor by people whom the
 * reader has blocked. Replies and URLs mean nothing to a room.
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
