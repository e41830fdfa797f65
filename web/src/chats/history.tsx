import { ArrowDown, MessageCircleHeart } from 'lucide-react'
import { type Ref, useImperativeHandle, useMemo, useRef, useState } from 'react'
import type { VirtuosoHandle } from 'react-virtuoso'
import { drawn, whenIdle } from '../app/idle.ts'
import { later } from '../app/later.tsx'
import { count } from '../app/moments.ts'
import { useStore } from '../app/store.ts'
import { useWords } from '../app/words.ts'
import { Notice } from '../ui/notice.tsx'
import type { Chat } from './queries.ts'
import { RowView } from './row-view.tsx'
import { type Row, rowsOf } from './rows.ts'
import { type Start, StillHistory } from './still-history.tsx'
import { waiting as outbox } from './waiting.ts'
import { type Message, sequenceOf, type Window } from './window.ts'

/** After the pictures in view, as each is drawn anew by the list that scrolls; but as soon as somebody reaches for it. */
const MovingHistory = later(async () => {
  await drawn()
  await Promise.race([whenIdle(), wanted()])
  return (await import('./moving-history.tsx')).MovingHistory
})
const waitsMs = 1000
const wanted = () =>
  new Promise<void>(resolve => {
    setTimeout(resolve, waitsMs)
    for (const sign of ['pointerdown', 'wheel', 'keydown']) addEventListener(sign, () => resolve(), { once: true })
  })

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
  const list = useRef<VirtuosoHandle>(null)
  const [atBottom, setAtBottom] = useState(true)
  const [lit, setLit] = useState(startAt)
  const all = useStore(outbox)
  const waiting = useMemo(() => all.filter(({ chatId }) => chatId === chat.id), [all, chat.id])
  const rows = useMemo(() => rowsOf(shown, waiting), [shown, waiting])
  // Where reading went on when the chat was opened; it stays there while new messages are read.
  const [unreadFrom] = useState(() => (chat.extra?.unread_count ? chat.extra.seen_sequence + 1 : undefined))
  const [start, setStart] = useState<Start>(() => {
    const at = shown.messages.findIndex(message =>
      startAt ? message.id === startAt : unreadFrom !== undefined && sequenceOf(message) >= unreadFrom,
    )
    return at < 0 ? { index: 'LAST', align: 'end' } : { index: at, align: startAt ? 'center' : 'start' }
  })
  /** Whether the list that scrolls has taken the place of the still one. */
  const [moving, setMoving] = useState(false)
  const unread = chat.extra?.unread_count ?? 0

  useImperativeHandle(ref, () => ({
    reveal(id) {
      const at = shown.messages.findIndex(message => message.id === id)
      if (at < 0) return false
      if (list.current) list.current.scrollToIndex({ index: at, align: 'center' })
      else setStart({ index: at, align: 'center' })
      setLit(undefined)
      requestAnimationFrame(() => setLit(id))
      return true
    },
    toEnd: () => list.current?.scrollToIndex({ index: 'LAST', align: 'end' }),
  }))

  if (rows.length === 0)
    return (
      <div className="grid flex-1 place-items-center">
        {chat.extra?.may.send === false ? (
          <Notice icon={MessageCircleHeart} title={t('chat.noMessages')} />
        ) : (
          <Notice icon={MessageCircleHeart} title={t('chat.empty')}>
            {t('chat.emptyMore')}
          </Notice>
        )}
      </div>
    )
  const row = (row: Row) => (
    <RowView
      row={row}
      shown={shown}
      unreadFrom={unreadFrom}
      lit={row.kind === 'message' && row.message.id === lit}
      {...{ onJump, onReply, onEdit }}
    />
  )
  return (
    <div className="relative min-h-0 flex-1">
      {!moving && <StillHistory rows={rows} start={start} row={row} />}
      <div className="h-full" aria-hidden={!moving || undefined}>
        <MovingHistory
          ref={list}
          start={start}
          rows={rows}
          row={row}
          chat={chat}
          shown={shown}
          onAtBottom={setAtBottom}
          onDrawn={() => setMoving(true)}
        />
      </div>
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
