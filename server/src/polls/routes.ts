import * as contract from '@afterglow/contract/polls'
import { presentMinimalUser } from '../accounts/present-person.ts'
import { livingMessageFor } from '../chats/access.ts'
import type { Cards } from '../chats/cards.ts'
import { openShowing } from '../chats/messages/show-message.ts'
import type { Database } from '../platform/database/database.ts'
import { openQueue } from '../platform/database/queue.ts'
import { rangeOf } from '../platform/http/pages.ts'
import type { Serve } from '../platform/http/serve.ts'
import { openPolls, pollOn } from './polls.ts'
import * as store from './store.ts'

export const pollRoutes = (serve: Serve, { db: database, cards }: { db: Database; cards: Cards }) => {
  const polls = openPolls(database, openQueue())
  const { showMessage } = openShowing(cards)

  serve(
    contract.makePoll,
    async ({ input, once, db: _, ...asking }) => {
      const question = { chatId: input.group_chat_id, content: input.message_content }
      const poll = {
        choices: input.poll_choices,
        multiple: input.poll_multiple ?? false,
        anonymous: input.poll_anonymous ?? false,
        closesAt: input.poll_closes_at,
      }
      return polls.make(asking.viewer, question, poll, make =>
        once(async db => showMessage(db, await make(db), asking)),
      )
    },
    {
      keep: ({ id }) => ({ id }),
      replay: ({ db, ...asking }, kept: { id: string }) => showMessage(db, Number(kept.id), asking),
    },
  )

  serve(contract.vote, async ({ db, input, ...asking }) => {
    await polls.vote(asking.viewer, input.message_id, input.poll_choice_ids)
    return showMessage(db, input.message_id, asking)
  })

  serve(contract.closePoll, async ({ db, input, ...asking }) => {
    await polls.setClosed(asking.viewer, input.message_id, true)
    return showMessage(db, input.message_id, asking)
  })

  serve(contract.reopenPoll, async ({ db, input, ...asking }) => {
    await polls.setClosed(asking.viewer, input.message_id, false)
    return showMessage(db, input.message_id, asking)
  })

  serve(contract.listVoters, async ({ db, viewer, input, urls, page }) => {
    const { message } = await livingMessageFor(db, viewer, input.message_id)
    const { anonymous, choices_count } = await pollOn(db, message.id)
    const asked = { messageId: message.id, choice: input.poll_choice_id }
    const isNone = anonymous || asked.choice > choices_count
    return page(isNone ? [] : await store.listVoters(db, asked, rangeOf(input)), person =>
      presentMinimalUser(person, urls),
    )
  })
}
