import { useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useEffect, useRef, useState } from 'react'
import { useWords } from '../app/words.ts'
import type { Event } from '../events/queries.ts'
import { sayProblem } from '../ui/toasts.ts'
import { ChatHeader } from './chat-header.tsx'
import { Composer } from './composer.tsx'
import { History, type HistoryControl } from './history.tsx'
import { loadAround, loadLatest } from './loading.ts'
import type { Chat } from './queries.ts'
import { SearchPanel } from './search-panel.tsx'
import { TypingLine } from './typing-line.tsx'
import type { Message, Window } from './window.ts'

type Props = { event: Event; chat: Chat; shown: Window; target: number | undefined }

/** What the message being written has to do with another one. */
export type Writing = { to?: Message; edits?: Message }

export const ChatRoom = ({ event, chat, shown, target }: Props) => {
  const { t } = useWords()
  const client = useQueryClient()
  const navigate = useNavigate()
  const history = useRef<HistoryControl>(null)
  const [writing, setWriting] = useState<Writing>({})
  const [searching, setSearching] = useState(false)
  /** Rises when another stretch of the history is shown, which then begins at its own place. */
  const [stretch, setStretch] = useState<{ number: number; at?: string }>({ number: 0 })

  const jump = async (id: string) => {
    if (history.current?.reveal(id)) return
    try {
      await loadAround(client, chat.id, Number(id))
      setStretch(({ number }) => ({ number: number + 1, at: id }))
    } catch {
      sayProblem(t('chat.messageGone'))
    }
  }
  const toLatest = async () => {
    await loadLatest(client, chat.id)
    setStretch(({ number }) => ({ number: number + 1 }))
  }
  const jumpNow = useRef(jump)
  jumpNow.current = jump
  useEffect(() => {
    if (target === undefined) return
    void jumpNow.current(String(target))
    // Taken out of the address, so that the same message can be asked for again.
    void navigate({ to: '.', search: {}, replace: true })
  }, [target, navigate])

  return (
    <div className="flex h-dvh flex-col">
      <title>{`${event.event_name} · Afterglow`}</title>
      <ChatHeader event={event} chat={chat} searching={searching} onSearch={() => setSearching(!searching)} />
      {searching && (
        <SearchPanel
          chatId={chat.id}
          onClose={() => setSearching(false)}
          onChoose={id => {
            setSearching(false)
            void jump(id)
          }}
        />
      )}
      <History
        key={stretch.number}
        ref={history}
        chat={chat}
        shown={shown}
        startAt={stretch.at}
        onJump={jump}
        onLatest={toLatest}
        onReply={to => setWriting({ to })}
        onEdit={edits => setWriting({ edits })}
      />
      <TypingLine chatId={chat.id} />
      <Composer
        key={writing.edits?.id ?? 'new'}
        chat={chat}
        eventId={event.id}
        writing={writing}
        onDone={() => setWriting({})}
        onSent={() => (shown.atEnd ? history.current?.toEnd() : void toLatest())}
      />
    </div>
  )
}
