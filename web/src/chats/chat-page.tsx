import { useQuery } from '@tanstack/react-query'
import { useDeferredValue } from 'react'
import { troubleOf } from '../app/cache/query.ts'
import { useParams, useSearch } from '../app/router/router.tsx'
import { type Event, eventQuery } from '../events/queries.ts'
import { BackLink } from '../ui/back-link.tsx'
import { Skeleton } from '../ui/skeleton.tsx'
import { ChatRoom } from './chat-room.tsx'
import { ChatTrouble } from './chat-trouble.tsx'
import { windowQuery } from './history/history-query.ts'
import { chatQuery } from './queries.ts'

const messageOf = ({ message }: Record<string, string>) => Number(message) || undefined

export const ChatPage = () => {
  const { eventId } = useParams('/events/:eventId/chat')
  return <ChatOf eventId={eventId} target={useSearch(messageOf)} />
}

/** The chat beside its event. */
export const ChatBeside = ({ eventId }: { eventId: number }) => <ChatOf eventId={eventId} target={undefined} beside />

type Props = { eventId: number; target: number | undefined; beside?: boolean }

const ChatOf = ({ eventId, target, beside = false }: Props) => {
  const event = useQuery(eventQuery(eventId))
  const chatId = event.data?.group_chat_id ?? 0
  const inside = event.data?.extra.may.read_chat === true
  const chat = useQuery({ ...chatQuery(chatId), enabled: inside })
  const history = useQuery({ ...windowQuery(chatId), enabled: inside })
  const error = troubleOf(event) ?? troubleOf(chat) ?? troubleOf(history)
  // The first screen of messages is rendered in small steps, between which the page responds.
  const drawn = useDeferredValue(history.data !== undefined && chat.data !== undefined, false)
  if (drawn && inside && event.data && chat.data && history.data)
    return <ChatRoom key={chatId} event={event.data} chat={chat.data} shown={history.data} {...{ target, beside }} />
  const outside = event.data !== undefined && !inside
  if (error || outside)
    return (
      <ChatTrouble
        {...{ eventId, event: event.data, error: outside ? undefined : error }}
        retry={() => {
          for (const each of [event, chat, history]) if (each.isEnabled && !each.data) void each.refetch()
        }}
      />
    )
  return <Placeholder event={event.data} eventId={eventId} />
}

const widths = ['w-2/5', 'w-3/5', 'w-1/2 ms-auto', 'w-1/3', 'w-2/3', 'w-2/5 ms-auto', 'w-1/2']
/** The back link works even while loading. */
const Placeholder = ({ event, eventId }: { event: Event | undefined; eventId: number }) => (
  <div className="mx-auto flex h-page w-full max-w-4xl flex-col lg:h-full">
    <div className="safe-top border-b border-line">
      <div className="flex h-15 items-center gap-2 px-2 lg:ps-4">
        <BackLink to={{ to: '/events/:eventId', params: { eventId } }} or="/chats" className="lg:hidden" />
        {event ? (
          <h1 className="min-w-0 truncate font-semibold" dir="auto">
            {event.event_name}
          </h1>
        ) : (
          <Skeleton className="h-4 w-40" />
        )}
      </div>
    </div>
    <div className="grid flex-1 content-end gap-4 overflow-hidden p-4" role="status">
      {widths.map(width => (
        <Skeleton key={width} className={`h-12 rounded-bubble ${width}`} />
      ))}
    </div>
    <div className="p-3">
      <Skeleton className="h-12 rounded-full" />
    </div>
  </div>
)
