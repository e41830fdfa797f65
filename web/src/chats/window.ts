import type { ChannelPayloads } from '@afterglow/sdk/realtime'

/*
 * What is loaded of a chat: one stretch of its history without gaps. Sequences are 1, 2, 3 … without gaps too, so a
 * message's place in the whole history is known before the history is.
 */

export type Message = ChannelPayloads['message.created']
export type SeenUser = ChannelPayloads['message.seen']['user']
export type Mark = { sequence: number; user: SeenUser }
export type Window = {
  /** Oldest first. */
  messages: readonly Message[]
  /** The newest message of the chat is among them. */
  atEnd: boolean
  /** How far each person has read, as far as it is known, by id. */
  marks: Readonly<Record<number, Mark>>
}

/** More than this and the far end is let go, so that a long read does not fill the memory. */
export const windowMax = 600

export const sequenceOf = (message: Message) => message.extra.sequence
export const firstOf = ({ messages }: Window) => (messages[0] ? sequenceOf(messages[0]) : 0)
export const lastOf = ({ messages }: Window) => {
  const last = messages.at(-1)
  return last ? sequenceOf(last) : 0
}

/** From a page as the service gives it, newest first. */
export const windowOf = (newestFirst: readonly Message[], atEnd: boolean): Window =>
  noting({ messages: newestFirst.toReversed(), atEnd, marks: {} }, newestFirst)

export const withOlder = (window: Window, newestFirst: readonly Message[]): Window => {
  const first = firstOf(window)
  const older = newestFirst.filter(message => sequenceOf(message) < first).toReversed()
  const messages = [...older, ...window.messages]
  const atEnd = window.atEnd && messages.length <= windowMax
  return noting({ ...window, messages: messages.slice(0, windowMax), atEnd }, older)
}

/** Leaves the window as it is when the page does not join it. `last` is the chat's newest sequence. */
export const withNewer = (window: Window, newestFirst: readonly Message[], last: number): Window => {
  const end = lastOf(window)
  const newer = newestFirst.filter(message => sequenceOf(message) > end).toReversed()
  const [next] = newer
  if (next && sequenceOf(next) !== end + 1) return window
  const messages = [...window.messages, ...newer].slice(-windowMax)
  const reached = messages.at(-1)
  return noting({ ...window, messages, atEnd: !reached || sequenceOf(reached) >= last }, newer)
}

/** One that was just written: joins the end, or replaces itself. */
export const withMessage = (window: Window, message: Message): Window => {
  if (window.messages.some(({ id }) => id === message.id)) return withChanged(window, message)
  if (!window.atEnd) return window
  const next = lastOf(window) + 1
  if (sequenceOf(message) < next) return window
  if (sequenceOf(message) > next && window.messages.length > 0) return { ...window, atEnd: false }
  return noting({ ...window, messages: [...window.messages, message].slice(-windowMax) }, [message])
}

/** What answers it shows what it says now. */
export const withChanged = (window: Window, message: Message): Window => {
  const { id, message_content, updated_at } = message
  if (!window.messages.some(each => each.id === id || each.replied_to?.id === id)) return window
  const messages = window.messages.map(each => {
    if (each.id === id) return message
    return each.replied_to?.id === id
      ? { ...each, replied_to: { ...each.replied_to, message_content, updated_at } }
      : each
  })
  return noting({ ...window, messages }, [message])
}

export const withMark = (window: Window, user: SeenUser, sequence: number): Window => {
  const known = window.marks[user.id]
  if (known && known.sequence >= sequence) return window
  return { ...window, marks: { ...window.marks, [user.id]: { sequence, user } } }
}

/** Who has seen a message, and who wrote it, has read at least up to it. */
const noting = (window: Window, messages: readonly Message[]): Window => {
  let noted = window
  for (const message of messages) {
    const { id, user_first_name, user_middle_name, user_last_name, user_avatar_url } = message.user
    const author = { id, user_first_name, user_middle_name, user_last_name, user_avatar_url }
    for (const { user } of [...message.seens, { user: author }]) noted = withMark(noted, user, sequenceOf(message))
  }
  return noted
}
