import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { getRouteApi, Link, Outlet } from '@tanstack/react-router'
import { Images, MessageCircle } from 'lucide-react'
import { rowsOf } from '../app/pages.ts'
import { useWords } from '../app/words.ts'
import { eventQuery } from '../events/queries.ts'
import { nameOf } from '../people/names.ts'
import { Blurred } from '../ui/blurred.tsx'
import { iconButtonClass } from '../ui/button.tsx'
import { LoadMore } from '../ui/load-more.tsx'
import { Failed, Notice } from '../ui/notice.tsx'
import { PageHeader } from '../ui/page-header.tsx'
import { Skeleton } from '../ui/skeleton.tsx'
import { AddPhotos } from './add-photos.tsx'
import { photosQuery } from './queries.ts'

const route = getRouteApi('/inside/events/$eventId/photos')

export const GalleryPage = () => {
  const { t } = useWords()
  const { eventId } = route.useParams()
  const { data: event } = useQuery(eventQuery(eventId))
  const list = useInfiniteQuery(photosQuery(eventId))
  const photos = rowsOf(list.data, photo => photo.id)
  return (
    <>
      <title>{`${t('gallery.title')} · ${event?.event_name ?? 'Afterglow'}`}</title>
      <PageHeader
        title={event?.event_name ?? t('gallery.title')}
        back={{ to: '/events/$eventId', params: { eventId } }}
        backOnDesktop
        actions={
          <>
            {event?.extra?.may.upload && <AddPhotos eventId={eventId} />}
            <Link
              to="/events/$eventId/chat"
              params={{ eventId }}
              aria-label={t('event.chat')}
              className={iconButtonClass}
            >
              <MessageCircle aria-hidden="true" />
            </Link>
          </>
        }
      />
      <div className="p-1.5 lg:p-4">
        {list.isPending && list.fetchStatus !== 'paused' ? (
          <Placeholders />
        ) : !list.data ? (
          <Failed error={list.error} retry={() => void list.refetch()} gone={t('event.gone')} />
        ) : photos.length === 0 ? (
          <Notice icon={Images} title={t('gallery.none')}>
            {t('gallery.noneMore')}
          </Notice>
        ) : (
          <ul className="grid grid-cols-3 gap-1 sm:grid-cols-4 lg:grid-cols-6 lg:gap-2">
            {photos.map(photo => (
              <li key={photo.id}>
                <Link
                  to="/events/$eventId/photos/$photoId"
                  params={{ eventId, photoId: photo.id }}
                  className="relative block aspect-square overflow-hidden rounded-lg bg-sunken"
                >
                  <Blurred thumbhash={photo.extra?.thumbhash} />
                  <img
                    src={photo.event_photo_preview_url}
                    alt={
                      photo.extra?.alt_text ??
                      photo.extra?.caption ??
                      t('gallery.photoBy', { name: nameOf(photo.taken_by) })
                    }
                    loading="lazy"
                    decoding="async"
                    className="absolute inset-0 size-full object-cover"
                  />
                </Link>
              </li>
            ))}
          </ul>
        )}
        <LoadMore more={list.hasNextPage} loading={list.isFetchingNextPage} load={() => void list.fetchNextPage()} />
      </div>
      <Outlet />
    </>
  )
}

const Placeholders = () => (
  <div className="grid grid-cols-3 gap-1 sm:grid-cols-4 lg:grid-cols-6 lg:gap-2">
    {Array.from({ length: 12 }, (_, at) => (
      // biome-ignore lint/suspicious/noArrayIndexKey: places without content have nothing else.
      <Skeleton key={at} className="aspect-square rounded-lg" />
    ))}
  </div>
)
