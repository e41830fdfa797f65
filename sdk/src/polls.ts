import type * as contract from '@afterglow/contract/polls'
import { operation } from './operation.ts'

/**
 * Sends a message with a poll: its text is the question, with the choices below it. Unless the poll is anonymous,
 * everybody in the event sees who voted for what.
 *
 * `POST api/message/poll`, at most 120 times a minute. Takes an `idempotencyKey`. Has `extra`.
 * @throws noSuchChat: Group chat not found!
 * @throws notInEvent: The user is neither a guest nor an organizer of the event
 * @throws notOpen: The group chat is read-only
 */
export const makePoll = operation<typeof contract.makePoll>('POST', 'api/message/poll')
/**
 * Votes in a poll, in place of an earlier vote. An empty list takes the vote back.
 *
 * `POST api/message/poll/vote`, at most 120 times a minute. Has `extra`.
 * @throws noSuchMessage: Message not found!
 * @throws noSuchPoll: Poll not found!
 * @throws notInEvent: The user is neither a guest nor an organizer of the event
 * @throws notOpen: The group chat is read-only
 * @throws pollClosed: The poll is closed
 */
export const vote = operation<typeof contract.vote>('POST', 'api/message/poll/vote')
/**
 * Ends the voting in a poll. Author or organizers only.
 *
 * `PUT api/message/poll/close/{message_id}`, at most 120 times a minute. Has `extra`.
 * @throws noSuchMessage: Message not found!
 * @throws noSuchPoll: Poll not found!
 * @throws notInEvent: The user is neither a guest nor an organizer of the event
 * @throws mayNotClosePoll: You do not have permission to close this poll.
 */
export const closePoll = operation<typeof contract.closePoll>('PUT', 'api/message/poll/close/{message_id}')
/**
 * Lets people vote again in a poll that was closed, without an end. Author or organizers only.
 *
 * `DELETE api/message/poll/close/{message_id}`, at most 120 times a minute. Has `extra`.
 * @throws noSuchMessage: Message not found!
 * @throws noSuchPoll: Poll not found!
 * @throws notInEvent: The user is neither a guest nor an organizer of the event
 * @throws mayNotClosePoll: You do not have permission to close this poll.
 */
export const reopenPoll = operation<typeof contract.reopenPoll>('DELETE', 'api/message/poll/close/{message_id}')
/**
 * Lists who voted for a choice of a poll, in the order of their votes; nobody if the poll is anonymous.
 *
 * `GET api/message/poll/voters`, at most 120 times a minute.
 * @throws noSuchMessage: Message not found!
 * @throws noSuchPoll: Poll not found!
 * @throws notInEvent: The user is neither a guest nor an organizer of the event
 */
export const listVoters = operation<typeof contract.listVoters>('GET', 'api/message/poll/voters')
