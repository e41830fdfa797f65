import { useInfiniteQuery } from '@tanstack/react-query'
import { ScrollText } from 'lucide-react'
import { rowsOf } from '../app/cache/pages.ts'
import { briefly, timeOf } from '../app/date-format.ts'
import { useParams } from '../app/router/router.tsx'
import { useWords } from '../app/words.ts'
import { nameOf } from '../people/names.ts'
import { LoadMore } from '../ui/load-more.tsx'
import { Notice } from '../ui/notice.tsx'
import { PageHeader } from '../ui/page-header.tsx'
import { Avatar } from '../ui/pictures/avatar.tsx'
import { SkeletonRows } from '../ui/skeleton.tsx'
import { EventFailed } from './event-failed.tsx'
import { logQuery } from './queries.ts'

/** What the organizers did, newest first; for the organizers. */
export const LogPage = () => {
  const { t } = useWords()
  const { eventId } = useParams('/events/:eventId/log')
  const list = useInfiniteQuery(logQuery(eventId))
  const entries = rowsOf(list.data, entry => entry.id)
  return (
    <>
      <title>{`${t('log.title')} · Afterglow`}</title>
      <PageHeader title={t('log.title')} back={{ to: '/events/:eventId', params: { eventId } }} />
      <div className="mx-auto max-w-2xl px-2 py-4 sm:px-4">
        {!list.isError && <p className="px-3 pb-3 text-pretty text-soft">{t('log.about')}</p>}
        {list.isPending && <SkeletonRows rows={5} />}
        {list.isError && !list.data && <EventFailed error={list.error} retry={() => void list.refetch()} />}
        {list.data && entries.length === 0 && <Notice icon={ScrollText} title={t('log.none')} />}
        <ol>
          {entries.map(({ id, user, about, audit_act, audit_reason, created_at }) => (
            <li key={id} className="flex items-center gap-3 rounded-2xl px-3 py-2">
              <Avatar src={user.user_avatar_url} size={40} />
              <div className="min-w-0 flex-1">
                <p className="truncate font-semibold" dir="auto">
                  {nameOf(user)}
                </p>
                <p className="text-sm text-pretty text-soft wrap-anywhere">
                  {t(`log.act.${audit_act}`, { name: about ? nameOf(about) : '…' })}
                  {audit_reason && <bdi> · {audit_reason}</bdi>}
                </p>
              </div>
              <time dateTime={created_at} title={timeOf(created_at)} className="shrink-0 text-sm text-soft">
                {briefly(created_at)}
              </time>
            </li>
          ))}
        </ol>
        <LoadMore more={list.hasNextPage} loading={list.isFetchingNextPage} load={() => void list.fetchNextPage()} />
      </div>
    </>
  )
}
