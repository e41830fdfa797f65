import { type UseInfiniteQueryResult, useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { useEffect, useMemo } from 'react'
import { rowsOf } from '../../app/cache/pages.ts'
import { count } from '../../app/date-format.ts'
import { navigate } from '../../app/router/router.tsx'
import { useWords } from '../../app/words.ts'
import { type Photo, photoQuery, photosQuery } from '../queries.ts'
import { searchOf, useShowing } from '../sort-preference.ts'

/** More are requested this close to the end of the loaded photos. */
const nearEnd = 5

/** The photo of an address among those of its album, or alone while they are not loaded. */
export const useShownPhoto = (eventId: number, photoId: string) => {
  const { t } = useWords()
  const showing = useShowing()
  const list = useInfiniteQuery(photosQuery(eventId, showing))
  const album = useMemo(() => rowsOf(list.data, ({ id }) => id), [list.data])
  const found = album.findIndex(({ id }) => id === photoId)
  const alone = useQuery({ ...photoQuery(photoId), enabled: found < 0 && !list.isPending })
  const photos = useMemo(() => (found >= 0 ? album : alone.data ? [alone.data] : []), [found, album, alone.data])
  useNeighbours(list, found, album.length)
  const isWhole = !list.hasNextPage && !list.hasPreviousPage
  const go = (photo: Photo | undefined) => {
    if (!photo || photo.id === photoId) return
    const to = '/events/:eventId/photos/:photoId'
    const params = { eventId, photoId: photo.id }
    void navigate({ to, params, search: searchOf(showing), replace: true, scrolls: false })
  }
  return {
    photos,
    at: Math.max(found, 0),
    position:
      found >= 0 && isWhole ? t('photo.position', { number: count(found + 1), total: count(album.length) }) : undefined,
    /** The photo this many steps further in the album. */
    beside: (step: number) => album[found + step],
    go,
    error: alone.error,
    retry: () => void alone.refetch(),
  }
}

type Pages = Pick<
  UseInfiniteQueryResult,
  | 'hasNextPage'
  | 'isFetchingNextPage'
  | 'fetchNextPage'
  | 'hasPreviousPage'
  | 'isFetchingPreviousPage'
  | 'fetchPreviousPage'
>
/** Loads more of the album before the viewer reaches an end. */
const useNeighbours = (list: Pages, at: number, loaded: number) => {
  const { hasNextPage, isFetchingNextPage, fetchNextPage } = list
  const { hasPreviousPage, isFetchingPreviousPage, fetchPreviousPage } = list
  useEffect(() => {
    if (at >= loaded - nearEnd && hasNextPage && !isFetchingNextPage) void fetchNextPage()
  }, [at, loaded, hasNextPage, isFetchingNextPage, fetchNextPage])
  useEffect(() => {
    if (at >= 0 && at < nearEnd && hasPreviousPage && !isFetchingPreviousPage) void fetchPreviousPage()
  }, [at, hasPreviousPage, isFetchingPreviousPage, fetchPreviousPage])
}
