import { queryOptions, type UseInfiniteQueryResult, useQuery } from '@tanstack/react-query'
import { type PointerEvent, useEffect, useEffectEvent, useLayoutEffect, useMemo, useRef, useState } from 'react'
import { type Listed, rowsOf } from '../../app/cache/pages.ts'
import { count, dayOf, hourOf, longDayOf } from '../../app/date-format.ts'
import { api } from '../../app/net/client.ts'
import { navigate } from '../../app/router/router.tsx'
import { useWords } from '../../app/words.ts'
import { LoadMore } from '../../ui/load-more.tsx'
import { timelineKey } from '../keys.ts'
import { searchOf } from '../own-sort.ts'
import type { Showing } from '../photo-filter.ts'
import { type Photo, photosPerPage } from '../queries.ts'
import { watchHurry } from '../scroll-speed.ts'
import { blocks, putBack, useAlbumPlace } from './album-place.ts'
import { type Mark, markAt, marksOf, newestFirst } from './timeline.ts'

/** A finger's width: the minimum distance between marks, and their height. */
const markHeight = 44
const shownMs = 1800

/** How many photos there are in total, and per day by its key. */
export type Counts = { total: number | undefined; days: ReadonlyMap<string, number> }
type TimelineProps = {
  eventId: number
  showing: Showing
  list: UseInfiniteQueryResult<Listed<Photo>>
  /** Whether it is currently in the way. */
  away: boolean
  onCounts(counts: Counts): void
}

/** Loads how many photos each day and hour has, passes it to the album, and renders the rail at its edge. */
export const AlbumTimeline = ({ eventId, showing, list, away, onCounts }: TimelineProps) => {
  const { data: listed, hasNextPage, hasPreviousPage, isFetchingPreviousPage, fetchPreviousPage } = list
  const { data } = useQuery(timelineQuery(eventId, showing))
  const marks = useMemo(() => {
    const dated = showing.sort !== 'most_liked'
    return dated ? marksOf(data?.timeline_quarters ?? [], newestFirst(showing)) : []
  }, [data, showing])
  const counted = data?.timeline_photos_count
  // Not needed for an album that is loaded completely.
  const isWhole = listed?.pages[0]?.current_page === 1 && !hasNextPage
  const total = isWhole ? rowsOf(listed, ({ id }) => id).length : counted
  useSteady(listed)
  useEffect(watchHurry, [])
  const jump = useJump(eventId, showing, listed)
  useAlbumPlace(JSON.stringify([eventId, showing.sort, showing.by]), listed, jump)
  const tell = useEffectEvent(onCounts)
  useEffect(() => {
    tell({ total, days: new Map(marks.filter(({ hour }) => !hour).map(({ key, count }) => [key, count])) })
  }, [marks, total])
  return (
    <>
      <LoadMore more={hasPreviousPage} loading={isFetchingPreviousPage} load={() => void fetchPreviousPage()} />
      {marks.length > 1 && !away && <AlbumRail marks={marks} total={counted ?? 0} onJump={jump} />}
    </>
  )
}

type Props = { marks: readonly Mark[]; total: number; onJump(offset: number): void }

/** Its visible text, with which the accessible name begins. */
const shortly = ({ at, hour }: Mark) => (hour ? hourOf(at) : dayOf(at))
const spoken = (mark: Mark) => (mark.hour ? `${shortly(mark)}, ${longDayOf(mark.at)}` : shortly(mark))
const wordsOf = ({ at, hour }: Mark) => (hour ? `${longDayOf(at)}, ${hourOf(at)}` : longDayOf(at))

