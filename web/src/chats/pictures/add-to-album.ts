import type { QueryClient } from '@tanstack/react-query'
import { applyChanges, become } from '../../app/cache/change.ts'
import { api } from '../../app/net/client.ts'
import { eventQuery } from '../../events/queries.ts'
import type { Window } from '../history/window.ts'

/** Adds a picture of the chat to the album, and shows that it is there. Returns true if others see it there now. */
export const addToAlbum = async (client: QueryClient, message_attachment_id: number) => {
  const { event_id, extra } = await api.chats.addToAlbum({ message_attachment_id })
  applyChanges(client, [become<Window>(['messages'], window => withAdded(window, message_attachment_id))])
  const event = client.getQueryData(eventQuery(Number(event_id)).queryKey)
  return !(extra.waiting && event?.extra.photo_approval === 'album')
}

const withAdded = (window: Window, id: number): Window => ({
  ...window,
  messages: window.messages.map(message =>
    message.attachments.some(each => each.id === id)
      ? {
          ...message,
          attachments: message.attachments.map(each =>
            each.id === id ? { ...each, message_attachment_added_to_album: true } : each,
          ),
        }
      : message,
  ),
})
