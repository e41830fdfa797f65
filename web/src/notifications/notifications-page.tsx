import { useInfiniteQuery, useMutation, useQueryClient } from '@tanstack/react-query'
import { BellRing, CheckCheck, SlidersHorizontal } from 'lucide-react'
import { useState } from 'react'
import { rowsOf } from '../app/cache/pages.ts'
import { api } from '../app/net/client.ts'
import { ErrorBoundary } from '../app/router/error-boundary.tsx'
import { Link } from '../app/router/router.tsx'
import { useWords } from '../app/words.ts'
import { IconButton, iconButtonClass } from '../ui/button.tsx'
import { Failed } from '../ui/failed.tsx'
import { sayFailure } from '../ui/failure.ts'
import { LoadMore } from '../ui/load-more.tsx'
import { Notice } from '../ui/notice.tsx'
import { PageHeader } from '../ui/page-header.tsx'
import { SkeletonRows } from '../ui/skeleton.tsx'
import { folded } from './grouped-rows.ts'
import { notificationsKey, unreadKey } from './keys.ts'
import { NotificationRow } from './notification-row.tsx'
import { notificationsQuery, useUnreadNotifications } from './queries.ts'
import { TraceDialog } from './trace-dialog.tsx'

export const NotificationsPage = () => {
  const { t } = useWords()
  const list = useInfiniteQuery(notificationsQuery)
  const unread = useUnreadNotifications()
  const [traced, setTraced] = useState<number>()
  const notifications = rowsOf(list.data, notification => notification.id)
  return (
    <>
      <title>{`${t('notifications.title')} · Afterglow`}</title>
      <PageHeader
        title={t('notifications.title')}
        actions={
          <>
            {unread > 0 && <ReadAll />}
            <Link to="/settings/notifications" aria-label={t('eventForm.settings')} className={iconButtonClass}>
              <SlidersHorizontal />
            </Link>
          </>
        }
      />
      <div className="mx-auto max-w-2xl px-2 py-2 sm:px-4">
        {list.isPending && list.fetchStatus !== 'paused' ? (
          <SkeletonRows />
        ) : !list.data ? (
          <Failed error={list.error} retry={() => void list.refetch()} />
        ) : notifications.length === 0 ? (
          <Notice icon={BellRing} title={t('notifications.none')}>
            {t('notifications.noneMore')}
          </Notice>
        ) : (
          <ul className="grid grid-cols-1 gap-1">
            {folded(notifications).map(row => (
              <ErrorBoundary key={row.newest.id}>
                <NotificationRow row={row} onWhy={() => setTraced(row.newest.id)} />
              </ErrorBoundary>
            ))}
          </ul>
        )}
        <LoadMore more={list.hasNextPage} loading={list.isFetchingNextPage} load={() => void list.fetchNextPage()} />
      </div>
      {traced !== undefined && <TraceDialog id={traced} onClose={() => setTraced(undefined)} />}
    </>
  )
}

const ReadAll = () => {
  const { t } = useWords()
  const client = useQueryClient()
  const readAll = useMutation({
    mutationFn: () => api.notifications.readAllNotifications(),
    onSuccess: () =>
      Promise.all([
        client.invalidateQueries({ queryKey: notificationsKey }),
        client.invalidateQueries({ queryKey: unreadKey }),
      ]),
    onError: sayFailure,
  })
  return (
    <IconButton label={t('notifications.readAll')} disabled={readAll.isPending} onClick={() => readAll.mutate()}>
      <CheckCheck />
    </IconButton>
  )
}
