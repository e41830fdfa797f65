import { z } from 'zod'
import { Flag, maybe } from './words.ts'

/* What an event's form says of its chat: `events.ts` adds it to an event, and the slice `chats` reads and saves it. */

export const chatExtra = {
  event_announcements_in_chat: z
    .boolean()
    .describe('Whether announcements also appear in the chat, as messages of the organizer who makes them.'),
}

export const chatFields = {
  event_announcements_in_chat: maybe(Flag).describe(
    'Whether announcements also appear in the chat, as messages of the organizer who makes them. By default they do.',
  ),
}
