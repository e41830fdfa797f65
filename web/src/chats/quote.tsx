import { useWords } from '../app/words.ts'
import { nameOf } from '../people/names.ts'
import { pictureOnly } from './pending-messages.ts'
import type { Message } from './window.ts'

/** What is answered; leads there. */
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
  const quoted = replied.message_content === pictureOnly ? t('chat.pictures', { count: 1 }) : replied.message_content
  const words = blocked ? t('chat.blocked') : quoted
  return (
    <button
      type="button"
      tabIndex={-1}
      onClick={() => onJump?.(replied.id)}
      className="m-1.5 mb-0 block w-[calc(100%-0.75rem)] rounded-xl border-s-3 border-ember bg-paper/60 px-3 py-1.5 text-start text-sm text-ink hover:bg-paper/90"
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
