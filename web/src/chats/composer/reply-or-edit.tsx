import { X } from 'lucide-react'
import { useWords } from '../../app/words.ts'
import { nameOf } from '../../people/names.ts'
import { IconButton } from '../../ui/button.tsx'
import type { Writing } from '../chat-room.tsx'

/** The message being replied to or edited, until the text is sent or cancelled. */
export const ReplyOrEdit = ({ to, edits, onCancel }: Writing & { onCancel(): void }) => {
  const { t } = useWords()
  return (
    <div className="mb-2 flex items-center gap-2 rounded-xl border-s-3 border-ember bg-sunken py-1 ps-3">
      <p className="min-w-0 flex-1 text-sm">
        <span className="block font-semibold text-ember">
          {edits ? t('composer.editing') : t('composer.replyTo', { name: to && nameOf(to.user) })}
        </span>
        <span className="block truncate text-soft" dir="auto">
          {(to ?? edits)?.message_content}
        </span>
      </p>
      <IconButton label={t('common.cancel')} onClick={onCancel}>
        <X />
      </IconButton>
    </div>
  )
}
