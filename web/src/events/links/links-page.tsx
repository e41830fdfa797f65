import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { Link2, Plus } from 'lucide-react'
import { useMemo, useState } from 'react'
import { rowsOf } from '../../app/cache/pages.ts'
import { useParams } from '../../app/router/router.tsx'
import { useWords } from '../../app/words.ts'
import { Button } from '../../ui/button.tsx'
import { LoadMore } from '../../ui/load-more.tsx'
import { Notice } from '../../ui/notice.tsx'
import { PageHeader } from '../../ui/page-header.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { EventFailed } from '../event-failed.tsx'
import { eventQuery } from '../queries.ts'
import { CloseLinks } from './close-links.tsx'
import { LinkRow } from './link-row.tsx'
import { LinkSheets } from './link-sheets.tsx'
import { linksQuery } from './links-queries.ts'
import { NewLinkDialog } from './new-link-dialog.tsx'
import { usePrinting } from './print.ts'
import { SentAwayList } from './sent-away.tsx'

/** The links and codes by which guests join; for organizers. */
export const LinksPage = () => {
  const { t } = useWords()
  const { eventId } = useParams('/events/:eventId/links')
  const { data: event } = useQuery(eventQuery(eventId))
  const list = useInfiniteQuery(linksQuery(eventId))
  const [making, setMaking] = useState(false)
  const [shown, setShown] = useState<number>()
  const links = useMemo(() => rowsOf(list.data, link => link.id), [list.data])
  const { printed, print } = usePrinting(links)
  const make = (
    <Button size="small" icon={<Plus className="size-4.5" aria-hidden="true" />} onClick={() => setMaking(true)}>
      <span className={links.length > 0 ? 'max-[26rem]:sr-only' : ''}>{t('links.new')}</span>
    </Button>
  )
  return (
    <>
      <title>{`${t('links.title')} · Afterglow`}</title>
      <PageHeader
        title={t('links.title')}
        back={{ to: '/events/:eventId', params: { eventId } }}
        actions={links.length > 0 && make}
      />
      <div className="mx-auto grid max-w-2xl grid-cols-1 gap-3 p-4">
        {list.isPending && <Skeleton className="h-72" />}
        {list.isError && !list.data && <EventFailed error={list.error} retry={() => void list.refetch()} />}
        {list.data && links.length === 0 && (
          <Notice icon={Link2} title={t('links.none')} action={make}>
            {t('links.noneMore')}
          </Notice>
        )}
        {event && links.length > 0 && <SentAwayList eventId={eventId} />}
        {event &&
          links.map(link => (
            <LinkRow
              key={link.id}
              link={link}
              event={event}
              shown={link.id === shown}
              onShow={() => setShown(link.id === shown ? undefined : link.id)}
              onPrint={(paper, look) => void print(link, paper, look)}
            />
          ))}
        {links.some(({ link_status }) => link_status !== 'revoked') && links.length > 1 && (
          <CloseLinks eventId={eventId} />
        )}
        <LoadMore more={list.hasNextPage} loading={list.isFetchingNextPage} load={() => void list.fetchNextPage()} />
      </div>
      {event && <LinkSheets printed={printed} event={event} />}
      {making && <NewLinkDialog eventId={eventId} onMade={({ id }) => setShown(id)} onClose={() => setMaking(false)} />}
    </>
  )
}
