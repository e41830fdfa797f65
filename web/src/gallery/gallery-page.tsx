import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { getRouteApi, Link, Outlet } from '@tanstack/react-router'
import { ImagePlus, Images, MessageCircle } from 'lucide-react'
import { lazy, Suspense, useCallback, useRef, useState } from 'react'
import { useSettled } from '../app/idle.ts'
import { later } from '../app/later.tsx'
import { useWords } from '../app/words.ts'
import { eventQuery } from '../events/queries.ts'
import { Button, buttonClass, iconButtonClass } from '../ui/button.tsx'
import { Failed } from '../ui/failed.tsx'
import { LoadMore } from '../ui/load-more.tsx'
import { Notice } from '../ui/notice.tsx'
import { PageHeader } from '../ui/page-header.tsx'
import { Skeleton } from '../ui/skeleton.tsx'
import { AddPhotos, atThumb } from './add-photos.tsx'
import { PhotoGrid } from './photo-grid.tsx'
import { photosQuery } from './queries.ts'

const route = getRouteApi('/inside/events/$eventId/photos')
/** The photos go before it. */
const GalleryBar = later(
  () => import('./gallery-bar.tsx').then(({ GalleryBar }) => GalleryBar),
  <div className="h-13" />,
)
const UploadTray = lazy(() => import('./upload-tray.tsx').then(({ UploadTray }) => ({ default: UploadTray })))
const SelectionBar = lazy(() => import('./selection-bar.tsx').then(({ SelectionBar }) => ({ default: SelectionBar })))
const DownloadDialog = lazy(() =>
  import('./download-dialog.tsx').then(({ DownloadDialog }) => ({ default: DownloadDialog })),
)
const DeletedDialog = lazy(() =>
  import('./deleted-dialog.tsx').then(({ DeletedDialog }) => ({ default: DeletedDialog })),
)

const nothing: ReadonlySet<string> = new Set()

export const GalleryPage = () => {
  const { t } = useWords()
  const { eventId } = route.useParams()
  const showing = route.useSearch()
  const { data: event } = useQuery(eventQuery(eventId))
  const list = useInfiniteQuery(photosQuery(eventId, showing))
  const files = useRef<HTMLInputElement>(null)
  const later = useSettled()
  const [opened, setOpened] = useState<'download' | 'deleted'>()
  /** What is chosen, while choosing. */
  const [chosen, setChosen] = useState<ReadonlySet<string>>()
  const select = useCallback(
    (id: string) =>
      setChosen(before => {
        const now = new Set(before)
        if (!now.delete(id)) now.add(id)
        return now
      }),
    [],
  )
  const empty = list.data?.pages.every(({ data }) => data.length === 0)
  return (
    <>
      <title>{`${t('gallery.title')} · ${event?.event_name ?? 'Afterglow'}`}</title>
      <PageHeader
        title={event?.event_name ?? t('gallery.title')}
        back={{ to: '/events/$eventId', params: { eventId } }}
        backOnDesktop
        actions={
          <Link
            to="/events/$eventId/chat"
            params={{ eventId }}
            aria-label={t('event.chat')}
            className={iconButtonClass}
          >
            <MessageCircle aria-hidden="true" />
          </Link>
        }
      />
      {!list.isError && !(empty && !showing.by) && (
        <GalleryBar
          eventId={eventId}
          showing={showing}
          onSelect={() => setChosen(nothing)}
          onDownload={() => setOpened('download')}
          onDeleted={() => setOpened('deleted')}
        />
      )}
      <div className={`px-1 lg:px-4 ${chosen ? 'pb-24' : 'pb-4'}`}>
        {list.isPending && list.fetchStatus !== 'paused' ? (
          <Placeholders />
        ) : !list.data ? (
          <Failed
            error={list.error}
            retry={() => void list.refetch()}
            gone={t('event.gone')}
            goneAction={
              <Link to="/events" className={buttonClass('soft')}>
                {t('nav.events')}
              </Link>
            }
          />
        ) : empty ? (
          <Notice
            icon={Images}
            title={t('gallery.none')}
            action={
              event?.extra?.may.upload &&
              !showing.by && (
                <Button icon={<ImagePlus aria-hidden="true" />} onClick={() => files.current?.click()}>
                  {t('gallery.add')}
                </Button>
              )
            }
          >
            {!showing.by && event?.extra?.may.upload ? t('gallery.noneMore') : undefined}
          </Notice>
        ) : (
          <PhotoGrid
            key={JSON.stringify(showing)}
            listed={list.data}
            eventId={eventId}
            showing={showing}
            selecting={chosen !== undefined}
            selected={chosen ?? nothing}
            onSelect={select}
          />
        )}
        <LoadMore more={list.hasNextPage} loading={list.isFetchingNextPage} load={() => void list.fetchNextPage()} />
      </div>
      {event?.extra?.may.upload && !chosen && (
        <AddPhotos eventId={eventId} input={files} className={`${atThumb} px-3`} />
      )}
      <Suspense>{later && <UploadTray eventId={eventId} />}</Suspense>
      <Suspense>
        {chosen && list.data && (
          <SelectionBar listed={list.data} chosen={chosen} onChoose={setChosen} onEnd={() => setChosen(undefined)} />
        )}
        {opened === 'download' && <DownloadDialog eventId={eventId} onClose={() => setOpened(undefined)} />}
        {opened === 'deleted' && <DeletedDialog eventId={eventId} onClose={() => setOpened(undefined)} />}
      </Suspense>
      <Outlet />
    </>
  )
}

const Placeholders = () => (
  <div className="grid grid-cols-3 gap-1 pt-2 sm:grid-cols-4 lg:grid-cols-6 lg:gap-2">
    {Array.from({ length: 12 }, (_, at) => (
      // biome-ignore lint/suspicious/noArrayIndexKey: places without content have nothing else.
      <Skeleton key={at} className="aspect-square rounded-lg" />
    ))}
  </div>
)
