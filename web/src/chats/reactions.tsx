import { count } from '../app/date-format.ts'
import { useWords } from '../app/words.ts'
import { sayFailure } from '../ui/failure.ts'
import { PendingSign } from '../ui/pending-sign.tsx'
import type { Message } from './history/window.ts'
import { aboutReaction } from './keys.ts'

/**
 * The reactions to a message, each emoji with its count; tapping adds or removes the viewer's own. They have no
 * entrance animation, which would run in every row that is scrolled into view.
 */
export const Reactions = ({ message }: { message: Message }) => {
  const { t } = useWords()
  const toggle = async (emoji: string) => {
    try {
      const { react } = await import('./reaction-act.ts')
      react(message, emoji)
    } catch (error) {
      sayFailure(error)
    }
  }
  return (
    <div className="-mt-1.5 flex flex-wrap gap-1 px-2">
      {message.reactions.map(reaction => {
        const emoji = reaction.message_reaction
        const mine = message.extra.my_reactions.includes(emoji)
        const number = Number(reaction.message_reaction_count)
        return (
          <button
            key={emoji}
            type="button"
            tabIndex={-1}
            aria-pressed={mine}
            aria-label={t('chat.reaction', { emoji, count: number })}
            disabled={!message.extra.may.react}
            onClick={() => void toggle(emoji)}
            className="touch inline-flex h-7 items-center gap-1 rounded-full border border-line bg-card px-2 text-sm aria-pressed:border-ember aria-pressed:bg-glow aria-pressed:font-semibold aria-pressed:text-on-glow"
          >
            {emoji}
            {number > 1 && ` ${count(number)}`}
            {mine && <PendingSign about={aboutReaction(message.id, emoji)} />}
          </button>
        )
      })}
    </div>
  )
}
