import { sentence } from '@afterglow/contract/words'
import { isOpen, mayDelete } from '../chats/access.ts'
import { openChanging } from '../chats/messages/change-message.ts'
import { sendWithCard } from '../chats/messages/send-message.ts'
import { announce } from '../log/announce.ts'
import { type Database, type Db, type Transaction, transact } from '../platform/database/database.ts'
import type { Queue } from '../platform/database/queue.ts'
import { invalid, refuse } from '../platform/http/refusals.ts'
import type { Viewer } from '../platform/http/viewer.ts'
import { pollCard } from './card.ts'
import * as store from './store.ts'

type Question = { chatId: number; content: string }

export const openPolls = (db: Database, queue: Queue) => {
  const changeMessage = openChanging(db, queue)
  return {
    /**
     * Sends a message with a poll; `once` runs it in the transaction of the request's key, and returns the reply. Refuses
     * noSuchChat, notInEvent, notOpen.
     */
    make: <Answer>(
      viewer: Viewer,
      question: Question,
      poll: store.NewPoll,
      once: (work: (db: Db) => Promise<number>) => Promise<Answer>,
    ) =>
      queue(question.chatId, () =>
        once(db =>
          transact(db, async tx => {
            const id = await sendWithCard(tx, viewer, question, { kind: 'poll', card: pollCard, hung: poll })
            return (await store.insertPoll(tx, id, poll)) ? id : invalid('poll_closes_at', sentence.future)
          }),
        ),
      ),

    /**
     * Votes in place of an earlier vote; the same vote again has no effect. Refuses noSuchMessage, noSuchPoll,
     * notInEvent, notOpen, pollClosed.
     */
    vote: (viewer: Viewer, messageId: number, choices: readonly number[]): Promise<void> =>
      changeMessage(viewer, messageId, async (tx, { chat }) => {
        const poll = await pollOn(tx, messageId)
        if (!isOpen(chat)) refuse('notOpen')
        if (!poll.open) refuse('pollClosed')
        if (choices.some(choice => choice > poll.choices_count)) invalid('poll_choice_ids', sentence.selected)
        if (!poll.multiple && choices.length > 1) invalid('poll_choice_ids', sentence.countAtMost(1))
        const changed = await store.setVotes(tx, messageId, viewer.id, choices)
        // Webhooks read the log: the time of a vote would tell them who voted for what.
        if (changed) await tell(tx, poll.anonymous ? 0 : viewer.id, chat, messageId)
      }),

    /** Ends the voting, or lets people vote again. Refuses noSuchMessage, noSuchPoll, notInEvent, mayNotClosePoll. */
    setClosed: (viewer: Viewer, messageId: number, closed: boolean): Promise<void> =>
      changeMessage(viewer, messageId, async (tx, { chat, message }) => {
        await pollOn(tx, messageId)
        if (!mayDelete(viewer, chat, message)) refuse('mayNotClosePoll')
        if (await store.setClosed(tx, messageId, closed)) await tell(tx, viewer.id, chat, messageId)
      }),
  }
}

/** A poll behind its message's door. Refuses noSuchPoll. */
export const pollOn = async (db: Db, messageId: number) => (await store.findPoll(db, messageId)) ?? refuse('noSuchPoll')

const tell = (tx: Transaction, actorId: number, chat: { event_id: number }, messageId: number) =>
  announce(tx, {
    kind: 'message.updated',
    audience: 'event',
    eventId: chat.event_id,
    actorId,
    subjectId: messageId,
  })
