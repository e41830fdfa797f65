import { infiniteQueryOptions, keepPreviousData } from '@tanstack/react-query'
import { paged } from '../../app/cache/pages.ts'
import { api } from '../../app/net/client.ts'

/** Guests whose names begin with the text. */
export const guestsNamedQuery = (event_id: number, name: string) =>
  infiniteQueryOptions({
    ...paged,
    // Separate from the list of all, to which the channel adds.
    queryKey: ['guests-named', event_id, name],
    queryFn: ({ pageParam, signal }) =>
      api.events.listGuests({ event_id, name, page: pageParam, page_length: 30 }, { signal }),
    staleTime: 30_000,
    placeholderData: keepPreviousData,
  })
