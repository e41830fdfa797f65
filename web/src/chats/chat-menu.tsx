import { useMutation, useQueryClient } from '@tanstack/react-query'
import { Bell, BellOff, CalendarDays, LayoutGrid, Lock, LockOpen, UsersRound } from 'lucide-react'
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
  const { muted, may, read_only_from: endsAt } = chat.extra
  const ended = !may.send || Boolean(endsAt)
  const { mute, reopen } = useChatActs(chat)
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
            { label: t('chat.allPictures'), icon: LayoutGrid, act: () => setPictures(true) },
            {
              label: muted ? t('chat.unmute') : t('chat.mute'),
              icon: muted ? Bell : BellOff,
              act: () => mute.mutate(),
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

const useChatActs = (chat: Chat) => {
  const { t } = useWords()
  const client = useQueryClient()
  const refresh = () =>
    Promise.all([
      client.invalidateQueries({ queryKey: chatKey(chat.id) }),
      client.invalidateQueries({ queryKey: chatsKey }),
    ])
  const mute = useMutation({
    mutationFn: () => (chat.extra.muted ? api.chats.unmuteChat : api.chats.muteChat)({ group_chat_id: chat.id }),
    onSuccess: async now => {
      say(now.muted ? t('chat.nowMuted') : t('chat.nowLoud'))
      await refresh()
    },
    onError: sayFailure,
  })
  const reopen = useMutation({
    mutationFn: () => api.chats.reopenChat({ group_chat_id: chat.id }),
    onSuccess: async () => {
      say(t('chat.reopened'))
      await refresh()
    },
    onError: sayFailure,
  })
  return { mute, reopen }
}
