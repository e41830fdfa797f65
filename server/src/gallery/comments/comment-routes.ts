import * as contract from '@afterglow/contract/comments'
import { sentence } from '@afterglow/contract/words'
import { rangeOf } from '../../platform/http/pages.ts'
import { invalid } from '../../platform/http/refusals.ts'
import type { Serve } from '../../platform/http/serve.ts'
import * as hiding from '../moderation/hide.ts'
import { showComment, showingComments } from '../show-photo.ts'
import { commentsFor, repliesFor } from './access.ts'
import * as comments from './comments.ts'

const done = { done: true } as const

export const commentRoutes = (serve: Serve) => {
  serve(contract.hideComment, async ({ db, input, ...asking }) => {
    await hiding.setCommentHidden(db, asking.viewer, input.event_photo_comment_id, true)
    return showComment(db, input.event_photo_comment_id, 'mayNotReadComments', asking)
  })

  serve(contract.unhideComment, async ({ db, input, ...asking }) => {
    await hiding.setCommentHidden(db, asking.viewer, input.event_photo_comment_id, false)
    return showComment(db, input.event_photo_comment_id, 'mayNotReadComments', asking)
  })

  serve(contract.listComments, async ({ db, input, page, ...asking }) => {
    const rows = await commentsFor(db, asking.viewer, input.event_photo_id, rangeOf(input))
    return page(rows, await showingComments(db, rows, asking))
  })

  serve(contract.listReplies, async ({ db, input, page, ...asking }) => {
    const unknown = () => invalid('event_photo_comment_id', sentence.selected)
    const rows = await repliesFor(db, asking.viewer, input.event_photo_comment_id, rangeOf(input), unknown)
    return page(rows, await showingComments(db, rows, asking))
  })

  serve(
    contract.saveComment,
    async ({ db, input, once, created, ...asking }) => {
      const { event_photo_id: named, event_photo_comment_id: edited, event_photo_comment_reply_id: repliedTo } = input
      const { event_photo_comment: text } = input
      return once(async db => {
        const { viewer } = asking
        if (edited !== undefined) await comments.editComment(db, viewer, { photoId: named, commentId: edited, text })
        else created()
        const id =
          edited ??
          (repliedTo !== undefined
            ? await comments.replyToComment(db, viewer, { photoId: named, commentId: repliedTo, text })
            : // The contract requires the photo of a new comment.
              await comments.addComment(db, viewer, { photoId: named as number, text }))
        return showComment(db, id, 'mayNotComment', asking)
      })
    },
    {
      keep: ({ id }) => ({ id }),
      replay: ({ db, ...asking }, kept: { id: number }) => showComment(db, kept.id, 'mayNotComment', asking),
    },
  )

  serve(contract.deleteComment, async ({ db, viewer, input }) => {
    await comments.deleteComment(db, viewer, input.event_photo_comment_id)
    return done
  })
}
