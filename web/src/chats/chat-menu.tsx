import { useMutation, useQueryClient } from '@tanstack/react-query'
import { BellRing, CalendarDays, LayoutGrid, Lock, LockOpen } from 'lucide-react'
import { useState } from 'react'
import { api } from '../app/net/client.ts'
import { navigate } from '../app/router/router.tsx'
import { useWords } from '../app/words.ts'
import type { Event } from '../events/queries.ts'
import { sayFailure } from '../ui/failure.ts'
import { MenuSheet } from '../ui/layers/menu.tsx'
import type { MenuOf } from '../ui/layers/menu-button.ts'
import { say } from '../ui/layers/toasts.ts'
import { EndChatDialog } from './end-chat-dialog.tsx'
import { chatKey, chatsKey } from './keys.ts'
import { ChatPictures } from './pictures/chat-pictures.tsx'
import type { Chat } from './queries.ts'

type Props = Omit<MenuOf, 'openedBy'> & { openedBy: MenuOf['openedBy'] | undefined; event: Event; chat: Chat }

/** Actions on a chat as a whole. */
export const ChatMenu = ({ button, openedBy, onClose, event, chat }: Props) => {
  const { t } = useWords()
  const params = { eventId: event.id }
  const [pictures, setPictures] = useState(false)
  const [ending, setEnding] = useState(false)
  const { may, read_only_from: endsAt } = chat.extra
  const ended = !may.send || Boolean(endsAt)
  const reopen = useReopen(chat)
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
            { label: t('chat.allPictures'), icon: LayoutGrid, act: () => setPictures(true) },
            {
              label: t('settings.notifications'),
              icon: BellRing,
              act: () => void navigate({ to: '/settings/notifications', search: { event: event.id } }),
            },
            may.end &&
              (ended
                ? { label: t('chat.reopen'), icon: LockOpen, act: () => reopen.mutate() }
                : { label: t('chat.end'), icon: Lock, act: () => setEnding(true) }),
          ]}
        />
      )}
      {ending && <EndChatDialog chatId={chat.id} timezone={event.event_timezone} onClose={() => setEnding(false)} />}
      {pictures && <ChatPictures chatId={chat.id} onClose={() => setPictures(false)} />}
    </>
  )
}

const useReopen = (chat: Chat) => {
  const { t } = useWords()
  const client = useQueryClient()
  return useMutation({
    mutationFn: () => api.chats.reopenChat({ group_chat_id: chat.id }),
    onSuccess: () => {
      say(t('chat.reopened'))
      return Promise.all([chatKey(chat.id), chatsKey].map(queryKey => client.invalidateQueries({ queryKey })))
    },
    onError: sayFailure,
  })
}