/** The days and hours of an album at the edge of the page while scrolling: a tap or drag jumps to them. */
const AlbumRail = ({ marks, total, onJump }: Props) => {
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
        <button
          key={mark.key}
          type="button"
          aria-label={`${spoken(mark)}: ${t('gallery.count', { count: mark.count })}`}
          // A tap is handled by the pointer, which says exactly where; this is for keys and screen readers.
          onClick={event => event.detail === 0 && onJump(mark.offset)}
          className="absolute end-1 grid h-11 min-w-11 place-items-center justify-items-end"
          style={{ top: topOf(mark) }}
        >
          <span
            className={`rounded-full bg-card px-2 py-0.5 text-xs whitespace-nowrap shadow-float ${mark.hour ? 'text-soft' : 'font-semibold'}`}
          >
            {shortly(mark)}
          </span>
        </button>
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

/**
 * Jumps to a photo by the number of photos before it: at once if it is loaded, otherwise with a list that begins there.
 */
const useJump = (eventId: number, showing: Showing, listed: Listed<Photo> | undefined) => {
  const [wanted, setWanted] = useState<{ offset: number; below: number | undefined }>()
  const first = ((listed?.pages[0]?.current_page ?? 1) - 1) * photosPerPage
  const end = (listed?.pages.at(-1)?.current_page ?? 0) * photosPerPage
  const isLoaded = (offset: number) => offset >= first && offset < end
  const target = wanted && isLoaded(wanted.offset) ? wanted.offset - first : undefined
  const below = wanted?.below
  useEffect(() => {
    if (target === undefined) return
    // A list that has just arrived is laid out a moment later.
    const look = () => {
      if (showPhoto(target, below)) setWanted(undefined)
      else frame = requestAnimationFrame(look)
    }
    let frame = requestAnimationFrame(look)
    return () => cancelAnimationFrame(frame)
  }, [target, below])
  return (offset: number, below?: number) => {
    setWanted({ offset, below })
    if (isLoaded(offset)) return
    const { from: _, ...asked } = showing
    const from = Math.floor(offset / photosPerPage) + 1
    const search = searchOf(from > 1 ? { ...asked, from } : asked)
    void navigate({ to: '/events/:eventId/photos', params: { eventId }, search, replace: true })
  }
}

/**
 * Scrolls to the element containing the photo after this many loaded ones, or into it; false if it is not laid out yet.
 */
const showPhoto = (index: number, below: number | undefined): boolean => {
  let before = 0
  const block = blocks().find(each => {
    before += Number(each.dataset.length)
    return before > index
  })
  const heading = block?.previousElementSibling
  if (block && below !== undefined) putBack(block, below)
  else (heading?.tagName === 'H2' ? heading : block)?.scrollIntoView({ block: 'start' })
  return block !== undefined
}

/** Pages added in front must not move what is being looked at. Not every browser ensures that by itself. */
const useSteady = (listed: Listed<Photo> | undefined) => {
  const before = useRef<{ id: string | undefined; top: number; page: number }>(undefined)
  const page = listed?.pages[0]?.current_page ?? 1
  useLayoutEffect(() => {
    // Nothing is added before the first page, and checking would lay out the album each time.
    if (page === 1 && !before.current) return
    const [first] = blocks()
    const all = first?.parentElement
    if (!first || !all) return
    const topOf = (block: Element | null) =>
      block ? block.getBoundingClientRect().top - all.getBoundingClientRect().top : undefined
    const was = before.current
    if (was && page < was.page) scrollBy(0, (topOf(all.querySelector(`[data-block="${was.id}"]`)) ?? was.top) - was.top)
    if (page > 1) all.style.overflowAnchor = 'none'
    before.current = { id: first.dataset.block, top: topOf(first) ?? 0, page }
  })
}

/** As many as fit: the days, and hours between them. */
const apart = (marks: readonly Mark[], topOf: (mark: Mark) => number): Mark[] => {
  const placed: Mark[] = []
  for (const mark of [...marks.filter(({ hour }) => !hour), ...marks.filter(({ hour }) => hour)])
    if (placed.every(other => Math.abs(topOf(other) - topOf(mark)) >= markHeight)) placed.push(mark)
  return placed.sort((one, other) => one.offset - other.offset)
}

/** While the page scrolls, and a moment longer. */
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

/**
 * How long after a photo was added or removed to reload: at once, all of an evening's guests would reload for each of
 * its photos.
 */
const outdatedMs = 3000

const timelineQuery = (event_id: number, { sort = 'newest', by: taken_by }: Showing) => {
  const by = sort.startsWith('taken') ? 'taken' : 'added'
  return queryOptions({
    queryKey: [...timelineKey(event_id), by, taken_by] as const,
    queryFn: ({ signal }) =>
      api.gallery.readTimeline({ event_id, by, ...(taken_by !== undefined && { taken_by }) }, { signal }),
    staleTime: 60_000,
    refetchInterval: ({ state }) => state.isInvalidated && state.status !== 'error' && outdatedMs,
  })
}
