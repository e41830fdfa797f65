import { applyChanges } from '../app/cache/change.ts'
import { queryClient } from '../app/cache/query.ts'
import { api } from '../app/net/client.ts'
import { session } from '../app/session.ts'
import { actInstead } from '../app/storage/acts.ts'
import type { Performer } from '../app/storage/pending-acts.ts'
import { withVote } from '../polls/voted-for.ts'
import { sayFailure } from '../ui/failure.ts'
import { shownWindow } from './history/history-query.ts'
import type { Message } from './history/window.ts'
import { aboutPoll } from './keys.ts'
import { onChatEvent } from './reducer.ts'

/* Votes, which wait for a network if there is none. */

declare module '../app/storage/pending-acts.ts' {
  interface Acts {
    vote: { chatId: number; messageId: string; choices: number[]; before: number[] }
  }
}

const show = (changed: Message) =>
  applyChanges(queryClient, onChatEvent({ kind: 'message.updated', payload: changed }, session.get()?.userId ?? 0))

/** Shows these choices as the viewer's, if the poll is shown. */
const showChosen = (chatId: number, messageId: string, choices: readonly number[]) => {
  const message = shownWindow(queryClient, chatId)?.messages.find(({ id }) => id === messageId)
  const poll = message?.extra.card?.poll
  if (poll && String(poll.my_choice_ids) !== String(choices))
    show({ ...message, extra: { ...message.extra, card: { poll: withVote(poll, choices) } } })
}

export const keptVote: Performer<'vote'> = {
  show: ({ chatId, messageId, choices }) => showChosen(chatId, messageId, choices),
  async perform({ messageId: message_id, choices: poll_choice_ids }) {
    show(await api.polls.vote({ message_id, poll_choice_ids }))
  },
  undo({ chatId, messageId, before }, refusal) {
    showChosen(chatId, messageId, before)
    sayFailure(refusal)
  },
}

/** Votes in place of an earlier vote, and shows it at once. */
export const vote = (message: Message, choices: number[]) => {
  const [chatId, messageId] = [Number(message.group_chat_id), message.id]
  const before = message.extra.card?.poll?.my_choice_ids ?? []
  showChosen(chatId, messageId, choices)
  void actInstead('vote', aboutPoll(messageId), { chatId, messageId, choices, before })
}
