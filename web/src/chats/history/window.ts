import type { ChannelPayloads } from '@afterglow/sdk/realtime'

/*
 * The loaded part of a chat: one stretch of its history without gaps. Sequences are 1, 2, 3 … without gaps too, so a
 * message's place in the whole history is known before the history is.
 */

export type Message = ChannelPayloads['message.created']
export type SeenUser = ChannelPayloads['message.seen']['user']
export type Mark = { sequence: number; user: SeenUser }
export type Window = {
  /** Oldest first. */
  messages: readonly Message[]
  /** It reaches the end of the chat: missing messages have only just been written, and are being loaded. */
  atEnd: boolean
  /** The last known seen mark of each person, by id. */
  marks: Readonly<Record<number, Mark>>
}

export const sequenceOf = (message: Message) => message.extra.sequence
export const firstOf = ({ messages }: Window) => (messages[0] ? sequenceOf(messages[0]) : 0)
export const lastOf = ({ messages }: Window) => {
  const last = messages.at(-1)
  return last ? sequenceOf(last) : 0
}

/** True if the newest messages are missing at the end: `newest` is the chat's newest sequence. */
export const lacksNewest = (window: Window, newest: number) => window.atEnd && lastOf(window) < newest

/** A window from a page of the service, newest first. */
export const windowOf = (newestFirst: readonly Message[], atEnd: boolean): Window =>
  noting({ messages: newestFirst.toReversed(), atEnd, marks: {} }, newestFirst)

/**
 * Readers and authors of a message have read at least up to it. Readers are stored as marks only, and not with each
 * message: they are most of a page, and everything is copied on every write.
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
