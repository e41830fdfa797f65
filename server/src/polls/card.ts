import type { Cards } from '../chats/cards.ts'
import { presentPoll } from './present.ts'
import { choicesAsText, readPolls, votesOf } from './store.ts'

/** A poll as a card on its message. */
export const pollCard = {
  fallback: choicesAsText,
  async read(db, messageIds, viewerIds) {
    const polls = new Map((await readPolls(db, messageIds)).map(row => [row.message_id, row]))
    const votes = await votesOf(db, messageIds, viewerIds)
    const own = new Map(votes.map(row => [`${row.message_id} ${row.user_id}`, row.choices]))
    return (messageId, viewerId) => {
      const poll = polls.get(messageId)
      return poll && presentPoll(poll, own.get(`${messageId} ${viewerId}`))
    }
  },
} satisfies Cards['poll']

export const pollCards: Cards = { poll: pollCard }
