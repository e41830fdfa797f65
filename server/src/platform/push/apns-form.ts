import { type Clearing, imagesAt, type PushMessage, topicOf } from './message.ts'

/** With pictures, it goes through the app's notification service extension, which fetches and attaches them. */
export const form = (publicUrl: string | undefined) => (message: PushMessage) => {
  const { id, kind, title, body, link, tag, unread, silent, read } = message
  const images = imagesAt(publicUrl, message)
  return {
    aps: {
      alert: { title, body },
      ...(silent ? { 'interruption-level': 'passive' } : { sound: 'default' }),
      badge: unread,
      'thread-id': tag || undefined,
      ...(images.length > 0 && { 'mutable-content': 1 }),
    },
    id,
    kind,
    link,
    tag,
    ...(read?.length && { read }),
    ...(images.length > 0 && { images }),
  }
}

/**
 * It has the push type `alert`, because a badge is visible: iOS sets it even if the app is asleep, and wakes the app
 * when it sees fit.
 */
export const clearForm = ({ unread, read }: Clearing) => ({ aps: { badge: unread, 'content-available': 1 }, read })

/** Apple accepts at most 64 bytes, and a header may contain no other characters. */
export const collapseIdOf = (tag: string) => (/^[!-~]{0,64}$/.test(tag) ? tag : topicOf(tag))
