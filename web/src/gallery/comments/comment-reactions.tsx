import { SmilePlus } from 'lucide-react'
import { useState } from 'react'
import { count } from '../../app/date-format.ts'
import { useWords } from '../../app/words.ts'
import { quickEmoji } from '../../ui/emoji.ts'
import { PendingSign } from '../../ui/pending-sign.tsx'
import { aboutReaction, reactToComment } from '../acts.ts'
import type { Comment } from '../queries.ts'

/** The reactions to a comment, and choosing the viewer's own: a person has one, and a new one replaces it. */
export const CommentReactions = ({ comment, mayReact }: { comment: Comment; mayReact: boolean }) => {
  const { t } = useWords()
  const [choosing, setChoosing] = useState(false)
  const mine = comment.extra.my_reaction
  const choose = (emoji: string) => {
    setChoosing(false)
    reactToComment(comment, emoji)
  }
  return (
    <>
      {comment.extra.reactions.map(({ comment_reaction: emoji, comment_reaction_count: number }) => (
        <button
          key={emoji}
          type="button"
          aria-pressed={emoji === mine}
          aria-label={t('chat.reaction', { emoji, count: number })}
          disabled={!mayReact}
          onClick={() => choose(emoji)}
          className="touch ms-1 flex h-7 items-center gap-1 rounded-full border border-line bg-card px-2 text-sm aria-pressed:border-ember aria-pressed:bg-glow aria-pressed:text-on-glow"
        >
          <span aria-hidden="true">{emoji}</span>
          {number > 1 && <span aria-hidden="true">{count(number)}</span>}
        </button>
      ))}
      <PendingSign about={aboutReaction(comment.id)} />
      {mayReact && (
        <button
          type="button"
          aria-label={t('comments.react')}
          aria-expanded={choosing}
          onClick={() => setChoosing(!choosing)}
          className="touch grid size-8 place-items-center rounded-full text-soft hover:bg-hover hover:text-ink"
        >
          <SmilePlus className="size-4.5" />
        </button>
      )}
      {choosing && <EmojiChoice onChoose={choose} />}
    </>
  )
}

const EmojiChoice = ({ onChoose }: { onChoose(emoji: string): void }) => {
  const { t } = useWords()
  return (
    <fieldset className="flex w-full animate-rise gap-1">
      <legend className="sr-only">{t('comments.react')}</legend>
      {quickEmoji.map(emoji => (
        <button
          key={emoji}
          type="button"
          onClick={() => onChoose(emoji)}
          className="grid size-11 place-items-center rounded-xl text-xl hover:bg-hover"
        >
          {emoji}
        </button>
      ))}
    </fieldset>
  )
}
