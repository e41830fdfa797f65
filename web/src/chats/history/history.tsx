import { type Ref, useCallback, useMemo, useRef, useState } from 'react'
import { session } from '../../app/session.ts'
import { useStore } from '../../app/store.ts'
import { useWords } from '../../app/words.ts'
import { WaitingRows } from '../composer/pending-message.tsx'
import { waiting as outbox } from '../composer/pending-messages.ts'
import { EmptyChat } from '../empty-chat.tsx'
import type { Chat } from '../queries.ts'
import { HistoryScroller, type View } from './history-scroller.tsx'
import { LatestButton } from './latest-button.tsx'
import { useDrawing } from './lazy-rows.ts'
import { useMore } from './load-more.ts'
import { type HistoryControl, useReadingPlace } from './reading-position.ts'
import { Block } from './row-view.tsx'
import { rowsOf } from './rows.ts'
import { useSeeing } from './seen-tracker.ts'
import { firstOf, lastOf, type Message, type Window } from './window.ts'

type Props = {
  ref: Ref<HistoryControl>
  chat: Chat
  shown: Window
  /** The message to begin at, or `end`; by default the first unread one, or the end. */
  startAt: string | undefined
  onJump(id: string): void
  onLatest(): void
  /** Undefined for read-only viewers. */
  onReply: ((message: Message) => void) | undefined
  onEdit(message: Message): void
}

/** Blocks begin at the same places, independent of the loaded part. */
const blockRows = 6
const blocksBetween = (first: number, last: number) => {
  const blocks = []
  let from = first
  while (from <= last && last > 0) {
    const id = (Math.floor(from / blockRows) + 1) * blockRows
    const next = Math.min(last + 1, id)
    blocks.push({ id, from, next })
    from = next
  }
  return blocks
}

/** A row's place is its message's sequence, independent of the loaded part of the history. */
export const History = ({ ref, chat, shown, startAt, onJump, onLatest, onReply, onEdit }: Props) => {
  const { t } = useWords()
  const { place, start, began, unreadFrom, lit, isNear, toEnd } = useReadingPlace(ref, { chat, shown, startAt })
  const box = useCallback(() => place.current?.box, [place])
  const [atBottom, setAtBottom] = useState(true)
  const all = useStore(outbox)
  const rows = useMemo(() => rowsOf(shown, session.get()?.userId), [shown])
  const waiting = all.filter(({ chatId }) => chatId === chat.id)
  const [first, last] = [firstOf(shown), lastOf(shown)]
  const inView = useRef<View>({ first: 0, last: 0, atBottom: true, moved: false })
  const { missing, busy, begin } = useDrawing(box, inView)
  const look = useMemo(
    () => ({ missing, unreadFrom, lit, onJump, onReply, onEdit }),
    [missing, unreadFrom, lit, onJump, onReply, onEdit],
  )
  const seeing = useSeeing(chat, shown)
  const loadNear = useMore(chat, shown)
  const onView = (view: View) => {
    seeing(Math.min(view.last, last))
    setAtBottom(view.atBottom)
    inView.current = view
    if (view.moved) void begin()
    loadNear(view)
  }

  if (rows.length + waiting.length === 0)
    return (
      <div className="grid flex-1 place-items-center">
        <EmptyChat maySend={chat.extra.may.send !== false} />
      </div>
    )
  return (
    <div className="relative min-h-0 flex-1">
      <HistoryScroller
        ref={place}
        label={t('chat.history')}
        start={start}
        last={last}
        ends={shown.atEnd}
        busy={busy}
        onView={onView}
      >
        {blocksBetween(first, last).map(({ from, next, id }) => (
          <Block
            key={id}
            first={from}
            above={from < began}
            // Messages at the end are rendered at once.
            whole={isNear(from, next) || (shown.atEnd && next > last)}
            rows={rows.slice(from - first, next - first)}
            look={look}
          />
        ))}
        {shown.atEnd && waiting.length > 0 && (
          <div data-first={last + 1}>
            <WaitingRows waiting={waiting} messages={shown.messages} />
          </div>
        )}
      </HistoryScroller>
      {(!atBottom || !shown.atEnd) && (
        <LatestButton unread={chat.extra.unread_count} onPress={shown.atEnd ? toEnd : onLatest} />
      )}
    </div>
  )
}
