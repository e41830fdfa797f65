import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { useEffect, useMemo } from 'react'
import { rowsOf } from '../app/cache/pages.ts'
import { type Photo, photoQuery, photosQuery } from '../gallery/queries.ts'
import type { Wall } from './wall-query.ts'

/** How many photos rotate; an album of thousands would never return to its beginning anyway. */
const roundMax = 600

/**
 * The photos of an event that its wall shows, and the one that an organizer named. None before the wall is known;
 * `whole` once these are all.
 */
export const useWallPhotos = (eventId: number, wall: Wall | undefined) => {
  const list = useInfiniteQuery(photosQuery(eventId))
  const all = useMemo(
    () => rowsOf(list.data, ({ id }) => id).filter(({ extra }) => !extra.hidden && !extra.waiting),
    [list.data],
  )
  const photos = useMemo(() => (wall ? shownOf(all, wall).slice(0, roundMax) : []), [all, wall])
  const loaded = new Set(all.map(({ id }) => id))
  const misses = wall?.wall_photos === 'chosen' && wall.chosen_photo_ids.some(id => !loaded.has(String(id)))
  const { hasNextPage, isFetchingNextPage, fetchNextPage } = list
  const wantsMore = hasNextPage && (all.length < roundMax || misses)
  useEffect(() => {
    if (wantsMore && !isFetchingNextPage) void fetchNextPage()
  }, [wantsMore, isFetchingNextPage, fetchNextPage])
  const named = namedBy(wall)
  const known = all.find(({ id }) => id === named)
  const other = useQuery({ ...photoQuery(named ?? ''), enabled: named !== undefined && !known })
  const whole = wall !== undefined && list.data !== undefined && !wantsMore
  return { photos, all, named: named === undefined ? undefined : (known ?? other.data), list, whole }
}

/** The photo that the last turn named, or else, while the wall is paused, the one shown at the time. */
const namedBy = (wall: Wall | undefined) => {
  const id = wall?.shown_photo_id ?? (wall?.wall_paused ? wall.on_wall_photo_ids[0] : undefined)
  return id === undefined ? undefined : String(id)
}

/** The photos of the album that a wall shows in turn. */
export const shownOf = (all: readonly Photo[], wall: Wall) => {
  const [hidden, chosen] = [wall.hidden_photo_ids, wall.chosen_photo_ids].map(ids => new Set(ids.map(String)))
  return all.filter(({ id, event_photo_likes_count: likes }) => {
    if (hidden?.has(id)) return false
    if (wall.wall_photos === 'chosen') return chosen?.has(id) ?? false
    return wall.wall_photos === 'all' || Number(likes) > 0
  })
}
