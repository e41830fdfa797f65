import { z } from 'zod'
import { Flag, maybe } from './words.ts'

/*
 * The chat's settings in an event's form: `events.ts` adds them to an event, and the slice `chats` reads and saves
 * them.
 */

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
