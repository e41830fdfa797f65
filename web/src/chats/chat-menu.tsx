import { useMutation, useQueryClient } from '@tanstack/react-query'
import { Bell, BellOff, CalendarDays, LayoutGrid, UsersRound } from 'lucide-react'
import { useState } from 'react'
import { api } from '../app/client.ts'
import { overlay } from '../app/later.tsx'
import { navigate } from '../app/router.tsx'
import { useWords } from '../app/words.ts'
import type { Event } from '../events/queries.ts'
import { sayFailure } from '../ui/failure.ts'
import type { MenuOf } from '../ui/menu-button.ts'
import MenuSheet from '../ui/menu-sheet.tsx'
import { say } from '../ui/toasts.ts'
import { chatKey, chatsKey } from './keys.ts'
import type { Chat } from './queries.ts'

const ChatPictures = overlay(async () => (await import('./chat-pictures.tsx')).default)

type Props = Omit<MenuOf, 'openedBy'> & { openedBy: MenuOf['openedBy'] | undefined; event: Event; chat: Chat }

/** What can be done with a chat as a whole. */
const ChatMenu = ({ button, openedBy, onClose, event, chat }: Props) => {
  const { t } = useWords()
  const client = useQueryClient()
  const params = { eventId: event.id }
  const [pictures, setPictures] = useState(false)
  const muted = chat.extra.muted
  const mute = useMutation({
    mutationFn: () => (muted ? api.chats.unmuteChat : api.chats.muteChat)({ group_chat_id: chat.id }),
    onSuccess: async now => {
      say(now.muted ? t('chat.nowMuted') : t('chat.nowLoud'))
      await Promise.all([
        client.invalidateQueries({ queryKey: chatKey(chat.id) }),
        client.invalidateQueries({ queryKey: chatsKey }),
      ])
    },
    onError: sayFailure,
  })
  return (
    <>
      {openedBy && (
        <MenuSheet
          {...{ button, openedBy, onClose }}
          items={[
            {
              label: t('chat.toEvent'),
              icon: CalendarDays,
              act: () => void navigate({ to: '/events/:eventId', params }),
            },
            {
              label: t('guests.title'),
              icon: UsersRound,
              act: () => void navigate({ to: '/events/:eventId/guests', params }),
            },
            {
              label: t('chat.allPictures'),
              icon: LayoutGrid,
              act: () => setPictures(true),
            },
            {
              label: muted ? t('chat.unmute') : t('chat.mute'),
              icon: muted ? Bell : BellOff,
              act: () => mute.mutate(),
            },
          ]}
        />
      )}
      {pictures && <ChatPictures chatId={chat.id} onClose={() => setPictures(false)} />}
    </>
  )
}

export default ChatMenu
