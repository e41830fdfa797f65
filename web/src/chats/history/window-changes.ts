import { firstOf, lastOf, type Message, noting, type SeenUser, sequenceOf, type Window, withMarks } from './window.ts'

/* The effects of pages and events on a window: none of it is needed to show the first one. */

/** With more than this the far end is dropped, so that a long read does not fill the memory. */
export const windowMax = 600

export const withOlder = (window: Window, newestFirst: readonly Message[]): Window => {
  const first = firstOf(window)
  const older = newestFirst.filter(message => sequenceOf(message) < first).toReversed()
  const messages = [...older, ...window.messages]
  const atEnd = window.atEnd && messages.length <= windowMax
  return noting({ ...window, messages: messages.slice(0, windowMax), atEnd }, older)
}

/** Leaves the window unchanged if the page does not join it. `last` is the chat's newest known sequence. */
export const withNewer = (window: Window, newestFirst: readonly Message[], last: number): Window => {
  const end = lastOf(window)
  const newer = newestFirst.filter(message => sequenceOf(message) > end).toReversed()
  const [next] = newer
  if (next && sequenceOf(next) !== end + 1) return window
  const messages = [...window.messages, ...newer].slice(-windowMax)
  const reached = messages.at(-1)
  return noting({ ...window, messages, atEnd: window.atEnd || !reached || sequenceOf(reached) >= last }, newer)
}

/** A message just written: it joins the end, or replaces itself. */
export const withMessage = (window: Window, message: Message): Window => {
  if (window.messages.some(({ id }) => id === message.id)) return withChanged(window, message)
  if (!window.atEnd) return window
  const next = lastOf(window) + 1
  if (sequenceOf(message) < next) return window
  // Earlier ones are announced in a moment, or loaded with it.
  if (sequenceOf(message) > next && window.messages.length > 0) return window
  return noting({ ...window, messages: [...window.messages, message].slice(-windowMax) }, [message])
}

/** Replies to it show its current text. */
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

export const withMark = (window: Window, user: SeenUser, sequence: number): Window =>
  withMarks(window, [{ user, sequence }])
