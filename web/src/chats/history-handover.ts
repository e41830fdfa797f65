import { type RefObject, useRef } from 'react'
import { flushSync } from 'react-dom'
import type { VirtuosoHandle } from 'react-virtuoso'
import { drawn } from '../app/idle.ts'
import type { Start, StillControl } from './still-history.tsx'

/** `data-open`: what opens something whose code is still on its way. */
const opened = '[role=menu],[role=dialog],[role=alertdialog],[role=log] [aria-expanded=true],[data-open]'
const lookMs = 150

/** Where the first rows are drawn: takes the place of the still list once nobody uses that, and nothing is open in it. */
export const useTakingPlace = (
  list: RefObject<VirtuosoHandle | null>,
  still: RefObject<StillControl | null>,
  start: Start,
  onTaken: () => void,
) => {
  const now = useRef({ start, onTaken })
  now.current = { start, onTaken }
  const begun = useRef(false)
  const take = async () => {
    while (still.current?.isUsed() || document.querySelector(opened))
      await new Promise(resolve => setTimeout(resolve, lookMs))
    list.current?.scrollToIndex(readerOf(still.current) ?? now.current.start)
    await drawn()
    await drawn()
    const focused = still.current && placeOf(still.current.element)
    flushSync(now.current.onTaken)
    if (focused) focusAt(focused)
  }
  return () => {
    if (begun.current) return
    begun.current = true
    void take()
  }
}

/** The row at the top of a list that was scrolled, and how many pixels of it are above. */
const readerOf = (still: StillControl | null) => {
  if (!still?.isScrolled()) return undefined
  const { element, first } = still
  const rows = [...element.children] as HTMLElement[]
  const at = rows.findIndex(({ offsetTop, offsetHeight }) => offsetTop + offsetHeight > element.scrollTop)
  return { index: first + at, offset: element.scrollTop - (rows[at]?.offsetTop ?? 0), align: 'start' as const }
}

/** An element by the row that it stands in and the way down to it there, the same wherever the row is drawn. */
type Place = { row: string | undefined; way: number[] }

/** Where the keyboard is within a list; undefined when it is elsewhere. */
const placeOf = (list: HTMLElement): Place | undefined => {
  const focused = document.activeElement
  if (!focused || !list.contains(focused)) return undefined
  const row = focused.closest<HTMLElement>('[data-row]')
  const way: number[] = []
  for (let at = focused; row && at !== row; at = at.parentElement as Element)
    way.unshift([...(at.parentElement as Element).children].indexOf(at))
  return { row: row?.dataset.row, way }
}

/** In the list where there is no such place. */
const focusAt = ({ row, way }: Place) => {
  const found = row === undefined ? null : document.querySelector(`[data-row="${CSS.escape(row)}"]`)
  const element = way.reduce<Element | null | undefined>((at, step) => at?.children[step], found)
  const target = element ?? document.querySelector('[role=log]')
  if (target instanceof HTMLElement) target.focus({ preventScroll: true })
}
