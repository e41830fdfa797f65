import * as contract from '@afterglow/contract/chats/reactions'
import { presentMinimalUser } from '../../accounts/present-person.ts'
import { rangeOf } from '../../platform/http/pages.ts'
import type { Serve } from '../../platform/http/serve.ts'
import { livingMessageFor } from '../access.ts'
import type { Cards } from '../cards.ts'
import { listReactedUsers } from '../store.ts'
import type { Reactions } from './reactions.ts'
import { openShowing } from './show-message.ts'

export const reactionRoutes = (serve: Serve, { reactions, cards }: { reactions: Reactions; cards: Cards }) => {
  const { showMessage } = openShowing(cards)

  serve(contract.listReactedUsers, async ({ db, viewer, input, urls, page }) => {
    const { message } = await livingMessageFor(db, viewer, input.message_id)
    const people = await listReactedUsers(db, message.id, rangeOf(input))
    return page(people, person => presentMinimalUser(person, urls))
  })

  serve(contract.reactToMessage, async ({ db, input, ...asking }) => {
    await reactions.react(asking.viewer, input.message_id, input.message_reaction)
    return showMessage(db, input.message_id, asking)
  })

  serve(contract.unreactToMessage, async ({ db, input, ...asking }) => {
    await reactions.unreact(asking.viewer, input.message_id, input.message_reaction)
    return showMessage(db, input.message_id, asking)
  })
}
