import { type ReactNode, useLayoutEffect, useRef } from 'react'
import { keyOf, type Row } from './rows.ts'

/** The row that a history begins at, and where on the screen it stands. */
export type Start = { index: number | 'LAST'; align: 'start' | 'center' | 'end' }

/** More than a screen has, on either side. */
const reach = 12

/**
 * The rows around the start, drawn while the code of the list that scrolls is on its way: 20 KB that nobody needs to read
 * what was written last. Inert, as what was opened or scrolled in it would be lost when the list takes its place.
 */
export const StillHistory = ({ rows, start, row }: { rows: Row[]; start: Start; row(row: Row): ReactNode }) => {
  const place = useRef<HTMLDivElement>(null)
  const at = start.index === 'LAST' ? rows.length - 1 : start.index
  const first = Math.max(0, at - reach)
  useLayoutEffect(() => {
    const box = place.current
    const chosen = box?.querySelectorAll<HTMLElement>(':scope > div')[at - first]
    if (!box || !chosen) return
    const room = box.clientHeight - chosen.offsetHeight
    box.scrollTop = chosen.offsetTop - { start: 0, center: room / 2, end: room }[start.align]
  }, [at, first, start.align])
  return (
    <div ref={place} inert className="scroll-thin absolute inset-0 flex flex-col overflow-y-auto bg-paper">
      {rows.slice(first, at + reach + 1).map((each, number) => (
        <div key={keyOf(each)} className={number === 0 ? 'mt-auto' : ''}>
          {row(each)}
        </div>
      ))}
    </div>
  )
}
