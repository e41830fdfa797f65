import { useInfiniteQuery } from '@tanstack/react-query'
import { BellOff, Images, MessageCircle } from 'lucide-react'
import { rowsOf } from '../app/cache/pages.ts'
import { briefly, count } from '../app/date-format.ts'
import { ErrorBoundary } from '../app/router/error-boundary.tsx'
import { Link } from '../app/router/router.tsx'
import { session } from '../app/session.ts'
import { useWords } from '../app/words.ts'
import { EventPicture } from '../events/event-picture.tsx'
import { buttonClass } from '../ui/button.tsx'
import { Failed } from '../ui/failed.tsx'
import { LoadMore } from '../ui/load-more.tsx'
import { Notice } from '../ui/notice.tsx'
import { PageHeader } from '../ui/page-header.tsx'
import { SkeletonRows } from '../ui/skeleton.tsx'
import { wordsOf } from './composer/pending-messages.ts'
import { type Chat, chatsQuery } from './queries.ts'

export const ChatsList = () => {
  const { t } = useWords()
  const list = useInfiniteQuery(chatsQuery)
  const chats = rowsOf(list.data, chat => chat.id)
  return (
    <section aria-label={t('chats.title')}>
      <title>{`${t('chats.title')} · Afterglow`}</title>
      <PageHeader title={t('chats.title')} />
      {list.isPending && list.fetchStatus !== 'paused' ? (
        <SkeletonRows />
      ) : !list.data ? (
        <Failed error={list.error} retry={() => void list.refetch()} />
      ) : chats.length === 0 ? (
        <Notice
          icon={MessageCircle}
          title={t('chats.none')}
          action={
            <Link to="/events" className={buttonClass('soft')}>
              {t('nav.events')}
            </Link>
          }
        >
          {t('chats.noneMore')}
        </Notice>
      ) : (
        <ul className="grid grid-cols-1 gap-1 px-2 pb-4">
          {chats.map(chat => (
            <li key={chat.id}>
              <ErrorBoundary>
                <ChatRow chat={chat} />
              </ErrorBoundary>
            </li>
          ))}
        </ul>
      )}
      <LoadMore more={list.hasNextPage} loading={list.isFetchingNextPage} load={() => void list.fetchNextPage()} />
    </section>
  )
}

const ChatRow = ({ chat }: { chat: Chat }) => {
  const { t } = useWords()
  const unread = chat.extra.unread_count
  return (
    <Link
      to="/events/:eventId/chat"
      params={{ eventId: chat.event_id }}
      className="flex items-center gap-3 rounded-2xl p-2 transition hover:bg-hover aria-[current=page]:bg-glow"
    >
      <span className="size-13.5 shrink-0 overflow-hidden rounded-2xl bg-sunken">
        <EventPicture event={{ id: chat.event_id, event_avatar_url: chat.group_chat_avatar }} small />
      </span>
      <span className="min-w-0 flex-1">
        <span className="flex items-baseline gap-2">
          <span className="truncate font-semibold" dir="auto">
            {chat.group_chat_name}
          </span>
          {chat.extra.muted && (
            <BellOff className="size-3.5 shrink-0 self-center text-soft" aria-label={t('chat.muted')} />
          )}
          {chat.latest_message && (
            <time dateTime={chat.latest_message.created_at} className="ms-auto shrink-0 text-xs text-soft">
              {briefly(chat.latest_message.created_at)}
            </time>
          )}
        </span>
        <span className="flex items-center gap-2">
          <span className={`flex min-w-0 flex-1 gap-1 text-sm ${unread ? 'font-medium text-ink' : 'text-soft'}`}>
            {chat.extra.latest_blocked ? (
              <span className="truncate">{t('chat.blocked')}</span>
            ) : (
              <Latest message={chat.latest_message} />
            )}
          </span>
          {unread > 0 && (
            <span className="min-w-5.5 rounded-full bg-ember px-2 text-center text-xs leading-5.5 font-bold text-on-ember">
              <span aria-hidden="true">{count(unread)}</span>
              <span className="sr-only">{t('nav.unread', { count: unread })}</span>
            </span>
          )}
        </span>
      </span>
    </Link>
  )
}

const Latest = ({ message }: { message: Chat['latest_message'] }) => {
  const { t } = useWords()
  if (!message) return t('chat.noMessages')
  const mine = message.user.id === session.get()?.userId
  const pictures = message.attachments.length
  const words = wordsOf(t, message.message_content, pictures)
  return (
    <>
      <span className="max-w-1/2 shrink-0 truncate">
        <bdi>{mine ? t('chat.you') : message.user.user_first_name}</bdi>
        {': '}
      </span>
      {pictures > 0 && <Images className="size-3.5 shrink-0 self-center" />}
      {/* Cut at its own end, whichever side that is on. */}
      <span className="truncate" dir="auto">
        {words || t('chat.deleted')}
      </span>
    </>
  )
}
