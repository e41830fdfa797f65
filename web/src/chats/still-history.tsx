import { type ReactNode, type Ref, useEffect, useImperativeHandle, useLayoutEffect, useRef } from 'react'
import { useWords } from '../app/words.ts'
import { keyOf, type Row } from './rows.ts'

/** The row that a history begins at, and where on the screen it stands. */
export type Start = { index: number | 'LAST'; align: 'start' | 'center' | 'end' }

/** What the list that takes its place asks of it. */
export type StillControl = {
  element: HTMLElement
  /** The index of its first row. */
  first: number
  /** It does not stand as it began. */
  isScrolled(): boolean
  /** Somebody scrolls it, or has just touched something in it. */
  isUsed(): boolean
}

type Props = {
  ref: Ref<StillControl>
  rows: Row[]
  start: Start
  row(row: Row): ReactNode
  /** Down to which row it is seen, whenever that changes. */
  onSeen(index: number): void
  onAtBottom(at: boolean): void
  /** Somebody scrolls it. */
  onReach(): void
}

/** More than a screen has, on either side. */
const reach = 12
/** From the end of a scroll, and from a tap until what it opens is there. */
const restsAfterMs = { scroll: 150, tap: 1000 }
const bottomPixels = 60

/**
 * The rows around the start, as the list that scrolls is 20 KB that nobody needs to read what was written last, and draws
 * every row anew. It can be used, and scrolled a little, until that one takes its place.
 */
export const StillHistory = ({ ref, rows, start, row, onSeen, onAtBottom, onReach }: Props) => {
  const { t } = useWords()
  const place = useRef<HTMLDivElement>(null)
  const began = useRef(0)
  const touched = useRef(false)
  const restsAt = useRef(0)
  const use = (how: keyof typeof restsAfterMs) => {
    restsAt.current = Math.max(restsAt.current, performance.now() + restsAfterMs[how])
  }
  const at = start.index === 'LAST' ? rows.length - 1 : start.index
  const startedAt = useRef({ start, at })
  if (startedAt.current.start !== start) startedAt.current = { start, at }
  // What arrives takes no row away from who has scrolled up.
  const first = Math.max(0, Math.min(at, startedAt.current.at) - reach)
  const isScrolled = (box: HTMLElement) => Math.abs(box.scrollTop - began.current) >= 1

  const alignedBy = useRef<Start>(undefined)
  const align = () => {
    const box = place.current
    const chosen = box?.children[at - first] as HTMLElement | undefined
    // Who has scrolled stays there, unless another place was asked for.
    if (!box || !chosen || (isScrolled(box) && alignedBy.current === start)) return
    alignedBy.current = start
    const room = box.clientHeight - chosen.offsetHeight
    box.scrollTop = chosen.offsetTop - { start: 0, center: room / 2, end: room }[start.align]
    began.current = box.scrollTop
  }
  useLayoutEffect(align)

  const look = () => {
    const box = place.current
    if (!box) return
    const bottom = box.scrollTop + box.clientHeight
    const seen = [...box.children].findLastIndex(child => (child as HTMLElement).offsetTop < bottom)
    onSeen(first + seen)
    onAtBottom(box.scrollHeight - bottom < bottomPixels && first + box.children.length === rows.length)
  }
  const latest = useRef({ look, align })
  latest.current = { look, align }
  useEffect(() => {
    if (!place.current) return
    // A keyboard that comes up on a phone, say.
    const watch = new ResizeObserver(() => latest.current.align())
    watch.observe(place.current)
    return () => watch.disconnect()
  }, [])
  // biome-ignore lint/correctness/useExhaustiveDependencies: what is seen is another when there are other rows.
  useEffect(() => {
    const timer = setTimeout(() => latest.current.look())
    return () => clearTimeout(timer)
  }, [rows.length, at])

  useImperativeHandle(ref, () => {
    const element = place.current as HTMLElement
    return {
      element,
      first,
      isScrolled: () => isScrolled(element),
      isUsed: () => touched.current || performance.now() < restsAt.current,
    }
  })

  return (
    <div
      ref={place}
      role="log"
      aria-label={t('chat.history')}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, and so by keys too.
      tabIndex={0}
      onScroll={({ currentTarget }) => {
        if (!isScrolled(currentTarget)) return
        use('scroll')
        look()
        onReach()
      }}
      onPointerUp={() => use('tap')}
      onTouchStart={() => {
        touched.current = true
      }}
      onTouchEnd={({ touches }) => {
        touched.current = touches.length > 0
      }}
      onTouchCancel={() => {
        touched.current = false
      }}
      className="scroll-thin absolute inset-0 flex flex-col overflow-y-auto bg-paper"
    >
      {rows.slice(first, at + reach + 1).map((each, number) => (
        <div key={keyOf(each)} className={number === 0 ? 'mt-auto' : ''}>
          {row(each)}
        </div>
      ))}
    </div>
  )
}
