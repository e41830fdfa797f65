import { queryOptions } from '@tanstack/react-query'
import { api } from '../app/net/client.ts'

export const reportsKey = ['reports'] as const

/** True if there are reports that this person may read: in an event that they organize, or as an operator. */
export const anyReportQuery = queryOptions({
  queryKey: [...reportsKey, 'any'],
  queryFn: async ({ signal }) =>
    (await api.people.listReports({ page: 1, page_length: 1 }, { signal })).data.length > 0,
  staleTime: 0,
})
