import { infiniteQueryOptions } from '@tanstack/react-query'
import { api } from '../app/client.ts'
import { paged } from '../app/pages.ts'

export type EventLink = Awaited<ReturnType<typeof api.links.makeLink>>

export const linksQuery = (event_id: number) =>
  infiniteQueryOptions({
    ...paged,
    queryKey: ['event-links', event_id],
    queryFn: ({ pageParam, signal }) => api.links.listLinks({ event_id, page: pageParam, page_length: 50 }, { signal }),
    // The channel does not announce how often a link was used.
    staleTime: 0,
  })
