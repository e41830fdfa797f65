import { useWords } from '../app/words.ts'
import { nameOf } from '../people/names.ts'
import { wordsOf } from './composer/pending-messages.ts'
import type { Message } from './history/window.ts'

/** The quoted message; a tap jumps to it. */
export const Quote = ({
  replied,
  blocked,
  onJump,
}: {
  replied: NonNullable<Message['replied_to']>
  blocked?: boolean
  onJump?: (id: string) => void
}) => {
  const { t } = useWords()
  const words = blocked ? t('chat.blocked') : wordsOf(t, replied.message_content, 1)
  return (
    <button
      type="button"
      tabIndex={-1}
      onClick={() => onJump?.(replied.id)}
      className="m-1.5 mb-0 block w-[calc(100%-0.75rem)] rounded-xl border-s-3 border-ember bg-paper/60 px-3 py-2 text-start text-sm text-ink hover:bg-paper/90"
    >
      <span className="sr-only">{t('chat.repliesTo')} </span>
      <span className="block truncate font-semibold text-ember" dir="auto">
        {nameOf(replied.user)}
      </span>
      <span className="line-clamp-2 wrap-anywhere" dir="auto">
        {words || t('chat.deleted')}
      </span>
    </button>
  )
}
