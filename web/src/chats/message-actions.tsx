import { useMutation, useQueryClient } from '@tanstack/react-query'
import { Copy, Eye, EyeOff, Pencil, Reply, SmilePlus, Trash2 } from 'lucide-react'
import { DropdownMenu } from 'radix-ui'
import { lazy, Suspense, useState } from 'react'
import { api } from '../app/client.ts'
import { useWords } from '../app/words.ts'
import { Confirm } from '../ui/confirm.tsx'
import { sayFailure } from '../ui/failing.ts'
import { Menu } from '../ui/menu.tsx'
import { say } from '../ui/toasts.ts'
import { windowKey } from './keys.ts'
import { moreEmoji, quickEmoji, useReact } from './reacting.ts'
import type { Message } from './window.ts'

const MessageInfo = lazy(() => import('./message-info.tsx').then(({ MessageInfo }) => ({ default: MessageInfo })))

type Props = { message: Message; onReply(message: Message): void; onEdit(message: Message): void }

/** What can be done with a message: beside it, faint until it is needed. */
export const MessageActions = ({ message, onReply, onEdit }: Props) => {
  const { t } = useWords()
  const client = useQueryClient()
  const [deleting, setDeleting] = useState(false)
  const [informing, setInforming] = useState(false)
  const may = message.extra?.may
  const remove = useMutation({
    mutationFn: () => api.chats.deleteMessage({ message_id: message.id }),
    onError: sayFailure,
    onSettled: () =>
      client.invalidateQueries({ queryKey: windowKey(Number(message.group_chat_id)), refetchType: 'none' }),
  })
  const hidden = message.extra?.hidden ?? false
  const hide = useMutation({
    mutationFn: () => (hidden ? api.chats.unhideMessage : api.chats.hideMessage)({ message_id: message.id }),
    onError: sayFailure,
  })
  return (
    <div className="self-center opacity-70 transition group-hover/message:opacity-100 focus-within:opacity-100 has-data-[state=open]:opacity-100 pointer-fine:opacity-0">
      <Menu
        trigger={
          <button
            type="button"
            aria-label={t('chat.actions')}
            className="touch grid size-9 place-items-center rounded-full text-soft hover:bg-hover hover:text-ink"
          >
            <SmilePlus className="size-5" aria-hidden="true" />
          </button>
        }
        above={may?.react && <EmojiRow message={message} />}
        items={[
          { label: t('chat.reply'), icon: Reply, act: () => onReply(message) },
          {
            label: t('chat.copy'),
            icon: Copy,
            act: () => void navigator.clipboard?.writeText(message.message_content).then(() => say(t('chat.copied'))),
          },
          { label: t('chat.info'), icon: Eye, act: () => setInforming(true) },
          may?.update === true && { label: t('chat.edit'), icon: Pencil, act: () => onEdit(message) },
          may?.hide === true && {
            label: hidden ? t('chat.unhide') : t('chat.hide'),
            icon: hidden ? Eye : EyeOff,
            act: () => hide.mutate(),
          },
          may?.delete === true && { label: t('chat.delete'), icon: Trash2, act: () => setDeleting(true), danger: true },
        ]}
      />
      <Confirm
        open={deleting}
        onClose={() => setDeleting(false)}
        title={t('chat.deleteTitle')}
        about={t('chat.deleteAbout')}
        act={t('chat.delete')}
        onAct={() => remove.mutate()}
      />
      <Suspense>{informing && <MessageInfo message={message} onClose={() => setInforming(false)} />}</Suspense>
    </div>
  )
}

const EmojiRow = ({ message }: { message: Message }) => {
  const { t } = useWords()
  const react = useReact(message)
  return (
    <DropdownMenu.Group
      aria-label={t('chat.react')}
      className="mb-1 grid max-w-66 grid-cols-6 gap-0.5 border-b border-line pb-1.5"
    >
      {[...quickEmoji, ...moreEmoji].map(emoji => (
        <DropdownMenu.Item
          key={emoji}
          onSelect={() => react(emoji)}
          className="grid size-11 cursor-pointer place-items-center rounded-xl text-2xl outline-none data-highlighted:bg-hover"
        >
          {emoji}
        </DropdownMenu.Item>
      ))}
    </DropdownMenu.Group>
  )
}
