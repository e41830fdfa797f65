import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import { api } from '../app/client.ts'
import { paged } from '../app/pages.ts'

export type Report = Awaited<ReturnType<typeof api.people.listReports>>['data'][number]
export const reportStatuses = ['open', 'resolved'] as const
export type ReportStatus = (typeof reportStatuses)[number]

export const reportsKey = ['reports'] as const

/** Of one event, or all that this person may read. */
export const reportsQuery = (event_id: number | undefined, report_status: ReportStatus) =>
  infiniteQueryOptions({
    ...paged,
    queryKey: [...reportsKey, event_id ?? 'all', report_status],
    queryFn: ({ pageParam, signal }) =>
      api.people.listReports({ event_id, report_status, page: pageParam, page_length: 30 }, { signal }),
    // New ones are announced by a notification, not by the channel.
    staleTime: 0,
  })

/** Whether there are reports that this person may read: in an event that they organize, or as an operator. */
export const anyReportQuery = queryOptions({
  queryKey: [...reportsKey, 'any'],
  queryFn: async ({ signal }) =>
    (await api.people.listReports({ page: 1, page_length: 1 }, { signal })).data.length > 0,
  staleTime: 0,
})
