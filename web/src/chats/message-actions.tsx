import { SmilePlus } from 'lucide-react'
import { useRef } from 'react'
import { overlay } from '../app/later.tsx'
import { useWords } from '../app/words.ts'
import { useMenuButton } from '../ui/menu-button.ts'
import type { Message } from './window.ts'

const MessageMenu = overlay(async () => (await import('./message-menu.tsx')).default)

type Props = { message: Message; onReply(message: Message): void; onEdit(message: Message): void }

/**
 * What can be done with a message: beside it, faint until it is needed. Until then it is a button and nothing more, as
 * there are as many of them as messages.
 */
export const MessageActions = ({ message, onReply, onEdit }: Props) => {
  const { t } = useWords()
  const { props, button, openedBy, onClose } = useMenuButton()
  const needed = useRef(false)
  needed.current ||= openedBy !== undefined
  return (
    <div className="self-center opacity-70 transition group-hover/message:opacity-100 focus-within:opacity-100 has-data-[state=open]:opacity-100 pointer-fine:opacity-0">
      <button
        {...props}
        type="button"
        aria-label={t('chat.actions')}
        className="touch grid size-9 place-items-center rounded-full text-soft hover:bg-hover hover:text-ink"
      >
        <SmilePlus className="size-5" aria-hidden="true" />
      </button>
      {needed.current && <MessageMenu {...{ button, openedBy, onClose, message, onReply, onEdit }} />}
    </div>
  )
}
