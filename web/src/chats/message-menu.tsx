import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Copy, Eye, EyeOff, Flag, Lock, Pencil, Pin, PinOff, Reply, Trash2 } from 'lucide-react'
import { DropdownMenu } from 'radix-ui'
import { useState } from 'react'
import { applyChanges } from '../app/cache/change.ts'
import { api } from '../app/net/client.ts'
import { session } from '../app/session.ts'
import { useWords } from '../app/words.ts'
import { askToReport } from '../people/report-target.ts'
import { isClosed } from '../polls/poll-card.tsx'
import { copy } from '../ui/copy.ts'
import { moreEmoji, quickEmoji } from '../ui/emoji.ts'
import { sayFailure } from '../ui/failure.ts'
import { Confirm } from '../ui/layers/confirm.tsx'
import type { MenuOf } from '../ui/layers/menu-button.ts'
import MenuSheet from '../ui/layers/menu-sheet.tsx'
import { say } from '../ui/layers/toasts.ts'
import type { Message } from './history/window.ts'
import { chatKey, windowKey } from './keys.ts'
import { MessageInfo } from './message-info.tsx'
import { chatQuery } from './queries.ts'
import { react } from './reaction-act.ts'
import { hearChats } from './reducer.ts'

type Props = Omit<MenuOf, 'openedBy'> & {
  openedBy: MenuOf['openedBy'] | undefined
  message: Message
  onReply(message: Message): void
  onEdit(message: Message): void
}

/** What can be done with a message, and what that asks or shows afterwards. */
export const MessageMenu = ({ button, openedBy, onClose, message, onReply, onEdit }: Props) => {
  const { t } = useWords()
  const [deleting, setDeleting] = useState(false)
  const [closing, setClosing] = useState(false)
  const [informing, setInforming] = useState(false)
  const may = message.extra.may
  const hidden = message.extra.hidden
  const poll = message.extra.card?.poll
  const chatId = Number(message.group_chat_id)
  const { data: chat } = useQuery({ ...chatQuery(chatId), staleTime: Infinity })
  const pinned = chat?.extra.pinned?.message_id === Number(message.id)
  const { remove, hide, close, pin } = useMessageActs(message, pinned)
  return (
    <>
      {openedBy && (
        <MenuSheet
          {...{ button, openedBy, onClose }}
          above={may?.react && <EmojiRow message={message} />}
          items={[
            { label: t('chat.reply'), icon: Reply, act: () => onReply(message) },
            { label: t('chat.copy'), icon: Copy, act: () => copy(message.message_content) },
            { label: t('chat.info'), icon: Eye, act: () => setInforming(true) },
            may?.update === true && { label: t('chat.edit'), icon: Pencil, act: () => onEdit(message) },
            chat?.extra.may.pin === true &&
              !hidden &&
              !message.extra.deleted && {
                label: pinned ? t('chat.unpin') : t('chat.pin'),
                icon: pinned ? PinOff : Pin,
                act: () => pin.mutate(),
              },
            may?.delete === true &&
              poll !== undefined &&
              !isClosed(poll) && { label: t('poll.close'), icon: Lock, act: () => setClosing(true) },
            may?.hide === true && {
              label: hidden ? t('chat.unhide') : t('chat.hide'),
              icon: hidden ? Eye : EyeOff,
              act: () => hide.mutate(!hidden),
            },
            message.user.id !== session.get()?.userId && {
              label: t('report.act'),
              icon: Flag,
              act: () => askToReport('message', Number(message.id)),
            },
            may?.delete === true && {
              label: t('chat.delete'),
              icon: Trash2,
              act: () => setDeleting(true),
              danger: true,
            },
          ]}
        />
      )}
      <Confirm
        open={deleting}
        onClose={() => setDeleting(false)}
        title={t('chat.deleteTitle')}
        about={t('chat.deleteAbout')}
        act={t('chat.delete')}
        onAct={() => remove.mutate()}
      />
      <Confirm
        open={closing}
        onClose={() => setClosing(false)}
        title={t('poll.closeTitle')}
        about={t('poll.closeAbout')}
        act={t('poll.close')}
        tone="plain"
        onAct={() => close.mutate()}
      />
      {informing && <MessageInfo message={message} onClose={() => setInforming(false)} />}
    </>
  )
}

const useMessageActs = (message: Message, pinned: boolean) => {
  const { t } = useWords()
  const client = useQueryClient()
  const chatId = Number(message.group_chat_id)
  const remove = useMutation({
    mutationFn: () => api.chats.deleteMessage({ message_id: message.id }),
    onError: sayFailure,
    onSettled: () => client.invalidateQueries({ queryKey: windowKey(chatId), refetchType: 'none' }),
  })
  const hide = useMutation({
    mutationFn: (hides: boolean) =>
      (hides ? api.chats.hideMessage : api.chats.unhideMessage)({ message_id: message.id }),
    onSuccess: (_, hides) => {
      if (!hides) return void say(t('hiding.undone'))
      say(t('hiding.done'), { label: t('hiding.undo'), act: () => hide.mutate(false) })
    },
    onError: sayFailure,
  })
  const close = useMutation({
    mutationFn: () => api.polls.closePoll({ message_id: message.id }),
    onSuccess: changed =>
      applyChanges(client, hearChats({ kind: 'message.updated', payload: changed }, session.get()?.userId ?? 0)),
    onError: sayFailure,
  })
  const pin = useMutation({
    mutationFn: () => (pinned ? api.chats.unpinMessage : api.chats.pinMessage)({ message_id: message.id }),
    onSuccess: changed => client.setQueryData(chatKey(chatId), changed),
    onError: sayFailure,
  })
  return { remove, hide, close, pin }
}

const EmojiRow = ({ message }: { message: Message }) => {
  const { t } = useWords()
  return (
    <DropdownMenu.Group
      aria-label={t('chat.react')}
      className="mb-1 grid max-w-66 grid-cols-6 gap-0.5 border-b border-line pb-1.5"
    >
      {[...quickEmoji, ...moreEmoji].map(emoji => (
        <DropdownMenu.Item
          key={emoji}
          onSelect={() => react(message, emoji)}
          className="grid size-11 cursor-pointer place-items-center rounded-xl text-2xl outline-none data-highlighted:bg-hover"
        >
          {emoji}
        </DropdownMenu.Item>
      ))}
    </DropdownMenu.Group>
  )
}
