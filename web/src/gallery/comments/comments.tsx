import { useInfiniteQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { rowsOf } from '../../app/cache/pages.ts'
import { acts } from '../../app/storage/pending-acts.ts'
import { useStore } from '../../app/store.ts'
import { useWords } from '../../app/words.ts'
import { WithOrganizers } from '../../events/guests/organizers.tsx'
import { Failed } from '../../ui/failed.tsx'
import { LoadMore } from '../../ui/load-more.tsx'
import { SkeletonRows } from '../../ui/skeleton.tsx'
import { aboutComments } from '../acts.ts'
import type { Comment, Photo } from '../queries.ts'
import { CommentForm } from './comment-form.tsx'
import { commentsQuery } from './comment-queries.ts'
import { CommentView } from './comment-view.tsx'
import { PendingComments } from './pending-comments.tsx'

/** The text being written: a new comment, a reply to one, or an edit of one. */
export type Writing = { to?: Comment; edits?: Comment }

export const Comments = ({ photo, eventId }: { photo: Photo; eventId: number }) => {
  const { t } = useWords()
  const list = useInfiniteQuery(commentsQuery(photo.id))
  const [writing, setWriting] = useState<Writing>({})
  const comments = rowsOf(list.data, ({ id }) => id)
  const waits = useStore(acts).some(({ about }) => about === aboutComments(photo.id))
  return (
    <>
      <section aria-label={t('comments.title')} className="flex-1 px-4 pt-2 pb-4">
        {list.isPending && list.fetchStatus !== 'paused' ? (
          <SkeletonRows rows={2} picture="size-8 rounded-full" />
        ) : !list.data ? (
          <Failed error={list.error} retry={() => void list.refetch()} />
        ) : comments.length === 0 && !waits ? (
          <p className="py-8 text-center text-soft">{t('comments.none')}</p>
        ) : (
          <WithOrganizers eventId={eventId}>
            <ul className="grid grid-cols-1 gap-4 pt-2">
              <PendingComments photoId={photo.id} comments={comments} />
              {comments.map(comment => (
                <CommentView
                  key={comment.id}
                  comment={comment}
                  onWrite={photo.extra.may.comment ? setWriting : undefined}
                />
              ))}
            </ul>
          </WithOrganizers>
        )}
        <LoadMore more={list.hasNextPage} loading={list.isFetchingNextPage} load={() => void list.fetchNextPage()} />
      </section>
      {photo.extra.may.comment && (
        <CommentForm
          key={writing.edits ? `edit ${writing.edits.id}` : 'new'}
          photoId={photo.id}
          eventId={eventId}
          writing={writing}
          comments={comments}
          onDone={() => setWriting({})}
        />
      )}
    </>
  )
}
