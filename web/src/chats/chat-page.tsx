import { useQuery } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import { MessageCircleOff } from 'lucide-react'
import { useDeferredValue } from 'react'
import { useWords } from '../app/words.ts'
import { isIn } from '../events/event-words.ts'
import { eventQuery } from '../events/queries.ts'
import { buttonClass } from '../ui/button.tsx'
import { Failed, Notice } from '../ui/notice.tsx'
import { PageHeader } from '../ui/page-header.tsx'
import { Skeleton } from '../ui/skeleton.tsx'
import { ChatRoom } from './chat-room.tsx'
import { windowQuery } from './loading.ts'
import { chatQuery } from './queries.ts'

const route = getRouteApi('/inside/chats-beside/events/$eventId/chat')

export const ChatPage = () => {
  const { t } = useWords()
  const { eventId } = route.useParams()
  const { message } = route.useSearch()
  const event = useQuery(eventQuery(eventId))
  const chatId = event.data?.group_chat_id ?? 0
  const inside = event.data !== undefined && isIn(event.data)
  const chat = useQuery({ ...chatQuery(chatId), enabled: inside })
  const history = useQuery({ ...windowQuery(chatId), enabled: inside })
  const error = event.error ?? chat.error ?? history.error
  // The first screen of messages is drawn in small steps, between which the page answers.
  const drawn = useDeferredValue(history.data !== undefined && chat.data !== undefined, false)
  const back = { to: '/events/$eventId', params: { eventId } } as const
  if (event.data && !inside)
    return (
      <>
        <PageHeader title={event.data.event_name} back={back} />
        <Notice
          icon={MessageCircleOff}
          title={t('chat.outside')}
          action={
            <Link to="/events/$eventId" params={{ eventId }} className={buttonClass()}>
              {t('chat.toEvent')}
            </Link>
          }
        />
      </>
    )
  if (drawn && event.data && chat.data && history.data)
    return <ChatRoom key={chatId} event={event.data} chat={chat.data} shown={history.data} target={message} />
  if (error)
    return (
      <>
        <PageHeader title={t('chat.title')} back={back} />
        <Failed
          error={error}
          retry={() => void Promise.all([event.refetch(), chat.refetch()])}
          gone={t('chat.gone')}
          goneAction={
            <Link to="/chats" className={buttonClass('soft')}>
              {t('nav.chats')}
            </Link>
          }
        />
      </>
    )
  return <Placeholder />
}

const widths = ['w-2/5', 'w-3/5', 'w-1/2 ms-auto', 'w-1/3', 'w-2/3', 'w-2/5 ms-auto', 'w-1/2']
const Placeholder = () => (
  <div className="flex h-dvh flex-col" role="status">
    <div className="flex h-15 items-center gap-3 border-b border-line px-4">
      <Skeleton className="size-10 rounded-full" />
      <Skeleton className="h-4 w-40" />
    </div>
    <div className="grid flex-1 content-end gap-4 p-4">
      {widths.map(width => (
        <Skeleton key={width} className={`h-12 rounded-bubble ${width}`} />
      ))}
    </div>
    <div className="p-3">
      <Skeleton className="h-12 rounded-full" />
    </div>
  </div>
)
