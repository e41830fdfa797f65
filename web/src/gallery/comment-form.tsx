import { useMutation, useQueryClient } from '@tanstack/react-query'
import { ArrowUp, Check, X } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { applyChanges } from '../app/change.ts'
import { api } from '../app/client.ts'
import { useWords } from '../app/words.ts'
import { MentionList, useMentioning } from '../events/mention-list.tsx'
import { nameOf } from '../people/names.ts'
import { IconButton } from '../ui/button.tsx'
import { sayFailure } from '../ui/failure.ts'
import { Spinner } from '../ui/spinner.tsx'
import type { Writing } from './comments.tsx'
import { hearGallery } from './reducer.ts'

const freshKey = () => crypto.getRandomValues(new Uint32Array(4)).join('-')

type Props = { photoId: string; eventId: number; writing: Writing; onDone(): void }

/** The comment form; the text stays in the field until the service has it. */
export const CommentForm = ({ photoId, eventId, writing: { to, edits }, onDone }: Props) => {
  const { t } = useWords()
  const client = useQueryClient()
  const field = useRef<HTMLTextAreaElement>(null)
  const [text, setText] = useState(edits?.event_photo_comment ?? '')
  useEffect(() => {
    if (to || edits) field.current?.focus()
  }, [to, edits])
  // The same text sent again after a lost reply is still one comment.
  const key = useRef(freshKey())
  const write = (now: string) => {
    key.current = freshKey()
    setText(now)
  }
  const mentioning = useMentioning({ eventId, field, text, write })
  const send = useMutation({
    mutationFn: (event_photo_comment: string) =>
      api.gallery.saveComment(
        {
          event_photo_id: Number(photoId),
          event_photo_comment,
          ...(edits && { event_photo_comment_id: edits.id }),
          ...(to && { event_photo_comment_reply_id: to.id }),
        },
        { idempotencyKey: key.current },
      ),
    onSuccess: comment => {
      const kind = edits ? 'comment.updated' : 'comment.created'
      applyChanges(client, hearGallery({ kind, payload: comment }, comment.user.id))
      write('')
      onDone()
    },
    onError: sayFailure,
  })
  const words = text.trim()
  const act = () => {
    if (words && !send.isPending) send.mutate(words)
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
        <button
          type="button"
          aria-label={edits ? t('common.save') : t('composer.send')}
          disabled={!words}
          onClick={act}
          className="grid size-11 shrink-0 place-items-center rounded-full bg-ember text-on-ember shadow-card transition active:scale-95 disabled:bg-sunken disabled:text-soft disabled:shadow-none"
        >
          {send.isPending ? (
            <Spinner />
          ) : edits ? (
            <Check className="size-5.5" aria-hidden="true" />
          ) : (
            <ArrowUp className="size-5.5" aria-hidden="true" />
          )}
        </button>
      </div>
    </div>
  )
}
