import type { ChannelPayloads } from '@afterglow/sdk/realtime'
import { become, forget, type Rules } from '../../app/cache/change.ts'
import { eachRow, type Listed, withoutRow, withRowFirst } from '../../app/cache/pages.ts'
import { commentsKey, repliesKey } from '../keys.ts'

type Comment = ChannelPayloads['comment.created']

const listOf = (photoId: number, replyTo: number | null) =>
  replyTo === null ? commentsKey(String(photoId)) : repliesKey(replyTo)

/** Channel events about comments. */
export const onCommentEvent: Rules = heard => {
  switch (heard.kind) {
    case 'comment.created': {
      const { payload } = heard
      const { event_photo_id, reply_to } = payload.extra
      return [
        become<Listed<Comment>>(listOf(event_photo_id, reply_to), shown =>
          reply_to === null ? withRowFirst(shown, payload, ({ id }) => id === payload.id) : withReply(shown, payload),
        ),
      ]
    }
    case 'comment.updated':
    case 'comment.reacted': {
      const { payload } = heard
      return [
        become<Listed<Comment>>(listOf(payload.extra.event_photo_id, payload.extra.reply_to), shown =>
          eachRow(shown, each => (each.id === payload.id ? payload : each)),
        ),
      ]
    }
    case 'comment.deleted': {
      const { id, event_photo_id, reply_to } = heard.payload
      return [
        become<Listed<Comment>>(listOf(event_photo_id, reply_to), shown => withoutRow(shown, each => each.id === id)),
        ...(reply_to === null ? [forget(repliesKey(id))] : []),
      ]
    }
    default:
      return []
  }
}

/** Replies are listed oldest first, so a new one goes last; unless the last page is not loaded yet. */
const withReply = (listed: Listed<Comment>, reply: Comment): Listed<Comment> => {
  const same = ({ id }: Comment) => id === reply.id
  if (listed.pages.some(page => page.data.some(same))) return eachRow(listed, each => (same(each) ? reply : each))
  const last = listed.pages.at(-1)
  if (!last || last.next_page_url !== null) return listed
  return { ...listed, pages: [...listed.pages.slice(0, -1), { ...last, data: [...last.data, reply] }] }
}
