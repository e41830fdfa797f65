import { useQuery } from '@tanstack/react-query'
import { Copy, Eye, EyeOff, Flag, Lock, LockOpen, Pencil, Pin, PinOff, Reply, Trash2 } from 'lucide-react'
import { DropdownMenu } from 'radix-ui'
import { useState } from 'react'
import { session } from '../app/session.ts'
import { useWords } from '../app/words.ts'
import { askToReport } from '../people/report-target.ts'
import { isClosed } from '../polls/poll-card.tsx'
import { copy } from '../ui/copy.ts'
import { moreEmoji, quickEmoji } from '../ui/emoji.ts'
import { Confirm } from '../ui/layers/confirm.tsx'
import type { MenuOf } from '../ui/layers/menu-button.ts'
import MenuSheet from '../ui/layers/menu-sheet.tsx'
import type { Message } from './history/window.ts'
import { useMessageActs } from './message-acts.ts'
import { MessageInfo } from './message-info.tsx'
import { chatQuery } from './queries.ts'
import { react } from './reaction-act.ts'

type Props = Omit<MenuOf, 'openedBy'> & {
  openedBy: MenuOf['openedBy'] | undefined
  message: Message
  onReply(message: Message): void
  onEdit(message: Message): void
}

/** The dialog that follows the menu. */
type MenuDialog = 'delete' | 'close' | 'info'

/** Actions on a message, and the dialogs that follow them. */
export const MessageMenu = ({ button, openedBy, onClose, message, onReply, onEdit }: Props) => {
  const { t } = useWords()
  const [asked, setAsked] = useState<MenuDialog>()
  const done = () => setAsked(undefined)
  const chatId = Number(message.group_chat_id)
  const { data: chat } = useQuery({ ...chatQuery(chatId), staleTime: Infinity })
  const pinned = chat?.extra.pinned?.message_id === Number(message.id)
  const acts = useMessageActs(message, pinned)
  return (
    <>
      {openedBy && (
        <MessageSheet
          {...{ button, openedBy, onClose, message, onReply, onEdit, acts, pinned }}
          mayPin={chat?.extra.may.pin === true}
          onAsk={setAsked}
        />
      )}
      <Confirm
        open={asked === 'delete'}
        onClose={done}
        title={t('chat.deleteTitle')}
        about={t('chat.deleteAbout')}
        act={t('chat.delete')}
        onAct={() => acts.remove.mutate()}
      />
      <Confirm
        open={asked === 'close'}
        onClose={done}
        title={t('poll.closeTitle')}
        about={t('poll.closeAbout')}
        act={t('poll.close')}
        tone="plain"
        onAct={() => acts.close.mutate(true)}
      />
      {asked === 'info' && <MessageInfo message={message} onClose={done} />}
    </>
  )
}

type SheetProps = MenuOf &
  Pick<Props, 'message' | 'onReply' | 'onEdit'> & {
    acts: ReturnType<typeof useMessageActs>
    mayPin: boolean
    pinned: boolean
    onAsk(asked: MenuDialog): void
  }

const MessageSheet = ({ message, onReply, onEdit, acts, mayPin, pinned, onAsk, ...menu }: SheetProps) => {
  const { t } = useWords()
  const { may, hidden, deleted, card } = message.extra
  const poll = card?.poll
  return (
    <MenuSheet
      {...menu}
      above={may?.react && <EmojiRow message={message} />}
      items={[
        { label: t('chat.reply'), icon: Reply, act: () => onReply(message) },
        { label: t('chat.copy'), icon: Copy, act: () => copy(message.message_content) },
        { label: t('chat.info'), icon: Eye, act: () => onAsk('info') },
        may?.update === true && { label: t('chat.edit'), icon: Pencil, act: () => onEdit(message) },
        mayPin &&
          !hidden &&
          !deleted && {
            label: pinned ? t('chat.unpin') : t('chat.pin'),
            icon: pinned ? PinOff : Pin,
            act: () => acts.pin.mutate(),
          },
        may?.delete === true &&
          poll !== undefined &&
          (isClosed(poll)
            ? { label: t('poll.reopen'), icon: LockOpen, act: () => acts.close.mutate(false) }
            : { label: t('poll.close'), icon: Lock, act: () => onAsk('close') }),
        may?.hide === true && {
          label: hidden ? t('chat.unhide') : t('chat.hide'),
          icon: hidden ? Eye : EyeOff,
          act: () => acts.hide.mutate(!hidden),
        },
        message.user.id !== session.get()?.userId && {
          label: t('report.act'),
          icon: Flag,
          act: () => askToReport('message', Number(message.id)),
        },
        may?.delete === true && {
          label: t('chat.delete'),
          icon: Trash2,
          act: () => onAsk('delete'),
          danger: true,
        },
      ]}
    />
  )
}

const EmojiRow = ({ message }: { message: Message }) => {
  const { t } = useWords()
  return (
    <DropdownMenu.Group
      aria-label={t('chat.react')}
      className="mb-1 grid max-w-66 grid-cols-6 gap-1 border-b border-line pb-2"
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
