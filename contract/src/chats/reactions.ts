import { z } from 'zod'
import { MinimalUser } from '../accounts/user.ts'
import { notInEvent } from '../chats.ts'
import { route } from '../route.ts'
import { Emoji, Id, maybe, Page, Paging } from '../words.ts'
import { Message } from './message.ts'
import { noSuchMessage } from './messages.ts'

export const listReactedUsers = route(
  'listReactedUsers',
  ['GET api/message/reacted', 'GET api/message/reacted/{message_id}'],
  {
    documented: true,
    names: ['listReactedUsersOf'],
    summary: 'Lists the people who reacted to a message, newest first, each person once.',
    input: z.object({ message_id: Id, ...Paging }),
    reply: Page(MinimalUser),
    refusals: { noSuchMessage, notInEvent },
  },
)

export const reactToMessage = route('reactToMessage', 'PUT api/message/react/{message_id}', {
  opens: ['reaction to a message'],
  summary: 'Adds an emoji reaction to a message.',
  extra: true,
  input: z.object({ message_id: Id, message_reaction: Emoji }),
  reply: Message,
  refusals: { noSuchMessage, notInEvent },
})

export const unreactToMessage = route('unreactToMessage', 'DELETE api/message/react/{message_id}', {
  summary: "Removes one of the viewer's emoji from a message or, without message_reaction, all of them.",
  extra: true,
  input: z.object({ message_id: Id, message_reaction: maybe(Emoji) }),
  mistaken: { comment_reaction: 'message_reaction', reaction: 'message_reaction', emoji: 'message_reaction' },
  reply: Message,
  refusals: { noSuchMessage, notInEvent },
})
