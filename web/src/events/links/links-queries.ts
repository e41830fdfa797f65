import { infiniteQueryOptions, type QueryClient, queryOptions } from '@tanstack/react-query'
import { paged } from '../../app/cache/pages.ts'
import { api } from '../../app/net/client.ts'
import { guestsKey } from '../keys.ts'

export type EventLink = Awaited<ReturnType<typeof api.links.makeLink>>

export type SentAway = Awaited<ReturnType<typeof api.links.sendAwayByLink>>

export const linksQuery = (event_id: number) =>
  infiniteQueryOptions({
    ...paged,
    queryKey: ['event-links', event_id],
    queryFn: ({ pageParam, signal }) => api.links.listLinks({ event_id, page: pageParam, page_length: 50 }, { signal }),
    // The channel does not announce how often a link was used.
    staleTime: 0,
  })

/** The latest, which are all that an hour has. */
export const sentAwayQuery = (event_id: number) =>
  queryOptions({
    queryKey: ['event-sent-away', event_id],
    queryFn: async ({ signal }) =>
      (await api.links.listSentAway({ event_id, page: 1, page_length: 20 }, { signal })).data,
    staleTime: 0,
  })

export const screensQuery = (event_id: number) =>
  queryOptions({
    queryKey: ['event-screens', event_id],
    queryFn: async ({ signal }) =>
      (await api.links.listScreens({ event_id, page: 1, page_length: 100 }, { signal })).data,
    staleTime: 0,
  })

/** After people were sent away, or brought back. */
export const reloadSentAway = (client: QueryClient, event_id: number) =>
  Promise.all(
    [linksQuery(event_id).queryKey, sentAwayQuery(event_id).queryKey, guestsKey(event_id)].map(queryKey =>
      client.invalidateQueries({ queryKey }),
    ),
  )
