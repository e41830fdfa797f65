import { type Ref, useImperativeHandle, useRef, useState } from 'react'
import { type Chat, unreadFrom as firstUnread } from '../queries.ts'
import type { Aim, HistoryScroller } from './history-scroller.tsx'
import { lastOf, sequenceOf, type Window } from './window.ts'

/** Commands to the history from outside. */
export type HistoryControl = {
  /** Brings a message into view, if it is loaded. */
  reveal(id: string): boolean
  toEnd(): void
}

/** The reader's place: the start of the history, and later jumps. */
export const useReadingPlace = (
  ref: Ref<HistoryControl>,
  { chat, shown, startAt }: { chat: Chat; shown: Window; startAt: string | undefined },
) => {
  const place = useRef<HistoryScroller>(null)
  const [lit, setLit] = useState(startAt)
  // The first unread message when the chat was opened; it stays while new messages are read.
  const [unreadFrom] = useState(() => firstUnread(chat))
  const [start] = useState(() => aimAt(shown, startAt, unreadFrom))
  const rowOf = (aim: Aim) => (aim === 'end' ? lastOf(shown) : aim.place)
  /** Around it, for about a screen, all rows are rendered at once. */
  const [near, setNear] = useState(() => rowOf(start))
  const [reach] = useState(() => Math.ceil(innerHeight / 60))
  const [began] = useState(near - reach)
  const aimFor = (aim: Aim) => {
    setNear(rowOf(aim))
    place.current?.aim(aim)
  }
  const toEnd = () => aimFor('end')
  useImperativeHandle(ref, () => ({
    reveal(id) {
      const found = shown.messages.find(message => message.id === id)
      if (!found) return false
      aimFor({ place: sequenceOf(found), align: 'center' })
      setLit(undefined)
      requestAnimationFrame(() => setLit(id))
      return true
    },
    toEnd,
  }))
  const isNear = (from: number, next: number) => from <= near + reach && next > near - reach
  return { place, start, began, unreadFrom, lit, isNear, toEnd }
}

/** The requested message, or the first unread one. */
const aimAt = (shown: Window, startAt: string | undefined, unreadFrom: number | undefined): Aim => {
  const at = shown.messages.find(message =>
    startAt ? message.id === startAt : unreadFrom !== undefined && sequenceOf(message) >= unreadFrom,
  )
  return at ? { place: sequenceOf(at), align: startAt ? 'center' : 'start' } : 'end'
}
