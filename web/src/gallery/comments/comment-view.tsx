import { useInfiniteQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { rowsOf } from '../../app/cache/pages.ts'
import { ago } from '../../app/date-format.ts'
import { session } from '../../app/session.ts'
import { acts } from '../../app/storage/pending-acts.ts'
import { useStore } from '../../app/store.ts'
import { useWords } from '../../app/words.ts'
import { OrganizerMark } from '../../events/guests/organizers.tsx'
import { nameOf } from '../../people/names.ts'
import { LoadMore } from '../../ui/load-more.tsx'
import { MessageText } from '../../ui/message-text.tsx'
import { Avatar } from '../../ui/pictures/avatar.tsx'
import type { Comment } from '../queries.ts'
import { CommentMenu } from './comment-menu.tsx'
import { repliesQuery } from './comment-queries.ts'
import { CommentReactions } from './comment-reactions.tsx'
import type { Writing } from './comments.tsx'
import { PendingComments } from './pending-comments.tsx'

type Props = {
  comment: Comment
  /** Undefined for read-only viewers. */
  onWrite: ((writing: Writing) => void) | undefined
}

const act = 'touch min-h-8 rounded-full px-2 text-sm font-semibold text-soft hover:bg-hover hover:text-ink'

/** A comment with its reactions, followed by its replies. */
export const CommentView = ({ comment, onWrite }: Props) => {
  const { t } = useWords()
  const { extra, user } = comment
  const [folded, setFolded] = useState(comment.extra.blocked)
  const mine = user.id === session.get()?.userId
  const number = comment.event_photo_comment_replies_count
  const waits = useStore(acts).some(each => each.kind === 'comment' && each.told.replyTo === comment.id)
  const replies = (number > 0 || waits) && <Replies comment={comment} onWrite={onWrite} />
  if (folded)
    return (
      <li>
        <button type="button" className="min-h-11 text-sm text-soft italic" onClick={() => setFolded(false)}>
          {t('chat.blocked')}
        </button>
        {/* Others' words, each folded by who wrote it; the photo's number counts them. */}
        {replies && <div className="ms-11">{replies}</div>}
      </li>
    )
  return (
    <li className="flex gap-2">
      <Avatar src={user.user_avatar_url} size={extra.reply_to === null ? 34 : 26} className="self-start" />
      <div className="min-w-0 flex-1">
        <article aria-label={t('comments.by', { name: nameOf(user) })}>
          <Byline comment={comment} />
          <MessageText text={comment.event_photo_comment} />
          <div className="-ms-2 flex flex-wrap items-center gap-1">
            <CommentReactions comment={comment} mayReact={onWrite !== undefined} />
            {onWrite && extra.may.reply && extra.reply_to === null && (
              <button type="button" className={act} onClick={() => onWrite({ to: comment })}>
                {t('chat.reply')}
              </button>
            )}
            {onWrite && (extra.may.update || extra.may.delete || !mine) && (
              <CommentMenu comment={comment} onEdit={() => onWrite({ edits: comment })} />
            )}
          </div>
        </article>
        {replies}
      </div>
    </li>
  )
}

/** Author and time. */
const Byline = ({ comment: { user, extra, created_at } }: { comment: Comment }) => {
  const { t } = useWords()
  return (
    <p className="flex items-baseline gap-2 text-sm">
      <span className="truncate font-semibold" dir="auto">
        {nameOf(user)}
      </span>
      <OrganizerMark userId={user.id} />
      <span className="shrink-0 text-soft">
        {ago(created_at)}
        {extra.edited && ` · ${t('chat.edited')}`}
        {extra.hidden && ` · ${t('gallery.hidden')}`}
      </span>
    </p>
  )
}

const openedMax = 3

/** A few are shown at once, many on request. */
const Replies = ({ comment, onWrite }: Props) => {
  const { t } = useWords()
  const number = comment.event_photo_comment_replies_count
  const [open, setOpen] = useState(number <= openedMax)
  const list = useInfiniteQuery({ ...repliesQuery(comment.id), enabled: open })
  const replies = rowsOf(list.data, ({ id }) => id)
  if (!open)
    return (
      <button type="button" className={`${act} -ms-2 text-ember`} onClick={() => setOpen(true)}>
        {t('comments.replies', { count: number })}
      </button>
    )
  return (
    <>
      <ul className="mt-2 grid grid-cols-1 gap-3">
        {replies.map(reply => (
          <CommentView key={reply.id} comment={reply} onWrite={onWrite} />
        ))}
        <PendingComments photoId={String(comment.extra.event_photo_id)} replyTo={comment.id} comments={replies} />
      </ul>
      <LoadMore more={list.hasNextPage} loading={list.isFetchingNextPage} load={() => void list.fetchNextPage()} />
    </>
  )
}
