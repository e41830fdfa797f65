import { ArrowDown } from 'lucide-react'
import { type Ref, useImperativeHandle, useMemo, useRef, useState } from 'react'
import type { VirtuosoHandle } from 'react-virtuoso'
import { whenIdle } from '../app/idle.ts'
import { later } from '../app/later.tsx'
import { count } from '../app/moments.ts'
import { useStore } from '../app/store.ts'
import { useWords } from '../app/words.ts'
import { waiting as outbox } from './pending-messages.ts'
import type { Chat } from './queries.ts'
import { RowView } from './row-view.tsx'
import { type Row, rowsOf } from './rows.ts'
import { useSeeing } from './seen-tracker.ts'
import { type Start, type StillControl, StillHistory } from './still-history.tsx'
import { firstOf, type Message, sequenceOf, type Window } from './window.ts'

const EmptyChat = later(() => import('./empty-chat.tsx').then(({ EmptyChat }) => EmptyChat))
/** The first time when somebody reaches for it, or when the page has had nothing to do for a while. */
const MovingHistory = later(async () => {
  await Promise.race([leisure(), reached.promise])
  return (await import('./virtual-history.tsx')).MovingHistory
})
const leisureMs = 3000
const leisure = async () => {
  await whenIdle()
  await new Promise(resolve => setTimeout(resolve, leisureMs))
}
const reached = Promise.withResolvers<void>()
for (const sign of ['wheel', 'keydown']) addEventListener(sign, () => reached.resolve(), { once: true })

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
  const [unreadFrom] = useState(() => (chat.extra.unread_count ? chat.extra.seen_sequence + 1 : undefined))
  const [start, setStart] = useState<Start>(() => {
    const at = shown.messages.findIndex(message =>
      startAt ? message.id === startAt : unreadFrom !== undefined && sequenceOf(message) >= unreadFrom,
    )
    return at < 0 ? { index: 'LAST', align: 'end' } : { index: at, align: startAt ? 'center' : 'start' }
  })
  const still = useRef<StillControl>(null)
  /** Whether the list that scrolls has taken the place of the still one. */
  const [moving, setMoving] = useState(false)
  const seeing = useSeeing(chat, shown)
  const unread = chat.extra.unread_count

  const toEnd = () => {
    if (moving) list.current?.scrollToIndex({ index: 'LAST', align: 'end' })
    else setStart({ index: 'LAST', align: 'end' })
  }
  useImperativeHandle(ref, () => ({
    reveal(id) {
      const at = shown.messages.findIndex(message => message.id === id)
      if (at < 0) return false
      if (moving) list.current?.scrollToIndex({ index: at, align: 'center' })
      else setStart({ index: at, align: 'center' })
      setLit(undefined)
      requestAnimationFrame(() => setLit(id))
      return true
    },
    toEnd,
  }))

  if (rows.length === 0)
    return (
      <div className="grid flex-1 place-items-center">
        <EmptyChat maySend={chat.extra.may.send !== false} />
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
    <div className="relative isolate min-h-0 flex-1">
      {!moving && (
        <StillHistory
          ref={still}
          {...{ rows, start, row }}
          onSeen={index => seeing(firstOf(shown) + index)}
          onAtBottom={setAtBottom}
          onReach={reached.resolve}
        />
      )}
      {/* Below the still one, which it stays behind for as long as a menu is open in that. */}
      <div className={`h-full ${moving ? '' : 'relative -z-1'}`} inert={!moving} aria-hidden={!moving || undefined}>
        <MovingHistory
          ref={list}
          {...{ still, start, rows, row, chat, shown, seeing }}
          onAtBottom={at => moving && setAtBottom(at)}
          onTaken={() => setMoving(true)}
        />
      </div>
      {(!atBottom || !shown.atEnd) && (
        <button
          type="button"
          onClick={() => (shown.atEnd ? toEnd() : onLatest())}
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
