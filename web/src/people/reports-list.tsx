import { useInfiniteQuery } from '@tanstack/react-query'
import { Flag } from 'lucide-react'
import { useState } from 'react'
import { rowsOf } from '../app/cache/pages.ts'
import type { Target } from '../app/router/router.tsx'
import { useWords } from '../app/words.ts'
import { Failed } from '../ui/failed.tsx'
import { LoadMore } from '../ui/load-more.tsx'
import { Notice } from '../ui/notice.tsx'
import { PageHeader } from '../ui/page-header.tsx'
import { SkeletonRows } from '../ui/skeleton.tsx'
import { Tabs } from '../ui/tabs.tsx'
import { ReportCard } from './report-card.tsx'
import { type ReportStatus, reportStatuses, reportsQuery } from './reports-queries.ts'

/** Reports, pending and resolved, newest first. */
export const ReportsList = ({ eventId, back }: { eventId?: number; back: Target }) => {
  const { t } = useWords()
  const [status, setStatus] = useState<ReportStatus>('open')
  const list = useInfiniteQuery(reportsQuery(eventId, status))
  const reports = rowsOf(list.data, report => report.id)
  return (
    <>
      <title>{`${t('reports.title')} · Afterglow`}</title>
      <PageHeader title={t('reports.title')} back={back} />
      <div className="mx-auto grid max-w-2xl grid-cols-1 gap-4 p-4">
        <Tabs
          label={t('reports.which')}
          tabs={reportStatuses}
          chosen={status}
          onChoose={setStatus}
          nameOf={each => t(`reports.status.${each}`)}
          controls="reports-shown"
        />
        <div id="reports-shown" role="tabpanel" aria-label={t(`reports.status.${status}`)}>
          {list.isPending && <SkeletonRows rows={3} picture="size-10 rounded-xl" />}
          {list.isError && !list.data && <Failed error={list.error} retry={() => void list.refetch()} />}
          {list.data && reports.length === 0 && (
            <Notice icon={Flag} title={t(`reports.none.${status}`)}>
              {t('reports.noneMore')}
            </Notice>
          )}
          <ul className="grid grid-cols-1 gap-3">
            {reports.map(report => (
              <ReportCard key={report.id} report={report} here={eventId !== undefined} />
            ))}
          </ul>
          <LoadMore more={list.hasNextPage} loading={list.isFetchingNextPage} load={() => void list.fetchNextPage()} />
        </div>
      </div>
    </>
  )
}
