import { EllipsisVertical, Images, Search } from 'lucide-react'
import { type RefObject, useRef } from 'react'
import { Link } from '../app/router/router.tsx'
import { useWords } from '../app/words.ts'
import { EventPicture } from '../events/event-picture.tsx'
import { isIn, whenOf } from '../events/event-words.ts'
import type { Event } from '../events/queries.ts'
import { BackLink } from '../ui/back-link.tsx'
import { IconButton, iconButtonClass } from '../ui/button.tsx'
import { useMenuButton } from '../ui/layers/menu-button.ts'
import { ChatMenu } from './chat-menu.tsx'
import type { Chat } from './queries.ts'

type Props = {
  event: Event
  chat: Chat
  /** It is beside its event, whose name is there already. */
  beside: boolean
  searching: boolean
  onSearch(): void
  searchButton: RefObject<HTMLButtonElement | null>
}

export const ChatHeader = ({ event, chat, beside, searching, onSearch, searchButton }: Props) => {
  const { t } = useWords()
  const params = { eventId: event.id }
  const { props, ...menu } = useMenuButton()
  const needed = useRef(false)
  needed.current ||= menu.openedBy !== undefined
  return (
    <header className="safe-top border-b border-line bg-paper">
      <div className="flex min-h-15 flex-wrap items-center justify-end gap-1 px-2 lg:ps-4">
        {beside ? (
          <h2 className="flex-1 px-3 text-xl font-semibold">{t('event.chat')}</h2>
        ) : (
          <>
            <BackLink to={{ to: '/events/:eventId', params }} or="/chats" className={isIn(event) ? 'lg:hidden' : ''} />
            <Link
              to="/events/:eventId"
              params={params}
              className="flex min-w-[min(100%-3rem,8rem)] flex-1 items-center gap-3 rounded-xl py-1"
            >
              <span className="size-10.5 shrink-0 overflow-hidden rounded-xl bg-sunken max-[27rem]:hidden">
                <EventPicture event={event} small />
              </span>
              <span className="min-w-0">
                <h1 className="truncate leading-tight font-semibold" dir="auto">
                  {event.event_name}
                </h1>
                <span className="block truncate text-sm text-soft">
                  {whenOf(event)}
                  {chat.extra.muted && ` · ${t('chat.muted')}`}
                </span>
              </span>
            </Link>
          </>
        )}
        {isIn(event) && (
          <IconButton ref={searchButton} label={t('search.title')} aria-pressed={searching} onClick={onSearch}>
            <Search />
          </IconButton>
        )}
        {!isIn(event) && (
          <Link to="/events/:eventId/photos" params={params} aria-label={t('event.photos')} className={iconButtonClass}>
            <Images />
          </Link>
        )}
        {isIn(event) && (
          <IconButton {...props} label={t('chat.menu')}>
            <EllipsisVertical />
          </IconButton>
        )}
        {needed.current && <ChatMenu {...menu} {...{ event, chat }} />}
      </div>
    </header>
  )
}
