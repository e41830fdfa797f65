/* Generated from the contract by `npm run documents`. */
import type * as polls from '@afterglow/contract/polls'
import { operation } from '../operation.ts'

export const closePoll = operation<typeof polls.closePoll>('PUT', 'api/message/poll/close/{message_id}')
export const listVoters = operation<typeof polls.listVoters>('GET', 'api/message/poll/voters')
export const makePoll = operation<typeof polls.makePoll>('POST', 'api/message/poll')
export const reopenPoll = operation<typeof polls.reopenPoll>('DELETE', 'api/message/poll/close/{message_id}')
export const vote = operation<typeof polls.vote>('POST', 'api/message/poll/vote')
