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
  /** It reaches to the end of the chat: what is missing there has only just been written, and is being loaded. */
  atEnd: boolean
  /** How far each person has read, as far as it is known, by id. */
  marks: Readonly<Record<number, Mark>>
}

export const sequenceOf = (message: Message) => message.extra.sequence
export const firstOf = ({ messages }: Window) => (messages[0] ? sequenceOf(messages[0]) : 0)
export const lastOf = ({ messages }: Window) => {
  const last = messages.at(-1)
  return last ? sequenceOf(last) : 0
}

/** Whether what was written last is missing at the end: `newest` is the chat's newest sequence. */
export const lacksNewest = (window: Window, newest: number) => window.atEnd && lastOf(window) < newest

/** From a page as the service gives it, newest first. */
export const windowOf = (newestFirst: readonly Message[], atEnd: boolean): Window =>
  noting({ messages: newestFirst.toReversed(), atEnd, marks: {} }, newestFirst)

/**
 * Who has seen a message, and who wrote it, has read at least up to it. Who has seen each is kept there and not with the
 * message as well: it is most of a page, and everything is copied whenever it is written down.
 */
export const noting = (window: Window, told: readonly Message[]): Window => {
  const marks = told.flatMap(message => {
    const { id, user_first_name, user_middle_name, user_last_name, user_avatar_url } = message.user
    const author = { id, user_first_name, user_middle_name, user_last_name, user_avatar_url }
    return [...message.seens, { user: author }].map(({ user }) => ({ user, sequence: sequenceOf(message) }))
  })
  const messages = window.messages.map(message => (message.seens.length > 0 ? { ...message, seens: [] } : message))
  return withMarks({ ...window, messages }, marks)
}

export const withMarks = (window: Window, told: readonly Mark[]): Window => {
  const marks: Record<number, Mark> = { ...window.marks }
  let further = false
  for (const { user, sequence } of told) {
    if ((marks[user.id]?.sequence ?? 0) >= sequence) continue
    marks[user.id] = { sequence, user }
    further = true
  }
  return further ? { ...window, marks } : window
}
