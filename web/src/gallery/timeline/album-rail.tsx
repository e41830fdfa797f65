import { type PointerEvent, useEffect, useLayoutEffect, useRef, useState } from 'react'
import { count, dayOf, hourOf, longDayOf } from '../../app/date-format.ts'
import { useWords } from '../../app/words.ts'
import { type Mark, markAt } from './timeline.ts'

/** A finger's width: the minimum distance between marks, and their height. */
const markHeight = 44
const shownMs = 1800

type Props = { marks: readonly Mark[]; total: number; onJump(offset: number): void }

/** Its visible text, with which the accessible name begins. */
const shortly = ({ at, hour }: Mark) => (hour ? hourOf(at) : dayOf(at))
const spoken = (mark: Mark) => (mark.hour ? `${shortly(mark)}, ${longDayOf(mark.at)}` : shortly(mark))
const wordsOf = ({ at, hour }: Mark) => (hour ? `${longDayOf(at)}, ${hourOf(at)}` : longDayOf(at))

/** The days and hours of an album at the edge of the page while scrolling: a tap or drag jumps to them. */
export const AlbumRail = ({ marks, total, onJump }: Props) => {
  const { t } = useWords()
  const rail = useRef<HTMLElement>(null)
  const [height, setHeight] = useState(0)
  const [dragged, setDragged] = useState<number>()
  const shown = useShown()
  useLayoutEffect(() => {
    if (!rail.current) return
    const watch = new ResizeObserver(([entry]) => entry && setHeight(entry.contentRect.height))
    watch.observe(rail.current)
    return () => watch.disconnect()
  }, [])
  const topOf = ({ offset }: Mark) => (offset / Math.max(total, 1)) * (height - markHeight)
  const offsetAt = (event: PointerEvent) => {
    const { top = 0 } = rail.current?.getBoundingClientRect() ?? {}
    const part = (event.clientY - top - markHeight / 2) / (height - markHeight)
    return Math.round(Math.min(Math.max(part, 0), 1) * Math.max(total - 1, 0))
  }
  const under = dragged === undefined ? undefined : markAt(marks, dragged)
  return (
    <nav
      ref={rail}
      aria-label={t('gallery.jump')}
      onPointerDown={event => {
        rail.current?.setPointerCapture(event.pointerId)
        setDragged(offsetAt(event))
      }}
      onPointerMove={event => dragged !== undefined && setDragged(offsetAt(event))}
      onPointerUp={() => {
        if (dragged !== undefined) onJump(dragged)
        setDragged(undefined)
      }}
      onPointerCancel={() => setDragged(undefined)}
      className={`fixed end-[env(safe-area-inset-right)] top-36 bottom-28 z-20 w-18 touch-none transition-opacity select-none focus-within:pointer-events-auto focus-within:opacity-100 hover:opacity-100 ${shown || dragged !== undefined ? '' : 'opacity-0 pointer-coarse:pointer-events-none'}`}
    >
      {apart(marks, topOf).map(mark => (
        <RailMark key={mark.key} mark={mark} top={topOf(mark)} onJump={() => onJump(mark.offset)} />
      ))}
      {under && dragged !== undefined && (
        <p
          aria-hidden="true"
          className="pointer-events-none absolute end-20 -translate-y-1/2 rounded-full bg-ember px-4 py-2 font-semibold whitespace-nowrap text-on-ember shadow-float"
          style={{ top: (dragged / Math.max(total - 1, 1)) * (height - markHeight) + markHeight / 2 }}
        >
          {wordsOf(under)} · {count(under.count)}
        </p>
      )}
    </nav>
  )
}

const RailMark = ({ mark, top, onJump }: { mark: Mark; top: number; onJump(): void }) => {
  const { t } = useWords()
  return (
    <button
      type="button"
      aria-label={`${spoken(mark)}: ${t('gallery.count', { count: mark.count })}`}
      // The pointer handles a tap, with the exact position; this is for keys and screen readers.
      onClick={event => event.detail === 0 && onJump()}
      className="absolute end-1 grid h-11 min-w-11 place-items-center justify-items-end"
      style={{ top }}
    >
      <span
        className={`rounded-full bg-card px-2 py-1 text-xs whitespace-nowrap shadow-float ${mark.hour ? 'text-soft' : 'font-semibold'}`}
      >
        {shortly(mark)}
      </span>
    </button>
  )
}

/** As many as fit: the days, and hours between them. */
const apart = (marks: readonly Mark[], topOf: (mark: Mark) => number): Mark[] => {
  const placed: Mark[] = []
  for (const mark of [...marks.filter(({ hour }) => !hour), ...marks.filter(({ hour }) => hour)])
    if (placed.every(other => Math.abs(topOf(other) - topOf(mark)) >= markHeight)) placed.push(mark)
  return placed.sort((one, other) => one.offset - other.offset)
}

/** True while the page scrolls, and a moment longer. */
const useShown = () => {
  const [shown, setShown] = useState(false)
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined
    const onScroll = () => {
      setShown(true)
      clearTimeout(timer)
      timer = setTimeout(() => setShown(false), shownMs)
    }
    addEventListener('scroll', onScroll, { passive: true })
    return () => {
      clearTimeout(timer)
      removeEventListener('scroll', onScroll)
    }
  }, [])
  return shown
}
