import { infiniteQueryOptions, keepPreviousData, useInfiniteQuery } from '@tanstack/react-query'
import { useDeferredValue, useState } from 'react'
import { paged } from '../../app/cache/pages.ts'
import { api } from '../../app/net/client.ts'
import { guestsQuery } from '../queries.ts'

/** All guests, or those whose names begin with what is typed. */
export const useGuestSearch = (eventId: number) => {
  const [typed, setTyped] = useState('')
  const name = useDeferredValue(typed.trim())
  const all = useInfiniteQuery({ ...guestsQuery(eventId), enabled: name === '' })
  const named = useInfiniteQuery({ ...guestsNamedQuery(eventId, name), enabled: name !== '' })
  return { typed, setTyped, name, list: name === '' ? all : named }
}

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
