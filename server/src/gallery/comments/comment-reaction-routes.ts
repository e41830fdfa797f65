import * as contract from '@afterglow/contract/comments'
import { rangeOf } from '../../platform/http/pages.ts'
import { refuse } from '../../platform/http/refusals.ts'
import type { Serve } from '../../platform/http/serve.ts'
import { presentReaction } from '../present.ts'
import { showComment } from '../show-photo.ts'
import { reactionsFor } from './access.ts'
import * as comments from './comments.ts'

const defaultReaction = '❤️'

export const commentReactionRoutes = (serve: Serve) => {
  serve(contract.reactToComment, async ({ db, input, ...asking }) => {
    const { event_photo_comment_id: id, comment_reaction: reaction = defaultReaction } = input
    await comments.reactToComment(db, asking.viewer, id, reaction)
    return showComment(db, id, 'mayNotReact', asking)
  })

  serve(contract.unreactToComment, async ({ db, input, ...asking }) => {
    await comments.takeReactionBack(db, asking.viewer, input.event_photo_comment_id)
    return showComment(db, input.event_photo_comment_id, 'mayNotReact', asking)
  })

  serve(contract.listCommentReactions, async ({ db, viewer, input, urls, page }) => {
    const unknown = () => refuse('noSuchCommentReaction')
    const rows = await reactionsFor(db, viewer, input.comment_reaction_id, rangeOf(input), unknown)
    return page(rows, row => presentReaction(row, urls))
  })
}
