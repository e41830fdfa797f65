import { useQueryClient } from '@tanstack/react-query'
import { type RefObject, useCallback, useEffect, useRef, useState } from 'react'
import { currentVisit } from '../app/router/history.ts'
import { hrefOf, navigate } from '../app/router/router.tsx'
import { useWords } from '../app/words.ts'
import { Announcements } from '../events/announcements/announcements.tsx'
import { isIn } from '../events/event-words.ts'
import { WithOrganizers } from '../events/guests/organizers.tsx'
import type { Event } from '../events/queries.ts'
import { sayProblem } from '../ui/layers/toasts.ts'
import { ChatHeader } from './chat-header.tsx'
import { Composer } from './composer/composer.tsx'
import { TypingLine } from './composer/typists.tsx'
import { History } from './history/history.tsx'
import type { HistoryControl } from './history/reading-position.ts'
import type { Message, Window } from './history/window.ts'
import { PinnedMessage } from './pinned-message.tsx'
import type { Chat } from './queries.ts'
import { SearchPanel } from './search-panel.tsx'

type Props = { event: Event; chat: Chat; shown: Window; target: number | undefined; beside: boolean }

/** The message being written, as a reply or an edit. */
export type Writing = { to?: Message; edits?: Message }

export const ChatRoom = ({ event, chat, shown, target, beside }: Props) => {
  const history = useRef<HistoryControl>(null)
  const [writing, setWriting] = useState<Writing>({})
  const { stretch, jump, onJump, toLatest } = useStretch(chat.id, history)
  const { searching, searchButton, toggle, close, choose } = useSearching(jump)
  /** A viewer by a link that only shows the chat is not inside. */
  const inside = isIn(event)
  const reply = useCallback((to: Message) => setWriting({ to }), [])
  const onReply = inside ? reply : undefined
  const onEdit = useCallback((edits: Message) => setWriting({ edits }), [])
  useTarget(target, event.id, onJump)

  return (
    <div className="mx-auto flex h-page w-full max-w-4xl flex-col lg:h-full">
      {!beside && <title>{`${event.event_name} · Afterglow`}</title>}
      <ChatHeader event={event} chat={chat} {...{ searching, searchButton, beside }} onSearch={toggle} />
      {searching && <SearchPanel chatId={chat.id} onClose={close} onChoose={choose} />}
      {inside && <Announcements eventId={event.id} unreadOnly />}
      {chat.extra.pinned && <PinnedMessage chat={chat} pinned={chat.extra.pinned} onJump={onJump} />}
      <WithOrganizers eventId={event.id}>
        <History
          key={stretch.number}
          ref={history}
          chat={chat}
          shown={shown}
          startAt={stretch.at}
          onLatest={toLatest}
          {...{ onJump, onReply, onEdit }}
        />
      </WithOrganizers>
      {onReply && <TypingLine chatId={chat.id} />}
      {onReply && (
        <Composer
          key={writing.edits?.id ?? 'new'}
          chat={chat}
          eventId={event.id}
          {...{ writing, onReply }}
          onDone={() => setWriting({})}
          onSent={() => (shown.atEnd ? history.current?.toEnd() : void toLatest())}
        />
      )}
    </div>
  )
}

/** The message in the address is shown once. */
const useTarget = (target: number | undefined, eventId: number, onJump: (id: string) => void) =>
  useEffect(() => {
    if (target === undefined) return
    onJump(String(target))
    // Removed from the address, so that the same message can be requested again, unless the user has left it already.
    const own = hrefOf({ to: '/events/:eventId/chat', params: { eventId } })
    if (currentVisit().path === own) void navigate({ href: own, replace: true })
  }, [target, eventId, onJump])

const useSearching = (jump: (id: string) => Promise<void>) => {
  const [searching, setSearching] = useState(false)
  const searchButton = useRef<HTMLButtonElement>(null)
  return {
    searching,
    searchButton,
    toggle: () => setSearching(!searching),
    close() {
      setSearching(false)
      searchButton.current?.focus()
    },
    choose(id: string) {
      setSearching(false)
      // A keyboard user continues at the message.
      document.querySelector<HTMLElement>('[role=log]')?.focus({ preventScroll: true })
      void jump(id)
    },
  }
}

/** The visible stretch of the history, and how to change it. */
const useStretch = (chatId: number, history: RefObject<HistoryControl | null>) => {
  const { t } = useWords()
  const client = useQueryClient()
  /** Increments when another stretch of the history is shown, which then begins at its own place. */
  const [stretch, setStretch] = useState<{ number: number; at?: string }>({ number: 0 })

  const jump = async (id: string) => {
    if (history.current?.reveal(id)) return
    try {
      const { loadAround } = await import('./history/history-pages.ts')
      await loadAround(client, chatId, Number(id))
      setStretch(({ number }) => ({ number: number + 1, at: id }))
    } catch {
      sayProblem(t('chat.messageGone'))
    }
  }
  const toLatest = async () => {
    const { loadLatest } = await import('./history/history-pages.ts')
    await loadLatest(client, chatId)
    setStretch(({ number }) => ({ number: number + 1, at: 'end' }))
  }
  const jumpNow = useRef(jump)
  jumpNow.current = jump
  // Stable, or every row of the history would re-render with each key press.
  const onJump = useCallback((id: string) => void jumpNow.current(id), [])
  return { stretch, jump, onJump, toLatest }
}
