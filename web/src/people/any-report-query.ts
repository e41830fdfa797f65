import { queryOptions } from '@tanstack/react-query'

export const reportsKey = ['reports'] as const

/**
 * Whether there are reports that this person may read: in an event that they organize, or as an operator. Its operation
 * is loaded when it is asked, as the settings show nothing else of people.
 */
export const anyReportQuery = queryOptions({
  queryKey: [...reportsKey, 'any'],
  queryFn: async ({ signal }) => {
    const { peopleApi } = await import('./api.ts')
    return (await peopleApi.listReports({ page: 1, page_length: 1 }, { signal })).data.length > 0
  },
  staleTime: 0,
})
