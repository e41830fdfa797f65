import { useMutation, useQueryClient } from '@tanstack/react-query'
import { SmilePlus } from 'lucide-react'
import { useState } from 'react'
import { applyChanges } from '../app/change.ts'
import { api } from '../app/client.ts'
import { count } from '../app/moments.ts'
import { useWords } from '../app/words.ts'
import { quickEmoji } from '../ui/emoji.ts'
import { sayFailure } from '../ui/failure.ts'
import type { Comment } from './queries.ts'
import { hearGallery } from './reducer.ts'

/** The reactions to a comment, and choosing one's own: a person has one, and a new one replaces it. */
export const CommentReactions = ({ comment }: { comment: Comment }) => {
  const { t } = useWords()
  const client = useQueryClient()
  const [choosing, setChoosing] = useState(false)
  const mine = comment.extra.my_reaction
  const change = useMutation({
    mutationFn: (emoji: string) => {
      const input = { event_photo_comment_id: comment.id }
      return emoji === mine
        ? api.gallery.unreactToComment(input)
        : api.gallery.reactToComment({ ...input, comment_reaction: emoji })
    },
    onSuccess: changed => {
      setChoosing(false)
      applyChanges(client, hearGallery({ kind: 'comment.reacted', payload: changed }, changed.user.id))
    },
    onError: sayFailure,
  })
  return (
    <>
      {comment.extra.reactions.map(({ comment_reaction: emoji, comment_reaction_count: number }) => (
        <button
          key={emoji}
          type="button"
          aria-pressed={emoji === mine}
          aria-label={t('chat.reaction', { emoji, count: number })}
          onClick={() => change.mutate(emoji)}
          className="touch ms-1 flex h-7 items-center gap-1 rounded-full border border-line bg-card px-2 text-sm aria-pressed:border-ember aria-pressed:bg-glow aria-pressed:text-on-glow"
        >
          <span aria-hidden="true">{emoji}</span>
          {number > 1 && <span aria-hidden="true">{count(number)}</span>}
        </button>
      ))}
      <button
        type="button"
        aria-label={t('comments.react')}
        aria-expanded={choosing}
        onClick={() => setChoosing(!choosing)}
        className="touch grid size-8 place-items-center rounded-full text-soft hover:bg-hover hover:text-ink"
      >
        <SmilePlus className="size-4.5" aria-hidden="true" />
      </button>
      {choosing && (
        <fieldset className="flex w-full animate-rise gap-0.5">
          <legend className="sr-only">{t('comments.react')}</legend>
          {quickEmoji.map(emoji => (
            <button
              key={emoji}
              type="button"
              onClick={() => change.mutate(emoji)}
              className="grid size-11 place-items-center rounded-xl text-xl hover:bg-hover"
            >
              {emoji}
            </button>
          ))}
        </fieldset>
      )}
    </>
  )
}
