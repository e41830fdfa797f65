import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import { paged } from '../app/cache/pages.ts'
import { freshFor } from '../app/cache/query.ts'
import { api } from '../app/net/client.ts'
import {
  eventKey,
  eventsKey,
  guestsKey,
  invitationsKey,
  type Listed,
  logKey,
  requestsKey,
  waitingListKey,
} from './keys.ts'

export type Event = Awaited<ReturnType<typeof api.events.readEvent>>
export type Guest = Awaited<ReturnType<typeof api.events.listGuests>>['data'][number]
export type Invitation = Awaited<ReturnType<typeof api.events.listInvitations>>['data'][number]

export const eventQuery = (event_id: number) =>
  queryOptions({
    queryKey: eventKey(event_id),
    queryFn: ({ signal }) => api.events.readEvent({ event_id }, { signal }),
  })

export const eventsQuery = (filter: Listed) =>
  infiniteQueryOptions({
    ...paged,
    queryKey: eventsKey(filter),
    queryFn: ({ pageParam, signal }) => api.events.listEvents({ filter, page: pageParam, page_length: 20 }, { signal }),
    // Time moves events between lists, and public ones are not announced to anybody.
    staleTime: freshFor(60_000),
  })

export const guestsQuery = (event_id: number) =>
  infiniteQueryOptions({
    ...paged,
    queryKey: guestsKey(event_id),
    queryFn: ({ pageParam, signal }) =>
      api.events.listGuests({ event_id, page: pageParam, page_length: 100 }, { signal }),
  })

export const requestsQuery = (event_id: number) =>
  infiniteQueryOptions({
    ...paged,
    queryKey: requestsKey(event_id),
    queryFn: ({ pageParam, signal }) =>
      api.events.listJoinRequests({ event_id, page: pageParam, page_length: 50 }, { signal }),
  })

export const waitingListQuery = infiniteQueryOptions({
  ...paged,
  queryKey: waitingListKey,
  queryFn: ({ pageParam, signal }) => api.events.listWaiting({ page: pageParam, page_length: 50 }, { signal }),
  staleTime: freshFor(60_000),
})

export const invitationsQuery = infiniteQueryOptions({
  ...paged,
  queryKey: invitationsKey,
  queryFn: ({ pageParam, signal }) => api.events.listInvitations({ page: pageParam, page_length: 50 }, { signal }),
  staleTime: freshFor(60_000),
})

export const logQuery = (event_id: number) =>
  infiniteQueryOptions({
    ...paged,
    queryKey: logKey(event_id),
    queryFn: ({ pageParam, signal }) =>
      api.events.listAudit({ event_id, page: pageParam, page_length: 50 }, { signal }),
    staleTime: 0,
  })
