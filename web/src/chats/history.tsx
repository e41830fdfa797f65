import { useQueryClient } from '@tanstack/react-query'
import { ArrowDown, MessageCircleHeart } from 'lucide-react'
import { type Ref, useImperativeHandle, useMemo, useRef, useState } from 'react'
import { type ListRange, Virtuoso, type VirtuosoHandle } from 'react-virtuoso'
import { count } from '../app/moments.ts'
import { useStore } from '../app/store.ts'
import { useWords } from '../app/words.ts'
import { Notice } from '../ui/notice.tsx'
import { loadNewer, loadOlder } from './loading.ts'
import { waiting as outbox } from './outbox.ts'
import type { Chat } from './queries.ts'
import { RowView } from './row-view.tsx'
import { keyOf, rowsOf } from './rows.ts'
import { useSeeing } from './seeing.ts'
import { firstOf, type Message, sequenceOf, type Window } from './window.ts'

/** What others may ask of the history. */
export type HistoryControl = {
  /** Brings a message into view, if it is loaded. */
  reveal(id: string): boolean
  toEnd(): void
}

type Props = {
  ref: Ref<HistoryControl>
  chat: Chat
  shown: Window
  /** The message to begin at; without one the first unread, or the end. */
  startAt: string | undefined
  onJump(id: string): void
  onLatest(): void
  onReply(message: Message): void
  onEdit(message: Message): void
}

export const History = ({ ref, chat, shown, startAt, onJump, onLatest, onReply, onEdit }: Props) => {
  const { t } = useWords()
  const client = useQueryClient()
  const list = useRef<VirtuosoHandle>(null)
  const [atBottom, setAtBottom] = useState(true)
  const [lit, setLit] = useState(startAt)
  const all = useStore(outbox)
  const waiting = useMemo(() => all.filter(({ chatId }) => chatId === chat.id), [all, chat.id])
  const rows = useMemo(() => rowsOf(shown, waiting), [shown, waiting])
  // Where reading went on when the chat was opened; it stays there while new messages are read.
  const [unreadFrom] = useState(() => (chat.extra?.unread_count ? chat.extra.seen_sequence + 1 : undefined))
  const [start] = useState(() => {
    const at = shown.messages.findIndex(message =>
      startAt ? message.id === startAt : unreadFrom !== undefined && sequenceOf(message) >= unreadFrom,
    )
    return at < 0
      ? { index: 'LAST' as const, align: 'end' as const }
      : { index: at, align: startAt ? ('center' as const) : ('start' as const) }
  })
  const seeing = useSeeing(chat, shown)
  const unread = chat.extra?.unread_count ?? 0

  useImperativeHandle(ref, () => ({
    reveal(id) {
      const at = shown.messages.findIndex(message => message.id === id)
      if (at < 0) return false
      list.current?.scrollToIndex({ index: at, align: 'center' })
      setLit(undefined)
      requestAnimationFrame(() => setLit(id))
      return true
    },
    toEnd: () => list.current?.scrollToIndex({ index: 'LAST', align: 'end' }),
  }))

  if (rows.length === 0)
    return (
      <div className="grid flex-1 place-items-center">
        <Notice icon={MessageCircleHeart} title={t('chat.empty')}>
          {t('chat.emptyMore')}
        </Notice>
      </div>
    )
  return (
    <div className="relative min-h-0 flex-1">
      <Virtuoso
        ref={list}
        role="log"
        aria-label={t('chat.history')}
        className="scroll-thin h-full"
        data={rows}
        computeItemKey={(_, row) => keyOf(row)}
        firstItemIndex={Math.max(1, firstOf(shown))}
        initialTopMostItemIndex={start}
        alignToBottom
        atBottomThreshold={60}
        atBottomStateChange={setAtBottom}
        followOutput={bottom => (bottom && shown.atEnd ? 'auto' : false)}
        increaseViewportBy={{ top: 600, bottom: 600 }}
        rangeChanged={({ endIndex }: ListRange) => seeing(endIndex)}
        startReached={() => void loadOlder(client, chat.id).catch(() => {})}
        endReached={() => void loadNewer(client, chat.id).catch(() => {})}
        itemContent={(_, row) => (
          <RowView
            row={row}
            shown={shown}
            unreadFrom={unreadFrom}
            lit={row.kind === 'message' && row.message.id === lit}
            {...{ onJump, onReply, onEdit }}
          />
        )}
      />
      {(!atBottom || !shown.atEnd) && (
        <button
          type="button"
          onClick={() => (shown.atEnd ? list.current?.scrollToIndex({ index: 'LAST', align: 'end' }) : onLatest())}
          className="absolute end-4 bottom-3 flex h-11 animate-rise items-center gap-2 rounded-full border border-line bg-card px-3 font-semibold text-ember shadow-float"
        >
          <ArrowDown className="size-5" aria-hidden="true" />
          {unread > 0 && <span aria-hidden="true">{count(unread)}</span>}
          <span className="sr-only">{t('chat.toLatest')}</span>
        </button>
      )}
    </div>
  )
}
