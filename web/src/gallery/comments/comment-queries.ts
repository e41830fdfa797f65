import { infiniteQueryOptions } from '@tanstack/react-query'
import { paged } from '../../app/cache/pages.ts'
import { api } from '../../app/net/client.ts'
import { commentsKey, likesKey, repliesKey } from '../keys.ts'

/* The queries of a photo's comments: apart from the queries that an album begins with. */

export const likesQuery = (event_photo_id: string) =>
  infiniteQueryOptions({
    ...paged,
    queryKey: likesKey(event_photo_id),
    queryFn: ({ pageParam, signal }) =>
      api.gallery.listLikes({ event_photo_id, page: pageParam, page_length: 50 }, { signal }),
  })

export const commentsQuery = (event_photo_id: string) =>
  infiniteQueryOptions({
    ...paged,
    queryKey: commentsKey(event_photo_id),
    queryFn: ({ pageParam, signal }) =>
      api.gallery.listComments({ event_photo_id, page: pageParam, page_length: 30 }, { signal }),
  })

export const repliesQuery = (event_photo_comment_id: number) =>
  infiniteQueryOptions({
    ...paged,
    queryKey: repliesKey(event_photo_comment_id),
    queryFn: ({ pageParam, signal }) =>
      api.gallery.listReplies({ event_photo_comment_id, page: pageParam, page_length: 50 }, { signal }),
  })
