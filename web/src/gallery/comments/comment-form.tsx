import { type QueryClient, useMutation, useQueryClient } from '@tanstack/react-query'
import { X } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { applyChanges } from '../../app/cache/change.ts'
import { rowsOf } from '../../app/cache/pages.ts'
import { api } from '../../app/net/client.ts'
import { draftOf, keepDraft } from '../../app/storage/drafts.ts'
import { useWords } from '../../app/words.ts'
import { MentionList, useMentioning } from '../../events/mention-list.tsx'
import { nameOf } from '../../people/names.ts'
import { IconButton } from '../../ui/button.tsx'
import { sayFailure } from '../../ui/failure.ts'
import { SendButton } from '../../ui/send-button.tsx'
import { postComment } from '../acts.ts'
import type { Comment } from '../queries.ts'
import { hearGallery } from '../reducer.ts'
import { repliesQuery } from './comment-queries.ts'
import type { Writing } from './comments.tsx'
import { mineWith } from './pending-comments.tsx'

type Props = { photoId: string; eventId: number; writing: Writing; comments: readonly Comment[]; onDone(): void }

/** The comment form. A comment is on its way once it is sent; an edit stays in the field until the service has it. */
export const CommentForm = ({ photoId, eventId, writing: { to, edits }, comments, onDone }: Props) => {
  const { t } = useWords()
  const client = useQueryClient()
  const draft = `photo.${photoId}`
  const field = useRef<HTMLTextAreaElement>(null)
  const [text, setText] = useState(() => edits?.event_photo_comment ?? draftOf(draft))
  useEffect(() => {
    if (to || edits) field.current?.focus()
  }, [to, edits])
  const write = (now: string) => {
    setText(now)
    if (!edits) keepDraft(draft, now)
  }
  const mentioning = useMentioning({ eventId, field, text, write })
  const save = useMutation({
    mutationFn: ({ id, words }: { id: number; words: string }) =>
      api.gallery.saveComment({
        event_photo_id: Number(photoId),
        event_photo_comment: words,
        event_photo_comment_id: id,
      }),
    onSuccess: comment => {
      applyChanges(client, hearGallery({ kind: 'comment.updated', payload: comment }, comment.user.id))
      onDone()
    },
    onError: sayFailure,
  })
  const words = text.trim()
  const act = () => {
    if (!words || save.isPending) return
    if (edits) return save.mutate({ id: edits.id, words })
    const before = to ? repliesBefore(client, to, words) : mineWith(words, comments)
    void postComment({ photoId, text: words, ...(to && { replyTo: to.id }), before })
    write('')
    onDone()
  }
  return (
    <div className="safe-bottom-2 sticky bottom-0 border-t border-line bg-paper px-2 pt-2">
      <MentionList {...mentioning} />
      {(to || edits) && (
        <div className="mb-1 flex items-center gap-2 ps-3 text-sm font-semibold text-ember">
          <p className="min-w-0 flex-1 truncate">
            {edits ? t('comments.editing') : t('composer.replyTo', { name: to && nameOf(to.user) })}
          </p>
          <IconButton label={t('common.cancel')} onClick={onDone}>
            <X aria-hidden="true" />
          </IconButton>
        </div>
      )}
      <div className="flex items-end gap-1.5">
        <textarea
          ref={field}
          rows={1}
          dir="auto"
          value={text}
          maxLength={2000}
          aria-label={t('comments.write')}
          placeholder={t('comments.write')}
          {...mentioning.described}
          onChange={event => write(event.target.value)}
          onKeyDown={event => {
            if (mentioning.onKeyDown(event) || event.nativeEvent.isComposing) return
            // Enter on a phone starts a new line.
            if (event.key === 'Enter' && !event.shiftKey && matchMedia('(pointer: fine)').matches) {
              event.preventDefault()
              act()
            }
            if (event.key === 'Escape' && (to || edits)) {
              event.stopPropagation()
              onDone()
            }
          }}
          className="field-sizing-content max-h-32 min-h-11 flex-1 resize-none rounded-3xl border border-line bg-card px-4 py-2.5 focus:border-ember focus:outline-none"
        />
        <SendButton edits={edits !== undefined} disabled={!words} busy={save.isPending} onSend={act} />
      </div>
    </div>
  )
}

const repliesBefore = (client: QueryClient, { id }: Comment, words: string) =>
  mineWith(
    words,
    rowsOf(client.getQueryData(repliesQuery(id).queryKey), each => each.id),
  )
