/** Polls in the chat of an event. */
import { z } from 'zod'
import { MinimalUser } from './accounts/user.ts'
import { Message } from './chats/message.ts'
import { messageLengthMax, pollChoiceLengthMax, pollChoicesMax, pollChoicesMin } from './limits.ts'
import { offerNot, type RefusalPage, reload } from './refusal-advice.ts'
import { notFound, route, says } from './route.ts'
import { Flag, Id, Moment, maybe, Page, Paging, sentence, shortText } from './words.ts'

const noSuchChat = notFound('Group chat not found!')
const noSuchMessage = notFound('Message not found!')
const noSuchPoll = notFound('Poll not found!')
const notInEvent = says('The user is neither a guest nor an organizer of the event')
const notOpen = says('The group chat is read-only')
const pollClosed = says('The poll is closed')

/** Why each is given, and what a client should do: the pages of refusals are made of it. */
export const refusalPages = {
  noSuchPoll: { cause: 'The message has no poll.', client: reload },
  pollClosed: {
    cause: 'Voting has ended: the time for it is over, or its author or an organizer closed the poll.',
    client: 'Show the result, and no choices to tap.',
  },
  mayNotClosePoll: { cause: 'The caller is neither the author nor an organizer.', client: offerNot },
} satisfies Record<string, RefusalPage>

const choices = <Choice extends z.ZodType>(choice: Choice, least: number) =>
  z
    .array(choice, sentence.array)
    .min(least, sentence.countAtLeast(least))
    .max(pollChoicesMax, sentence.countAtMost(pollChoicesMax))
    .refine(all => new Set(all).size === all.length, sentence.distinct)

export const makePoll = route('makePoll', 'POST api/message/poll', {
  words: true,
  summary:
    'Sends a message with a poll: its text is the question, with the choices below it. Unless the poll is anonymous, everybody in the event sees who voted for what.',
  idempotent: true,
  extra: true,
  input: z.object({
    group_chat_id: Id,
    message_content: shortText(messageLengthMax).describe('The question.'),
    poll_choices: choices(shortText(pollChoiceLengthMax), pollChoicesMin).describe('What people choose from.'),
    poll_multiple: maybe(Flag).describe('Whether one may vote for several choices. By default for one.'),
    poll_anonymous: maybe(Flag).describe('Whether nobody sees who voted for what. By default everybody does.'),
    poll_closes_at: maybe(Moment).describe('Until when one may vote. By default as long as the chat is open.'),
  }),
  reply: Message,
  refusals: { noSuchChat, notInEvent, notOpen },
})

export const vote = route('vote', 'POST api/message/poll/vote', {
  opens: ['vote'],
  summary: 'Votes in a poll, in place of an earlier vote. An empty list takes the vote back.',
  extra: true,
  input: z.object({ message_id: Id, poll_choice_ids: choices(Id, 0).describe('What to vote for.') }),
  reply: Message,
  refusals: { noSuchMessage, noSuchPoll, notInEvent, notOpen, pollClosed },
})

export const closePoll = route('closePoll', 'PUT api/message/poll/close/{message_id}', {
  summary: 'Ends the voting in a poll. Author or organizers only.',
  extra: true,
  input: z.object({ message_id: Id }),
  reply: Message,
  refusals: {
    noSuchMessage,
    noSuchPoll,
    notInEvent,
    mayNotClosePoll: says('You do not have permission to close this poll.'),
  },
  takes: { back: 'reopenPoll', tells: 'channel' },
})

export const reopenPoll = route('reopenPoll', 'DELETE api/message/poll/close/{message_id}', {
  summary: 'Lets people vote again in a poll that was closed, without an end. Author or organizers only.',
  extra: true,
  input: z.object({ message_id: Id }),
  reply: Message,
  refusals: closePoll.refusals,
})

export const listVoters = route('listVoters', 'GET api/message/poll/voters', {
  summary: 'Lists who voted for a choice of a poll, in the order of their votes; nobody if the poll is anonymous.',
  input: z.object({ message_id: Id, poll_choice_id: Id.describe('ID of the choice in its poll.'), ...Paging }),
  reply: Page(MinimalUser),
  refusals: { noSuchMessage, noSuchPoll, notInEvent },
})
