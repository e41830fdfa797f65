import { infiniteQueryOptions } from '@tanstack/react-query'
import { paged } from '../app/cache/pages.ts'
import { api } from '../app/net/client.ts'
import { reportsKey } from './any-report-query.ts'

export type Report = Awaited<ReturnType<typeof api.people.listReports>>['data'][number]
export const reportStatuses = ['open', 'resolved'] as const
export type ReportStatus = (typeof reportStatuses)[number]

/** Reports of one event, or all that this person may read. */
export const reportsQuery = (event_id: number | undefined, report_status: ReportStatus) =>
  infiniteQueryOptions({
    ...paged,
    queryKey: [...reportsKey, event_id ?? 'all', report_status],
    queryFn: ({ pageParam, signal }) =>
      api.people.listReports({ event_id, report_status, page: pageParam, page_length: 30 }, { signal }),
    // New ones are announced by a notification, not by the channel.
    staleTime: 0,
  })
