import { useMutation, useQueryClient } from '@tanstack/react-query'
import { Link, useNavigate } from '@tanstack/react-router'
import { ArrowLeft, Bell, BellOff, CalendarDays, EllipsisVertical, Images, Search, UsersRound } from 'lucide-react'
import type { RefObject } from 'react'
import { api } from '../app/client.ts'
import { useWords } from '../app/words.ts'
import { EventPicture } from '../events/event-picture.tsx'
import type { Event } from '../events/queries.ts'
import { IconButton, iconButtonClass } from '../ui/button.tsx'
import { sayFailure } from '../ui/failing.ts'
import { Menu } from '../ui/menu.tsx'
import { say } from '../ui/toasts.ts'
import { chatKey, chatsKey } from './keys.ts'
import type { Chat } from './queries.ts'

type Props = {
  event: Event
  chat: Chat
  searching: boolean
  onSearch(): void
  searchButton: RefObject<HTMLButtonElement | null>
}

export const ChatHeader = ({ event, chat, searching, onSearch, searchButton }: Props) => {
  const { t } = useWords()
  const navigate = useNavigate()
  const client = useQueryClient()
  const params = { eventId: event.id }
  const muted = chat.extra?.muted ?? false
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
    <header className="safe-top border-b border-line bg-paper">
      <div className="flex h-15 items-center gap-0.5 px-1.5 lg:ps-4">
        <Link to="/chats" aria-label={t('common.back')} className={`${iconButtonClass} lg:hidden`}>
          <ArrowLeft aria-hidden="true" className="rtl:-scale-x-100" />
        </Link>
        <Link to="/events/$eventId" params={params} className="flex min-w-0 flex-1 items-center gap-3 rounded-xl py-1">
          <span className="size-10.5 shrink-0 overflow-hidden rounded-xl bg-sunken max-[27rem]:hidden">
            <EventPicture event={event} small />
          </span>
          <span className="min-w-0">
            <h1 className="truncate leading-tight font-semibold" dir="auto">
              {event.event_name}
            </h1>
            <span className="block truncate text-sm text-soft">
              {t('event.guests', { count: event.event_guests_count })}
              {muted && <BellOff className="ms-1.5 mb-0.5 inline size-3.5" aria-label={t('chat.muted')} />}
            </span>
          </span>
        </Link>
        <IconButton ref={searchButton} label={t('search.title')} aria-pressed={searching} onClick={onSearch}>
          <Search aria-hidden="true" />
        </IconButton>
        <Link to="/events/$eventId/photos" params={params} aria-label={t('event.photos')} className={iconButtonClass}>
          <Images aria-hidden="true" />
        </Link>
        <Menu
          trigger={
            <IconButton label={t('chat.menu')}>
              <EllipsisVertical aria-hidden="true" />
            </IconButton>
          }
          items={[
            {
              label: t('chat.toEvent'),
              icon: CalendarDays,
              act: () => void navigate({ to: '/events/$eventId', params }),
            },
            {
              label: t('guests.title'),
              icon: UsersRound,
              act: () => void navigate({ to: '/events/$eventId/guests', params }),
            },
            {
              label: muted ? t('chat.unmute') : t('chat.mute'),
              icon: muted ? Bell : BellOff,
              act: () => mute.mutate(),
            },
          ]}
        />
      </div>
    </header>
  )
}
