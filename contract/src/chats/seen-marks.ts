import { z } from 'zod'
import { SeenUser } from '../accounts/user.ts'
import { notInEvent } from '../chats.ts'
import { route } from '../route.ts'
import { Count, Id, IdNumber, Page, Paging, shape } from '../words.ts'
import { noSuchMessage } from './messages.ts'

export const markSeen = route('markSeen', 'PUT api/message/seen/{message_id}', {
  summary: "Moves the viewer's seen mark forward to a message. It never moves back.",
  perMinute: 240,
  input: z.object({ message_id: Id }),
  reply: shape('SeenMark', { group_chat_id: IdNumber, seen_sequence: Count, unread_count: Count }),
  refusals: { noSuchMessage, notInEvent },
})

export const listSeen = route('listSeen', 'GET api/message/seen', {
  summary: 'Lists the people whose seen mark has reached a message.',
  input: z.object({ message_id: Id, ...Paging }),
  reply: Page(SeenUser),
  refusals: { noSuchMessage, notInEvent },
})

export const countUnread = route('countUnread', 'GET api/message/unread', {
  summary: 'Returns the number of unread messages, in total and for each chat that has any.',
  input: z.object({}),
  reply: shape('Unread', {
    unread_count: Count,
    group_chats: z
      .array(z.strictObject({ group_chat_id: IdNumber, unread_count: Count }))
      .describe('The chats, each with its unread count.'),
  }),
  refusals: {},
})
