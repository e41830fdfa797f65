import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import { api } from '../app/client.ts'
import { paged } from '../app/pages.ts'
import { photoKey, photosKey } from './keys.ts'

export const photosQuery = (event_id: number) =>
  infiniteQueryOptions({
    ...paged,
    queryKey: photosKey(event_id),
    queryFn: ({ pageParam, signal }) =>
      api.gallery.listPhotos({ event_id, page: pageParam, page_length: 60 }, { signal }),
  })

export const photoQuery = (id: string) =>
  queryOptions({
    queryKey: photoKey(id),
    queryFn: ({ signal }) => api.gallery.readPhoto({ event_photo_id: id }, { signal }),
  })
