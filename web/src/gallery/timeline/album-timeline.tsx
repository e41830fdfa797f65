import { queryOptions, type UseInfiniteQueryResult, useQuery } from '@tanstack/react-query'
import { useEffect, useEffectEvent, useLayoutEffect, useMemo, useRef } from 'react'
import { type Listed, rowsOf } from '../../app/cache/pages.ts'
import { api } from '../../app/net/client.ts'
import { LoadMore } from '../../ui/load-more.tsx'
import { timelineKey } from '../keys.ts'
import type { PhotoFilter } from '../photo-filter.ts'
import type { Photo } from '../queries.ts'
import { watchHurry } from '../scroll-speed.ts'
import { useJump } from './album-jump.ts'
import { blocks, useAlbumPlace } from './album-position.ts'
import { AlbumRail } from './album-rail.tsx'
import { marksOf, newestFirst } from './timeline.ts'

/** How many photos there are in total, and per day by its key. */
export type Counts = { total: number | undefined; days: ReadonlyMap<string, number> }
type TimelineProps = {
  eventId: number
  showing: PhotoFilter
  list: UseInfiniteQueryResult<Listed<Photo>>
  /** It is currently in the way. */
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

/** Pages added in front must not move the visible photos. Not every browser ensures that by itself. */
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

/**
 * How long after a photo was added or removed to reload: at once, all of an evening's guests would reload for each of
 * its photos.
 */
const outdatedMs = 3000

export const timelineQuery = (event_id: number, { sort = 'newest', by: taken_by }: PhotoFilter) => {
  const by = sort.startsWith('taken') ? 'taken' : 'added'
  return queryOptions({
    queryKey: [...timelineKey(event_id), by, taken_by] as const,
    queryFn: ({ signal }) =>
      api.gallery.readTimeline({ event_id, by, ...(taken_by !== undefined && { taken_by }) }, { signal }),
    staleTime: 60_000,
    refetchInterval: ({ state }) => state.isInvalidated && state.status !== 'error' && outdatedMs,
  })
}
