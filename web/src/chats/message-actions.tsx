import { useRef } from 'react'
import { overlay } from '../app/router/lazy.tsx'
import { useWords } from '../app/words.ts'
import { useMenuButton } from '../ui/layers/menu-button.ts'
import type { Message } from './history/window.ts'

/** The menu's base is as much code as a third of the chat, and loaded on demand. */
const MessageMenu = overlay(() => import('./message-menu.tsx').then(({ MessageMenu }) => MessageMenu))

type Props = { message: Message; onReply(message: Message): void; onEdit(message: Message): void }

/**
 * Actions on a message: beside it, and with a mouse shown only on hover. Until then it is one element without a layer
 * or icon of its own, as there are as many of them as messages.
 */
export const MessageActions = ({ message, onReply, onEdit }: Props) => {
  const { t } = useWords()
  const { props, button, openedBy, onClose } = useMenuButton()
  const needed = useRef(false)
  needed.current ||= openedBy !== undefined
  return (
    <>
      <button
        {...props}
        type="button"
        tabIndex={-1}
        aria-label={t('chat.actions')}
        className="-m-1 size-11 shrink-0 self-center rounded-full text-xl/none font-bold text-soft group-hover/message:text-soft hover:bg-hover hover:text-ink focus-visible:text-soft data-[state=open]:text-soft pointer-fine:text-transparent"
      >
        ···
      </button>
      {needed.current && <MessageMenu {...{ button, openedBy, onClose, message, onReply, onEdit }} />}
    </>
  )
}
