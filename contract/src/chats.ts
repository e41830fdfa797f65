import { z } from 'zod'
import { SeenUser } from './accounts/user.ts'
import { LatestMessage } from './chats/message.ts'
import { type RefusalPage, reload } from './refusal-advice.ts'
import { notFound, route, says } from './route.ts'
import { Count, Done, Id, IdNumber, Moment, maybe, Page, Paging, shape, Timestamp, Url } from './words.ts'

export const groupChatStatus = { open: 1, readOnly: 2, closed: 3 } as const

/** The message that an organizer pinned to the top of its chat. */
export const PinnedMessage = shape('PinnedMessage', {
  message_id: IdNumber,
  message_content: z.string(),
  message_attachments_count: Count.describe('Number of pictures attached to the message.'),
  user: SeenUser,
  /** The viewer blocks its author and is not an organizer: clients should collapse it. */
  blocked: z.boolean(),
  pinned_at: Timestamp.describe('When the message was pinned.'),
})

export const GroupChat = shape('GroupChat', {
  id: IdNumber,
  event_id: IdNumber,
  group_chat_name: z.string().describe('Name of the chat: the name of its event.'),
  group_chat_status: z.int().describe('1 open, 2 read-only, 3 closed.'),
  group_chat_avatar: Url.describe('Picture of the chat: the cover of its event, in the same sizes.'),
  latest_message: LatestMessage.nullable(),
  extra: z
    .strictObject({
      unread_count: Count,
      muted: z.boolean(),
      /** The sequence that the viewer's seen mark has reached; 0 before the first. */
      seen_sequence: Count,
      last_sequence: Count.describe('Position of the newest message.'),
      latest_blocked: z
        .boolean()
        .describe(
          'Whether the viewer blocks the author of the latest message, so that clients should collapse its text. Always false for organizers.',
        ),
      pinned: PinnedMessage.nullable(),
      read_only_from: Timestamp.nullable().describe('When the chat becomes read-only, if an organizer set a time.'),
      may: z.strictObject({
        send: z.boolean(),
        delete_others: z.boolean(),
        pin: z.boolean(),
        end: z.boolean().describe('Whether the viewer may make the chat read-only and open it again.'),
      }),
    })
    .optional(),
})

export const noSuchChat = notFound('Group chat not found!')
export const notInEvent = says('The user is neither a guest nor an organizer of the event')
export const notOrganizer = says('The user is not an organizer of the event')
export const notOpen = says('The group chat is read-only')

/** Why each is given, and what a client should do: the pages of refusals are made of it. */
export const refusalPages = {
  noSuchChat: { cause: 'The group chat does not exist.', client: reload },
  notOpen: {
    cause: 'The group chat is read-only or closed.',
    client: 'Reload the chat, show that it is read-only, and keep what was typed.',
  },
} satisfies Record<string, RefusalPage>

export const listChats = route('listChats', 'GET api/message/group/list', {
  documented: true,
  summary: "Lists the chats of the viewer's events, most recently active first.",
  extra: true,
  input: z.object(Paging),
  reply: Page(GroupChat),
  refusals: {},
})

export const readChat = route('readChat', 'GET api/message/group/{group_chat_id}', {
  documented: true,
  summary: 'Returns a group chat.',
  perMinute: 240,
  extra: true,
  input: z.object({ group_chat_id: Id }),
  reply: GroupChat,
  refusals: { noSuchChat, notInEvent },
})

export const endChat = route('endChat', 'PUT api/message/group/end/{group_chat_id}', {
  summary:
    'Makes a group chat read-only, now or from a moment to come: what is written stays, and nobody writes any more. Organizers only.',
  extra: true,
  input: z.object({ group_chat_id: Id, from: maybe(Moment).describe('From when. Left out: now.') }),
  reply: GroupChat,
  refusals: { noSuchChat, notInEvent, notOrganizer },
  takes: { back: 'reopenChat', tells: 'channel', audits: 'chat.ended' },
})

export const reopenChat = route('reopenChat', 'DELETE api/message/group/end/{group_chat_id}', {
  summary: 'Opens a read-only group chat again, or cancels that it becomes so. Organizers only.',
  extra: true,
  input: z.object({ group_chat_id: Id }),
  reply: GroupChat,
  refusals: { noSuchChat, notInEvent, notOrganizer },
})

const Muted = shape('Muted', { muted: z.boolean() })

export const muteChat = route('muteChat', 'PUT api/message/group/mute/{group_chat_id}', {
  summary: 'Mutes the notifications of a chat.',
  input: z.object({ group_chat_id: Id }),
  reply: Muted,
  refusals: { noSuchChat, notInEvent },
})

export const unmuteChat = route('unmuteChat', 'DELETE api/message/group/mute/{group_chat_id}', {
  summary: 'Unmutes the notifications of a chat.',
  input: z.object({ group_chat_id: Id }),
  reply: Muted,
  refusals: { noSuchChat, notInEvent },
})

export const sayTyping = route('sayTyping', 'PUT api/message/typing/{group_chat_id}', {
  summary: 'Tells the others in a chat that the viewer is typing. Repeat every few seconds while typing continues.',
  perMinute: 30,
  input: z.object({ group_chat_id: Id }),
  reply: Done,
  refusals: { noSuchChat, notInEvent, notOpen },
})
