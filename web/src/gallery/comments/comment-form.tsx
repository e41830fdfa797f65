import { type QueryClient, useMutation, useQueryClient } from '@tanstack/react-query'
import { X } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { applyChanges } from '../../app/cache/change.ts'
import { rowsOf } from '../../app/cache/pages.ts'
import { api } from '../../app/net/client.ts'
import { useWords } from '../../app/words.ts'
import { MentionField } from '../../events/mention-field.tsx'
import { nameOf } from '../../people/names.ts'
import { IconButton } from '../../ui/button.tsx'
import { useDraft } from '../../ui/draft.ts'
import { sayFailure } from '../../ui/failure.ts'
import { SendButton } from '../../ui/send-button.tsx'
import { postComment } from '../acts.ts'
import type { Comment } from '../queries.ts'
import { onGalleryEvent } from '../reducer.ts'
import { repliesQuery } from './comment-queries.ts'
import type { Writing } from './comments.tsx'
import { mineWith } from './pending-comments.tsx'

type Props = { photoId: string; eventId: number; writing: Writing; comments: readonly Comment[]; onDone(): void }

/** The comment form. A comment is pending once it is sent; an edit stays in the field until the service has it. */
export const CommentForm = ({ photoId, eventId, writing: { to, edits }, comments, onDone }: Props) => {
  const { t } = useWords()
  const client = useQueryClient()
  const draft = useDraft(`photo.${photoId}`)
  const field = useRef<HTMLTextAreaElement>(null)
  const [text, setText] = useState(edits?.event_photo_comment ?? draft.text)
  useEffect(() => {
    if (to || edits) field.current?.focus()
  }, [to, edits])
  const write = (now: string) => {
    setText(now)
    if (!edits) draft.keep(now)
  }
  const save = useEdit(photoId, edits, onDone)
  const words = text.trim()
  const act = () => {
    if (!words || save.isPending) return
    if (edits) return save.mutate(words)
    const before = to ? repliesBefore(client, to, words) : mineWith(words, comments)
    void postComment({ photoId, eventId, text: words, ...(to && { replyTo: to.id }), before })
    write('')
    onDone()
  }
  return (
    <div className="safe-bottom-2 sticky bottom-0 border-t border-line bg-paper px-2 pt-2">
      {(to || edits) && (
        <div className="mb-1 flex items-center gap-2 ps-3 text-sm font-semibold text-ember">
          <p className="min-w-0 flex-1 truncate">
            {edits ? t('comments.editing') : t('composer.replyTo', { name: to && nameOf(to.user) })}
          </p>
          <IconButton label={t('common.cancel')} onClick={onDone}>
            <X />
          </IconButton>
        </div>
      )}
      <div className="flex items-end gap-2">
        <MentionField
          {...{ eventId, field, text, write }}
          label={t('comments.write')}
          maxLength={2000}
          onSend={act}
          onLeave={to || edits ? onDone : undefined}
          className="max-h-32"
        />
        <SendButton edits={edits !== undefined} disabled={!words} busy={save.isPending} onSend={act} />
      </div>
    </div>
  )
}

const useEdit = (photoId: string, edits: Comment | undefined, onDone: () => void) => {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (event_photo_comment: string) =>
      api.gallery.saveComment({
        event_photo_id: Number(photoId),
        event_photo_comment,
        ...(edits && { event_photo_comment_id: edits.id }),
      }),
    onSuccess: comment => {
      applyChanges(client, onGalleryEvent({ kind: 'comment.updated', payload: comment }, comment.user.id))
      onDone()
    },
    onError: sayFailure,
  })
}

const repliesBefore = (client: QueryClient, { id }: Comment, words: string) =>
  mineWith(
    words,
    rowsOf(client.getQueryData(repliesQuery(id).queryKey), each => each.id),
  )
