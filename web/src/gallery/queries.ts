import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import { paged } from '../app/cache/pages.ts'
import { api } from '../app/net/client.ts'
import { photoKey, photosKey, waitingKey } from './keys.ts'
import type { PhotoFilter } from './photo-filter.ts'

export type Photo = Awaited<ReturnType<typeof api.gallery.readPhoto>>
export type Comment = Awaited<ReturnType<typeof api.gallery.saveComment>>

export const photosPerPage = 60

export const photosQuery = (event_id: number, showing: PhotoFilter = {}) => {
  const { sort = 'newest', by, from = 1, few = photosPerPage } = showing
  return infiniteQueryOptions({
    ...paged,
    initialPageParam: from,
    getPreviousPageParam: (first: { current_page: number }) =>
      first.current_page > 1 ? first.current_page - 1 : undefined,
    queryKey: photosKey(event_id, showing),
    queryFn: ({ pageParam, signal }) =>
      api.gallery.listPhotos(
        { event_id, sort, ...(by !== undefined && { taken_by: by }), page: pageParam, page_length: few },
        { signal },
      ),
  })
}

/** Photos that wait to be approved, the longest first. */
export const waitingQuery = (event_id: number) =>
  infiniteQueryOptions({
    ...paged,
    queryKey: waitingKey(event_id),
    queryFn: ({ pageParam, signal }) =>
      api.gallery.listPhotos(
        { event_id, waiting: true, sort: 'oldest', page: pageParam, page_length: photosPerPage },
        { signal },
      ),
    staleTime: 0,
  })

export const photoQuery = (id: string) =>
  queryOptions({
    queryKey: photoKey(id),
    queryFn: ({ signal }) => api.gallery.readPhoto({ event_photo_id: id }, { signal }),
  })
