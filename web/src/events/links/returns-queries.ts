import { infiniteQueryOptions } from '@tanstack/react-query'
import { paged } from '../../app/cache/pages.ts'
import { api } from '../../app/net/client.ts'
import { returnsKey } from '../keys.ts'

export const returnsQuery = (event_id: number) =>
  infiniteQueryOptions({
    ...paged,
    queryKey: returnsKey(event_id),
    queryFn: ({ pageParam, signal }) =>
      api.returns.listReturns({ event_id, page: pageParam, page_length: 50 }, { signal }),
  })

export type ReturnRequest = Awaited<ReturnType<typeof api.returns.listReturns>>['data'][number]
